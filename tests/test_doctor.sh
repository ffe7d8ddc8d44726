#!/bin/sh
# gsltune doctor: the page for people and for programs, without a GPU and with one whose
# nvidia-smi is the test's own.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

unset SOFTGPU_DEVICE CUDA_VISIBLE_DEVICES
GSLTUNE_PROFILE_DIR=$scratch/none
export GSLTUNE_PROFILE_DIR

told 'the page' 0 out '^ gsltune [0-9]' doctor
check 'GSL' says 0 out '^ GSL [0-9].* (compiled with [0-9]'
check 'the system' says 0 out '^ system Linux '
check 'the environment' says 0 out \
  "^ environment GSLTUNE_PROFILE_DIR=${scratch%% *}"
check 'the CPU' says 0 out '^cpu: .'
check 'no profile, and what to do' says 0 out "^ care profile: none"
check 'what to do' says 0 out "^ Run 'gsltune tune'\.$"
check 'how many things' says 0 out '^[0-9]* things* to take care of before'
narrow ()
{
  [ -s out ] && [ -z "$(grep -v 'silicon key\|GSLTUNE_\|LD_LIBRARY_PATH\|/' out \
    | awk 'length > 80')" ]
}
check '80 columns' narrow
check 'no messages' [ ! -s err ]
no_escapes ()
{
  ! grep -q "$(printf '\033')" out
}
check 'no colours but on a terminal' no_escapes

told 'JSON' 0 out '"subject": "frequency governor"' doctor --json
check 'JSON: the profile' says 0 out '"found": "none: the library estimates"'

# One of before kernels had versions.
mkdir -m 755 none
silicon=$(sed -n 's/^ *"silicon": "\(.*\)",\{0,1\}$/\1/p' out | sed 1q)
cat >"none/$silicon.json" <<END
{"format": 1, "device": {"silicon": "$silicon"}, "crossovers": [], "entries": [
 {"operation": "sum", "type": "f64", "mode": "fast", "layout": "contiguous",
  "place": "host", "n": 8, "kernel": "sequential", "hash": "741b49b8"}]}
END
chmod 644 "none/$silicon.json"
run doctor --json
check 'a profile that cannot be used: why, and what to do' says 0 out \
  '"found": "none: .*kernel sequential has changed: version 0, now .*: tune again"'
rm -r none
fails 'an argument' 2 "doctor: unexpected argument 'now': this subcommand\
 takes options alone" doctor now

# ---------------------------------------------------------------- With a GPU

smi ()
{
  mkdir -p bin
  cat >bin/nvidia-smi <<END
#!/bin/sh
echo "\$*" >>"$scratch/asked"
case \$* in
  *compute-apps*) $2 ;;
  *throttle*) echo $3 ;;
  *) echo '$1' ;;
esac
END
  chmod +x bin/nvidia-smi
  PATH=$scratch/bin:$PATH run doctor
}

case $softgpu in
  '') skip 'a GPU' 'built without CUDA'; finish ;;
esac
SOFTGPU_DEVICE=$data/../devices/h200.json
export SOFTGPU_DEVICE

smi 'Enabled, Disabled, Enabled, 0, 1980, 1980, 700.00, 700.00' : 0x1
check 'a GPU' says 0 out '^cuda:0: NVIDIA H200'
check 'its driver' says 0 out '^ driver for CUDA [0-9.]*; the GPU has '
check 'it is asked for by its UUID' grep -q -e '--id=GPU-' asked
check 'nobody else' says 0 out '^ good other programs: 0 % busy, 0 others'
check 'persistence mode' says 0 out '^ good persistence mode: Enabled'
check 'MIG' says 0 out '^ good MIG: Disabled'
check 'ECC' says 0 out '^ good ECC: Enabled'
check 'clocks' says 0 out '^ good clocks: not lowered'
check 'power' says 0 out '^ good power limit: 700 of 700 W'

smi 'Disabled, Enabled, Disabled, 40, 1200, 1980, 350.00, 700.00' \
  'echo 1; echo 2' 0x8
check 'others' says 0 out '^ care other programs: 40 % busy, 2 others'
check 'no persistence mode' says 0 out '^ care persistence mode: Disabled'
check 'slices' says 0 out '^ note MIG: Enabled'
check 'no ECC' says 0 out '^ note ECC: Disabled'
check 'a slow clock' says 0 out '^ care clocks: lowered now (reasons 0x8)'
check 'less power' says 0 out '^ note power limit: 350 of 700 W'

smi 'Enabled, [N/A], [N/A], 0, 1200, 1980, [N/A], [N/A]' : 0x2
check 'held clocks' says 0 out '^ note clocks: applications are held to 1200 of'
says_nothing ()
{
  ! grep -q "$1:" out
}
check 'what is not known is left out' says_nothing ECC
check 'power too' says_nothing 'power limit'
smi 'Enabled, Disabled, Enabled, 0, 1980, 1980, nan, 700.00' : 0x1
check 'a limit that is no number' says_nothing 'power limit'

smi 'No devices were found' : ''
check 'an answer that is none' says 0 out '^ unknown nvidia-smi: '

finish
