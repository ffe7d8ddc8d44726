#!/bin/sh
# gsltune plot: scripts for gnuplot, pictures where there is gnuplot, and a machine
# without it.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"

profiles=$XDG_DATA_HOME/gsltune
run show --device cpu --json
silicon=$(sed -n 's/^ *"silicon": "\(.*\)",\{0,1\}$/\1/p' out | sed -n 1p)

told 'no profile' 1 err '^gsltune: no profile for .*: run .gsltune tune' plot

mkdir -p "$profiles"
tuned='gsl_ns=500000 one_reads_ns=500 all_read_ns=250'
profile "name=It's" "$(entry n=1000 $tuned)" "$(entry n=2000 $tuned)" \
  "$(crossover from=0 way=cpu)" \
  "$(crossover from=3000 way=staged percent=25 chunk_kib=4096 threads=2)" \
  >"$profiles/$silicon.json"

# ------------------------------------------------------------------- Scripts

gives 'the script alone' '' plot -o picture.gp
check 'bandwidth: 8000 bytes in 1 us' grep -qx '1000 8' picture.gp
check 'and twice as many' grep -qx '2000 16' picture.gp
check 'what can be read: twice as much' grep -qx '2000 64' picture.gp
check 'a curve for the mode' grep -q "rgb '#009e73' title 'fast'" picture.gp
check 'the crossover' grep -q 'set arrow from 3000, graph 0' picture.gp
check 'no line where the first route begins' \
  test "$(grep -c 'set arrow' picture.gp)" -eq 1

gives 'gain' '' plot gain --output gain.plt
if command -v gnuplot >/dev/null; then
  told 'characters have in the title what the ordinate is of' 0 out ": times GSL's speed *$" plot gain
fi
check 'gain: 500 times' grep -qx '1000 500' gain.plt
check 'what is slower than GSL is marked' grep -q '^set object rectangle .* first 1 behind' gain.plt
profile silicon=cpu-other-4c-4t-l1-32kib-l2-1mib-l3-32mib-sse2 name=Other \
  "$(entry n=1000 $tuned)" >another.json
gives 'a profile of another machine' '' plot gain another.json -o another.gp
check 'with its name' grep -q "^set title 'Gain over GSL of sum, double, Other'" another.gp
run plot gain --mode exact -o none.gp
check 'a mode without entries' says 1 err \
  '^gsltune: the profile has nothing about sum of contiguous elements of double:'
check 'no file then' [ ! -e none.gp ]
run plot bandwidth --type float
check 'a type without entries' says 1 err "run 'gsltune tune --operation sum --type float'"
gives 'a profile that is named' '' plot bandwidth "$profiles/$silicon.json" -o named.gp
check 'the same' cmp -s picture.gp named.gp
run plot bandwidth absent.json
check 'a file that is not there' says 1 err '^gsltune: absent.json is absent: '

cat >ladder.json <<'END'
{"device": "NVIDIA H200", "type": "int", "n": 4194304, "bandwidth_peak": 4.8e12,
 "rungs": [{"rung": 1, "kernel": "neighbored", "bandwidth": 5.1e11},
   {"rung": 2, "kernel": "recursive", "unavailable": "no device runtime"},
   {"rung": 3, "kernel": "interleaved", "bandwidth": 1.1e12}]}
END
gives 'the ladder' '' plot ladder ladder.json -o ladder.gp
check 'a bar for a rung' grep -qx '1 "neighbored" 510' ladder.gp
check 'none for one that was not measured' \
  test "$(grep -c '^[0-9] "' ladder.gp)" -eq 2
told 'the ladder needs a file' 2 err '^gsltune: plot: ladder needs a file' plot ladder
run plot ladder "$profiles/$silicon.json"
check 'a file that is no ladder' says 1 err 'not what .gsltune ladder --json. prints'
echo '{' >broken.json
run plot ladder broken.json
check 'a file that is no JSON' says 1 err '^gsltune: broken.json: line 2: '

# ---------------------------------------------------------- All measurements

told 'no measurements' 1 err \
  "^gsltune: .*measurements.jsonl has no measurements of that: run 'gsltune tune --effort exhaustive" \
  plot sweep
"$gsltune" tune --effort exhaustive --device cpu --operation sum --type int \
  --length 1000 >out 2>err
status=$?
check 'all measurements of one problem' test "$status" -eq 0
gives 'the sweep' '' plot sweep --type int -o sweep.gp
check 'the best one has its name' grep -q "^set title .*'best: [a-z]" sweep.gp
check 'one candidate is the best' grep -q '^[01]\.[0-9]* 100.00$' sweep.gp
sed 's/"kernel":"grid_stride"\(,[^}]*"unroll":4\)/"kernel":"cluster"\1/' \
  "$data/fuzz/measurements/usual-gpu" >two.jsonl
gives 'two kernels' '' plot sweep two.jsonl -o two.gp
check 'each is a shape' is \
  "$(grep -c "^ *NaN with points pt [75] lc rgb 'black' title '[cg]" two.gp)" 2
check 'and has its points' is \
  "$(grep -c '^ *\$series[0-9]*_1 with points pt 5 ' two.gp)" 1
run plot sweep "$data/fuzz/measurements/usual-gpu" -o one.gp
check 'a legend of one kernel has no kernels' is \
  "$(grep -c "^ *NaN with points .* 'black'" one.gp)" 0
run plot sweep --type int --length 999
check 'a length that was not measured' says 1 err \
  "has no measurements of that: run 'gsltune tune --effort exhaustive --operation sum --type int'"
run plot occupancy --type int -o occupancy.gp
check 'a CPU has no occupancy' failed 1 'a CPU has no occupancy: give --device cuda'
check 'and no picture of it' [ ! -e occupancy.gp ]

# ---------------------------------------------------------------- Of a GPU

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(dirname "$data")/devices/gtx-970.json
  SOFTGPU_MEMORY=1000000
  export SOFTGPU_DEVICE SOFTGPU_MEMORY
  "$gsltune" tune --effort quick --time-limit 300 --device cuda \
    --operation sum --type int --length 1024 >out 2>err
  status=$?
  check 'a profile of a GPU' test "$status" -eq 0
  gives 'its bandwidth' '' plot bandwidth --device cuda --type int -o gpu.gp
  check 'below the memory, in theory' grep -q '^  [0-9.]* with lines .*in theory' gpu.gp
  fails 'GSL has no times there' 1 "a GPU's profile has no times of GSL,\
 which computes on the CPU: give --device cpu" plot gain --device cuda --type int
else
  skip 'a GPU' 'built without CUDA'
fi

# A file that somebody sends cannot command gnuplot, which runs programs.
cat >sent.json <<'EOF'
{"device": "It's\u001b\nsystem('touch ran')", "type": "int", "n": 5, "rungs": [
  {"rung": 1, "kernel": "a\"\nEOD\nsystem('touch ran')\n$x << EOD\n", "bandwidth": 1e9}]}
EOF
run plot ladder sent.json -o sent.gp
check 'a name with new lines' is "$(grep -c -e '^EOD$' -e '^system' sent.gp)" 1
check 'it is data' grep -qx \
  '1 "a??EOD?system??touch ran????x ?? EOD?" 1' sent.gp
check 'a title without control characters' is "$(tr -d '\n -~' <sent.gp | wc -c)" 0
run plot ladder sent.json -o sent.txt
check 'nothing was run' [ ! -e ran ]

# --------------------------------------------------------------- Usage

fails 'another picture' 2 "plot: unknown picture 'circle': valid pictures\
 are bandwidth, gain, sweep, occupancy, ladder" plot circle
run plot -o picture.jpg
check 'another format' failed 2 "plot: --output 'picture.jpg': the name must end\
 with .svg, .png, .pdf, .txt (characters) or .gp (the script of gnuplot)"
told 'too many words' 2 err 'too many arguments' plot gain a b

# --------------------------------------------------------------- gnuplot

mkdir empty
for tool in sh env; do
  ln -s "$(command -v $tool)" empty/
done
PATH=$scratch/empty run plot -o sub.d.svg
check 'without gnuplot: the script is left' failed 1 "there is no gnuplot in PATH,\
 which draws: the script is in sub.d.gp; where gnuplot is installed, 'gnuplot\
 sub.d.gp' makes sub.d.svg"
check 'it draws the picture' grep -qx 'set output "sub.d.svg"' sub.d.gp
PATH=$scratch/empty run plot -o '|touch ran; a`touch ran`"
.svg'
check 'nor is its name a command' grep -qxF \
  'set output "./\174touch\040ran\073\040a\140touch\040ran\140\042\012.svg"' \
  '|touch ran; a`touch ran`"
.gp'
PATH=$scratch/empty run plot
check 'without gnuplot and a file' failed 1 "there is no gnuplot in PATH, which\
 draws: install it, or write the script with --output FILE.gp"

# What stands for gnuplot: it writes what it read.
mkdir bin
printf '#!/bin/sh\ncat\n' >bin/gnuplot
chmod +x bin/gnuplot
# drawn FILE: the picture is in it, and nowhere else.
drawn ()
{
  find . -type f >before
  PATH=$scratch/bin:$PATH run plot -o "$1"
  find . -type f | grep -vxF -f before >after
  succeeded '' && grep -q '^set terminal' "$1" && ! grep -q '^set output' "$1" \
    && is "$(cat after)" "./$1"
}
: >after
check 'a picture' drawn a.svg
check 'a name that gnuplot would run' drawn '|touch ran.svg'
check 'a name with a tab' drawn "$(printf 'a\tb.svg')"
check 'a name with a new line' drawn 'a
b.svg'
check 'a name with quotes' drawn "it's \"a\".png"
check 'nothing was run' [ ! -e ran ]
PATH=$scratch/bin:$PATH run plot -o none/a.svg
check 'a file that cannot be written' failed 1 \
  'none/a.svg cannot be written: No such file or directory'
if [ -c /dev/full ]; then
  PATH=$scratch/bin:$PATH "$gsltune" plot >/dev/full 2>err
  status=$?
  : >out
  check 'standard output that is full' failed 1 \
    'cannot write to standard output: No space left on device'
else
  skip 'standard output that is full' 'there is no /dev/full'
fi
printf '#!/bin/sh\necho half\nexit 1\n' >bin/gnuplot
PATH=$scratch/bin:$PATH run plot -o half.svg
check 'gnuplot fails' says 1 err '^gsltune: gnuplot failed: '
check 'and leaves no picture' [ ! -e half.svg ]

if ! command -v gnuplot >/dev/null 2>&1; then
  skip 'pictures' 'there is no gnuplot'
  finish
fi
# draws FILE FIRST: a picture whose first bytes are these.
draws ()
{
  run plot bandwidth --output "$1"
  succeeded '' && head -c 64 "$1" | grep -aq "$2"
}
check 'svg' draws a.svg '<?xml\|<svg'
if gnuplot -e 'set terminal pngcairo; set terminal pdfcairo' 2>/dev/null; then
  check 'png' draws "it's a.PNG" PNG
  check 'pdf' draws a.pdf '%PDF'
else
  skip 'png, pdf' 'this gnuplot has no cairo'
fi
check 'characters' draws a.txt '.'
told 'characters on standard output' 0 out '^ *elements *$' plot
check 'no superscripts there' says 0 out '2^10'
check 'a grid of dots, of which no curve is' says 0 out '\.\.\.\.\.\.'
told 'the ladder in characters' 0 out 'The reduction ladder' plot ladder ladder.json

finish
