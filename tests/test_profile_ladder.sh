#!/bin/sh
# bench/profile-ladder, with an ncu and a gsltune that replay what was recorded:
# tests/data/ncu-*.csv are of an H200 by ncu 2025.3, short of most columns.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

script=$data/../../bench/profile-ladder
mkdir bin canned
cp "$data"/ladder.json "$data"/ncu-*.csv canned
canned=$scratch/canned
FAKE_NCU=
export canned FAKE_NCU

cat >canned/devices.json <<'END'
{"devices": [{"kind": "cpu", "model": "A CPU"},
 {"kind": "cuda", "name": "NVIDIA \"H200\"", "ordinal": 0}]}
END
cat >bin/gsltune <<'END'
#!/bin/sh
case $* in
  'devices --json') cat "$canned/devices.json" ;;
  devices) echo 'no CUDA GPU: no driver: install one' ;;
  'ladder --json '*'--type char'*) echo 'gsltune: no such type' >&2; exit 2 ;;
  'ladder --json'*) echo "$*" >>"$canned/asked"; cat "$canned/ladder.json" ;;
  *--once*) cat >/dev/null; echo "$*" >>"$canned/launched"; echo 4294967295 ;;
  *) echo "gsltune: unexpected: $*" >&2; exit 1 ;;
esac
END
cat >bin/ncu <<'END'
#!/bin/sh
# Writes the record of the kernel asked for, after running the command.
symbol= log=
while :; do
  case $1 in
    --csv) shift; continue ;;
    --log-file) log=$2 ;;
    --kernel-name) symbol=$2 ;;
    -*) ;;
    *) break ;;
  esac
  shift 2
done
"$@" || exit
kernel=${symbol#sum_}
record=$canned/ncu-${kernel%_u32}.csv
case $FAKE_NCU in
  permission)
    echo '==ERROR== ERR_NVGPUCTRPERM - no permission' >"$log"; exit 1 ;;
  failing)
    echo '==ERROR== Failed to initialize the profiler' >"$log"; exit 9 ;;
  nothing)
    echo '==WARNING== No kernels were profiled.' >"$log" ;;
  truncated) sed '$s/,"[^"]*"$//' "$record" >"$log" ;;
  unbalanced) sed '$s/"$//' "$record" >"$log" ;;
  words) sed '$s/"2\.[0-9]*"/"much"/' "$record" >"$log" ;;
  furlongs) sed 's/"ns"/"fortnight"/' "$record" >"$log" ;;
  older) sed 's/"ns"/"nsecond"/; s/"byte\/s"/"byte\/second"/' "$record" >"$log" ;;
  scaled) sed 's/"ns"/"us"/' "$record" >"$log" ;;
  lacking) sed 's/smsp__sass_average[^"]*/other/' "$record" >"$log" ;;
  unavailable) sed '$s/"28,323,458"/"n\/a"/' "$record" >"$log" ;;
  signature) sed '$s/"\(sum_[a-z0-9_]*\)"/"\1(gt_kernel_args, int)"/' \
    "$record" >"$log" ;;
  *) cp "$record" "$log" ;;
esac
END
chmod +x bin/gsltune bin/ncu
unset GSLTUNE
PATH=$scratch/bin:$PATH

# run ARGUMENT...: profile-ladder on the recorded ladder.
run ()
{
  rm -f canned/launched canned/asked
  GSLTUNE=${chosen:-$scratch/bin/gsltune} sh "$script" "$@" >out 2>err
  status=$?
}

# row KERNEL: its line of the table, blanks squeezed.
row ()
{
  tr -s ' ' <out | sed -n "s/^ *\([0-9]* $1 \)/\1/p"
}

# ended STATUS MESSAGE: nothing on standard output, that message alone.
ended ()
{
  [ "$status" -eq "$1" ] && [ ! -s out ] \
    && [ "$(cat err)" = "profile-ladder: $2" ]
}

# complained KERNEL MESSAGE: exit status 1 and that message among others.
complained ()
{
  [ "$status" -eq 1 ] && grep -q -F -x -e "profile-ladder: $1: $2" err
}

# ------------------------------------------------------------ The whole run

run -n 67108864 --type uint
check 'success, no messages' test "$status" -eq 0 -a ! -s err
check 'the device' is "$(head -n 1 out)" 'NVIDIA "H200"'
check 'the headings' is "$(sed -n 3p out | tr -s ' ')" \
  'rung kernel configuration sum launch model ncu achieved uniform lanes DRAM read conflicts barrier'
check 'a rung' is "$(row neighbored)" \
  '1 neighbored 256 x 1 641.5 us 633.5 us 100% 100% 93% 100.0% 24.0 8.9% 424 GB/s 440378 (0.8%) 2.33'
check 'a rung with bank conflicts, the model of another opinion' \
  is "$(row neighbored_packed)" \
  '2 neighbored_packed 256 x 1 395.0 us 390.8 us 75% 100% 87% 100.0% 19.5 14.4% 687 GB/s 28323458 (33.2%) 3.08'
check 'a rung with a fixed grid' is "$(row interleaved)" \
  '3 interleaved 256 x 4, 8/SM 305.2 us 299.9 us 100% 100% 85% 100.0% 20.1 18.8% 895 GB/s 363957 (0.6%) 2.82'
check 'a rung that is not available' is "$(row cluster)" \
  '12 cluster unavailable: needs compute capability 9.0, this is 8.0'
check 'the ladder was measured once' is "$(cat canned/asked)" \
  'ladder --json -n 67108864 --type uint'
check 'each configuration was launched once' is "$(cat canned/launched)" \
  'ladder --kernel neighbored --config 256,1,0 --once -n 67108864 --type uint
ladder --kernel neighbored_packed --config 256,1,0 --once -n 67108864 --type uint
ladder --kernel interleaved --config 256,4,8 --once -n 67108864 --type uint'
check 'the columns are explained' grep -q '^barrier  *[a-z]' out

run --markdown
check 'Markdown: the table alone' test "$status" -eq 0 -a "$(grep -c -v '^|.*|$' out)" -eq 0
check 'Markdown: the rule' is "$(sed -n 2p out)" \
  '|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
check 'Markdown: a rung' is "$(sed -n 4p out)" \
  '| 2 | neighbored_packed | 256 x 1 | 395.0 us | 390.8 us | 75% | 100% | 87% | 100.0% | 19.5 | 14.4% | 687 GB/s | 28323458 (33.2%) | 3.08 |'
same_cells ()
{
  awk -F '|' 'NF != 16 { bad = 1 } END { exit bad || NR != 6 }' out
}
check 'Markdown: as many cells in every row' same_cells

run --kernel neighbored
check 'one rung is passed on' is "$(cat canned/asked)" \
  'ladder --json --kernel neighbored'
mv canned/ladder.json pretty.json
tr -d ' \n' <pretty.json >canned/ladder.json
run
check 'JSON in one line without blanks' test "$status" -eq 0 -a \
  -n "$(row interleaved)"
mv pretty.json canned/ladder.json
chosen=$scratch/bin/gsltune
cd bin && sh "$script" >../out 2>../err
status=$?
cd ..
check './gsltune is the command when none is named' \
  test "$status" -eq 0 -a ! -s err

# ------------------------------------------------------- What ncu may print

for variant in older signature; do
  FAKE_NCU=$variant
  run
  check "$variant: the same figures" is "$(row neighbored)" \
    '1 neighbored 256 x 1 641.5 us 633.5 us 100% 100% 93% 100.0% 24.0 8.9% 424 GB/s 440378 (0.8%) 2.33'
done
FAKE_NCU=scaled
run
check 'a unit is heeded' is "$(row neighbored | cut -d' ' -f8,9)" '633536.0 us'
FAKE_NCU=lacking
run
check 'a metric that is not there' test "$status" -eq 0 -a \
  "$(row neighbored | cut -d' ' -f12,13,14)" = '93% - 24.0'
FAKE_NCU=unavailable
run
check 'a figure that is not there' test "$status" -eq 0 -a \
  "$(row neighbored_packed | cut -d' ' -f18)" = -

FAKE_NCU=truncated
run
check 'a row that is too short' complained neighbored \
  "line 6 of ncu's output has 22 fields instead of 23"
check 'the row says so' is "$(row neighbored)" '1 neighbored failed'
check 'the others are tried' is "$(wc -l <canned/launched | tr -d ' ')" 3
FAKE_NCU=unbalanced
run
check 'quotes that do not close' complained interleaved \
  "line 6 of ncu's output is no CSV"
FAKE_NCU=words
run
check 'a word for a number' complained neighbored \
  "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio is 'much', which is no number"
FAKE_NCU=furlongs
run
check 'an unknown unit' complained neighbored \
  "gpu__time_duration.sum is in 'fortnight', an unknown unit"
FAKE_NCU=nothing
run
check 'no launch was profiled' complained neighbored \
  "ncu's output has no row of column names"
FAKE_NCU=failing
run
check 'ncu fails' complained neighbored \
  'ncu failed: Failed to initialize the profiler'
FAKE_NCU=
cp canned/ncu-neighbored.csv canned/ncu-interleaved.csv
run
check 'another kernel was profiled' complained interleaved \
  'ncu profiled no launch of sum_interleaved_u32'
cp "$data/ncu-interleaved.csv" canned

# ----------------------------------------------------- What cannot be done

FAKE_NCU=permission
run
check 'counters are denied: exit status 77 at once' test "$status" -eq 77 -a \
  ! -s out -a "$(wc -l <canned/launched | tr -d ' ')" -eq 1
check 'counters are denied: what to do' grep -q \
  'ERR_NVGPUCTRPERM.*root.*NVreg_RestrictProfilingToAdminUsers=0' err
FAKE_NCU=

run --ncu "$scratch/none"
check 'ncu is not where it is said to be' ended 77 \
  "ncu (Nsight Compute) was not found: --ncu names '$scratch/none', which is no command"
mkdir tools
for tool in awk cat dirname mktemp rm sed tr grep head; do
  ln -s "$(command -v $tool)" tools
done
sh=$(command -v sh)
run_without_ncu ()
{
  PATH=$scratch/tools GSLTUNE=$scratch/bin/gsltune "$sh" "$script" >out 2>err
  status=$?
}
if [ -x /usr/local/cuda/bin/ncu ] || [ -x /opt/cuda/bin/ncu ] \
   || [ -d /opt/nvidia/nsight-compute ]; then
  skip 'ncu is missing' 'it is installed in a customary folder'
else
  run_without_ncu
  check 'ncu is missing' ended 77 \
    'ncu (Nsight Compute) was not found: it comes with the CUDA Toolkit; --ncu PATH says where it is'
fi

echo '{"devices": [{"kind": "cpu"}]}' >canned/devices.json
run
check 'there is no GPU' ended 77 \
  'there is no GPU to profile: no driver: install one'
echo '{"devices": [{"kind": "cuda", "name": "G"}]' >canned/devices.json
run
check 'JSON that ends early' ended 1 \
  "what $scratch/bin/gsltune printed is no JSON: it ends too early"
echo '{"devices": [{"kind": "cuda", "name": "G"}]}' >canned/devices.json
chosen=$scratch/none
run
check 'gsltune is missing' ended 1 \
  "there is no command '$scratch/none': run this in the build folder after make, or name it with GSLTUNE=PATH"
chosen=
run --type char
check 'gsltune refuses a type: its message and status' \
  test "$status" -eq 2 -a "$(head -n 1 err)" = 'gsltune: no such type'
sed 's/"block": 256/"block": "256; rm"/' "$data/ladder.json" \
  >canned/ladder.json
run
check 'a configuration that is none is not launched' test "$status" -eq 1 -a \
  ! -e canned/launched
check 'a configuration that is none: the message' complained neighbored \
  "'gsltune ladder --json' printed no usable configuration"
echo '{"rungs": []}' >canned/ladder.json
run
check 'no rungs' ended 1 "'gsltune ladder --json' printed no rungs"

# ------------------------------------------------------------------- Usage

run --warps
check 'an unknown option' ended 2 \
  "unknown option '--warps': --help lists what there is"
run --type
check 'a missing value' ended 2 '--type needs a value: see --help'
told 'help' 0 out '^Usage: bench/profile-ladder ' --help
check 'help: every option' test "$(grep -c '^  --\{0,1\}[a-z]' out)" -eq 7

finish
