#!/bin/sh
# bench/gpu-session, in a source folder whose configure and whose make say what
# they were asked for: which steps run, what is told of them, and the summary.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"
# The session that these tests may be part of.
unset GPU_SESSION_STEP

mkdir -p source/bench bin
cp "$data/../../bench/gpu-session" source/bench/
chmod +x source/bench/gpu-session
PATH=$scratch/bin:$PATH
export PATH

# stub NAME: standard input is its body.
stub ()
{
  { echo '#!/bin/sh'; cat; } >"$1"
  chmod +x "$1"
}
stub source/configure <<'END'
echo "configure $*"
mkdir -p tests
printf '#!/bin/sh\necho tuned; mkdir -p $XDG_DATA_HOME/gsltune; \
echo {} >$XDG_DATA_HOME/gsltune/made-up.json\n' >gsltune
printf '#!/bin/sh\nshift; exec "$@"\n' >libtool
chmod +x gsltune libtool
END
stub bin/make <<'END'
echo "make $*, GPU required: ${GSLTUNE_TEST_REQUIRE_GPU:-no}"
case "$*" in
  *device*)
    echo '- bar: device double: at least: reached 1.1 at n = 2^10'
    echo '- bar: device float: at least: MISSED 0.9 at n = 2^10' ;;
  *systems*)
    echo '- bar: host: at 2^24: not measured' ;;
  *check-faults*) [ -z "${SLOWLY:-}" ] || sleep 60 ;;
  *random*) echo 'a problem fails'; exit 3 ;;
esac
END
stub bin/compute-sanitizer <<'END'
echo "sanitizer $*"
case "$*" in *test_gpu_routes*) exit 9 ;; esac
END

session ()
{
  source/bench/gpu-session "$@" >out 2>err
  status=$?
}
# log STEP PATTERN
log ()
{
  grep -q -e "$2" "logs/$1.log"
}

session --only build,check --jobs 3 --arch 90 --configure CC=made-up logs
check 'the steps asked for' test "$status" -eq 0 -a ! -s err \
  -a "$(cd logs && echo *.log)" = 'build.log check.log'
check 'tests need the GPU' log check '^make -j3 check, GPU required: 1$'
check 'how each went' says 0 out '^gpu-session: check: ok (0*[0-9]* s)$'
session --skip build,check --jobs 3 logs
check 'a step that fails' says 1 out \
  '^gpu-session: bench-random: failed, status 3 '
check 'why' says 1 out '^ a problem fails$'
check 'the profile is kept' [ -s logs/profiles/made-up.json ]
check 'how many bars' says 1 out \
  '^Bars: 1 reached, 1 missed, 1 not measured$'
check 'the bars' says 1 out '^- bar: device float: at least: MISSED 0.9 at'
check 'a sanitizer that finds something' says 1 out \
  '^- memcheck: failed, status 1 '
# The sanitizer is given programs, tests and rungs that there are; the rung is
# left out of those who launch rungs.
named ()
{
  sources=$data/../..
  cat logs/*check.log | sed -n 's/^== //p' >given
  [ -s given ] || return
  while read -r _ program test rung; do
    source=$sources/tests/$program.c
    [ -f "$source" ] || return
    headers=$(sed -n 's/^#include "\(tests\/gpu_[a-z_]*[.]h\)"/\1/p' "$source" \
      | sed "s|^|$sources/|")
    # shellcheck disable=SC2086 # names of files
    [ -z "$test" ] || grep -qE "^(TEST|SCENARIO) \($test\)" "$source" $headers || return
    [ -z "$rung" ] || grep -q "^RUNG ($rung," "$sources/kernels/ladder/ladder.def" \
      || return
    [ -z "$rung" ] || grep -q find_rungs "$source" || return
  done <given
}
check 'programs, tests and rungs that there are' named
check 'the summary has the steps of the call before' says 1 out '^- build: ok'

session --only memcheck --tests test_gpu_exact logs
check 'given programs alone' test "$status" -eq 0 \
  -a "$(grep -c '^== ' logs/memcheck.log)" -eq 1
SLOWLY=1 session --only faults --timeout 1 logs
check 'a step out of time' says 1 out \
  '^gpu-session: faults: out of time, after 1 s'

session
check 'no folder' says 2 err '^gpu-session: no folder'
session --only made-up logs
check 'an unknown step' says 2 err "unknown step 'made-up'"
session --help
check 'help' says 0 out '^Usage: bench/gpu-session '
finish
