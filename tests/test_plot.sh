#!/bin/sh
# gsltune plot: data and scripts, and what gnuplot makes of them.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
. "$data/../profile.sh"

profiles=$XDG_DATA_HOME/gsltune
run show --device cpu --json
silicon=$(sed -n 's/^ *"silicon": "\(.*\)",\{0,1\}$/\1/p' out | sed -n 1p)

told 'no profile' 1 err '^gsltune: no profile for .*: run .gsltune tune' plot

mkdir -p "$profiles"
tuned='gsl_ps=500000000'
profile "name=It's" "$(entry n=1000 $tuned)" "$(entry n=2000 $tuned)" \
  "$(entry n=2000 mode=exact kernel=exact unroll=1 call_ps=2000000 gsl_ps=4000000)" \
  >"$profiles/$silicon.json"

# script ARGUMENT...: keeps what plot prints in the file script.
script ()
{
  run plot "$@"
  cp out script
  [ "$status" -eq 0 ] && [ ! -s err ]
}
check 'bandwidth' script
check 'of 8000 bytes in 1 us, by GSL in 500 us' grep -qx '1000 8 0.016' script
check 'and twice as many' grep -qx '2000 16 0.032' script
check 'a call of the function' grep -qx '2000 8 4' script
check 'the data of two modes' is "$(grep -c '^END$' script)" 2
check 'the title' grep -qx \
  "set title 'sum of double, It''s' noenhanced" script
check 'a curve for each mode' is "$(sed -n '/^plot/,$p' script)" \
'plot $fast using 1:2 with linespoints title '"'fast'"', '\
'$exact using 1:2 with linespoints title '"'exact'"', \
  $fast using 1:3 with linespoints title '"'GSL'"
cp script drawn

profile 'name=a\u001b\n!touch ran' "$(entry n=1000 $tuned)" >"$profiles/$silicon.json"
run plot
check 'a name is no command' is "$(grep -c '^!' out)" 0
told 'a type without winners' 1 err \
  "^gsltune: nothing was measured here about sum of .* run 'gsltune tune --operation sum --type float'" \
  plot --type float
check 'no script of it' [ ! -s out ]

# ---------------------------------------------------------------- Of a GPU

if [ -n "$softgpu" ]; then
  SOFTGPU_DEVICE=$(dirname "$data")/devices/gtx-970.json
  SOFTGPU_MEMORY=1000000
  export SOFTGPU_DEVICE SOFTGPU_MEMORY
  "$gsltune" tune --effort quick --time-limit 300 --device cuda \
    --operation sum --type int --length 1024 >out 2>err
  status=$?
  check 'a profile of a GPU' test "$status" -eq 0
  check 'its bandwidth' script --device cuda --type int
  check 'below the memory, in theory' grep -q '^  [0-9.]* with lines .*in theory' script
else
  skip 'a GPU' 'built without CUDA'
fi

# --------------------------------------------------------------- Usage

fails 'an argument' 2 "plot: unexpected argument 'gain': plot takes options only" plot gain

# --------------------------------------------------------------- gnuplot

if command -v gnuplot >/dev/null 2>&1; then
  { echo 'set terminal dumb size 79,30'; cat drawn; } | gnuplot >out 2>err
  status=$?
  check 'gnuplot draws it' says 0 out "sum of double, It's"
  check 'without a word' [ ! -s err ]
else
  skip 'gnuplot' 'there is none'
fi

finish
