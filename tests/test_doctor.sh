#!/bin/sh
# gsltune doctor: the page for people and for programs, without a GPU and with one.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

unset SOFTGPU_DEVICE CUDA_VISIBLE_DEVICES
GSLTUNE_PROFILE_DIR=$scratch/none
export GSLTUNE_PROFILE_DIR

told 'the page' 0 out '^ gsltune [0-9]' doctor
check 'GSL' says 0 out '^ GSL [0-9].* (compiled with [0-9]'
check 'the system' says 0 out '^ system Linux '
check 'no GPU: why' says 0 out '^ CUDA no GPU can be used: '
check 'the environment' says 0 out \
  "^ environment GSLTUNE_PROFILE_DIR=${scratch%% *}"
check 'the CPU' says 0 out '^ device .'
check 'no profile' says 0 out "^ profile none: the library estimates"
check 'and what to do' says 0 out "^ advice Run 'gsltune tune'\.$"
check 'no messages' [ ! -s err ]
run doctor --json
check 'JSON' is "$(value gsltune) $(value devices.#)" "$("$gsltune" --version | sed 's/.* //;q') 1"
check 'JSON: the profile' is "$(value devices.0.profile)" 'none: the library estimates'
check 'JSON: what to do' is "$(value devices.0.advice)" "Run 'gsltune tune'."

# One without the version of its kernel.
mkdir -m 755 none
silicon=$(sed -n 's/^ *"silicon_key": "\(.*\)",\{0,1\}$/\1/p' out | sed 1q)
cat >"none/$silicon.json" <<END
{"format": 2, "device": {"silicon": "$silicon"}, "steps": {
 "sum f64 exact contiguous": "8 exact"}}
END
chmod 644 "none/$silicon.json"
run doctor --json
check 'a profile that cannot be used: why, and what to do' says 0 out \
  '"profile": "none: .*kernel exact has changed: version 1, now .*: tune again",'
rm -r none
fails 'an argument' 2 "doctor: unexpected argument 'now': this subcommand\
 takes options alone" doctor now

# ---------------------------------------------------------------- With a GPU

case $softgpu in
  '') skip 'a GPU' 'built without CUDA'; finish ;;
esac
SOFTGPU_DEVICE=$data/../devices/h200.json
export SOFTGPU_DEVICE

run doctor
check 'a GPU' says 0 out '^ device NVIDIA H200'
check 'its driver' says 0 out '^ driver for CUDA [0-9.]*; cuda:0 has '
check 'its profile' is "$(grep -c '^  profile ' out)" 2

finish
