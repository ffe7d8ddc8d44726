#!/bin/sh
# The planted faults of tests/mutations: each still applies to the sources, and names
# tests that there are.  tests/mutate, which plants them, is no part of make check.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

top=$(dirname "$(dirname "$data")")

mutate ()
{
  "$top/tests/mutate" "$@" >out 2>err
  status=$?
}

mutate --check
check 'every fault applies' [ $status -eq 0 ]

# What it says of lists that are wrong, in a small tree of its own.
mkdir -p tree/tests/mutations tree/src
cp "$top/tests/mutate" tree/tests/
cp "$top/tests/mutations/faults.awk" tree/tests/mutations/
top=tree
: >tree/tests/test_one.c
printf 'one\ntwo\n\ntwo\nthree\n' >tree/src/numbers

# list TEXT...: a line of the list each.
list ()
{
  printf '%s\n' "$@" >tree/tests/mutations/small.faults
  mutate --check
}

list '@ src/numbers: test_one' '= good: it' '- two   two' '+ two' '+ three'
check 'one that applies' [ "$status $(cat out)" = '0 1 faults, 1 apply' ]
list '@ src/numbers: test_one' '= good: it' '~ t{{w => hre}}o two'
check 'one in one line' [ "$status $(cat out)" = '0 1 faults, 1 apply' ]
list '@ src/numbers: test_one' '= wrong: it' '~ two => three'
check 'without marks' grep -q 'what becomes what' err
list '@ src/numbers: test_two' '= good: it' '- one'
check 'a test that is not there' [ $status -eq 1 ]
list '@ src/numbers: test_one' '= stale: it' '- four' '+ five'
check 'lines that are gone' grep -q 'stale: its lines occur 0 times' err
list '@ src/numbers: test_one' '= vague: it' '- two' '+ five'
check 'lines that occur twice' grep -q 'vague: its lines occur 2 times' err
list '@ src/numbers: test_one' '= empty: it' '- one' '- two' '+ one two'
check 'lines that change nothing' grep -q 'empty: its lines change nothing' err
check 'which is no fault' [ $status -eq 1 ]
list '@ src/numbers: test_one' '= short' '- one'
check 'nothing said of it' [ $status -eq 1 ]
list '@ src/numbers: test_one' '= twice: it' '- one' '= twice: it' '- three'
check 'a name that was given' grep -q "'twice' is no new name" err
list 'slow: test_two' '@ src/numbers: test_one' '= good: it' '- one'
check 'a slow test that is not there' [ $status -eq 1 ]
mutate --check other
check 'a name that nobody has' grep -q "there is no fault 'other'" err
mutate --build tree
check 'no build' [ $status -eq 2 ]

# ----------------------------------------------------------- Faults are planted

# A build of that tree.  Its test is a program that may go on running, which keeps its
# file busy; a build that fails has removed an object.  Objects of kernels are made of
# a header and of C++.
mkdir -p tree/kernels/cpu tree/tests/softgpu
: >tree/gsltune
: >tree/tests/json_get
chmod +x tree/gsltune tree/tests/json_get
cat >tree/Makefile <<'END'
srcdir = .
kernels/cpu/plain.lo: kernels/cpu/plain.c kernels/words.h
	cp kernels/words.h $@
kernels/cpu/other.avx2.lo: kernels/cpu/other.cc
	cp kernels/cpu/other.cc $@
tests/test_one: src/numbers kernels/cpu/plain.lo kernels/cpu/other.avx2.lo
	rm -f src/object
	! grep refused src/numbers
	cp src/numbers src/object
	cp "$$(command -v sleep)" $@
tests/test_one.log: tests/test_one
	if grep running src/object; then tests/test_one 600 & fi
	if grep two src/object && grep six kernels/cpu/plain.lo \
	  && grep eight kernels/cpu/other.avx2.lo; then echo PASS; else echo FAIL; fi \
	  | sed 's/^/:global-test-result: /' >tests/test_one.trs
	cp tests/test_one.trs $@
END

# fault NAME OLD NEW [LINE]: a fault of a list, with another line.
fault ()
{
  printf '%s\n' "= $1: it" ${4:+"$4"} "- $2" "+ $3"
}
printf 'one\ntwo\nthree\n' >tree/src/numbers
echo 'six' >tree/kernels/words.h
echo '#include "kernels/words.h"' >tree/kernels/cpu/plain.c
echo 'eight' >tree/kernels/cpu/other.cc
{
  echo '@ src/numbers: test_one'
  fault leaves-a-process two running
  fault fails-to-build three refused
  fault unseen one four
  fault seen two zero
  fault explained one five 'unnoticed: it is the same'
  echo '@ kernels/words.h: test_one'
  fault in-a-header six seven
  echo '@ kernels/cpu/other.cc: test_one'
  fault in-another-language eight nine
} >tree/tests/mutations/small.faults
(cd tree && env -u MAKEFLAGS -u MAKELEVEL make -s tests/test_one) >out 2>&1
TMPDIR=$PWD tree/tests/mutate --build tree >out 2>err
status=$?
sed 's/  .*//' out | LC_ALL=C sort >judged
check 'what is said of each' is "$(cat judged)" "$(printf '%s\n' \
  '7 faults: 4 noticed, 1 unnoticed and explained, 1 UNNOTICED,'\
' 0 do not apply, 1 do not build, 0 not judged' \
  UNNOTICED 'does not build' explained noticed noticed noticed noticed)"
check 'not all are noticed' [ $status -eq 1 ]
check 'nothing is complained of' [ ! -s err ]
check 'no copies are left' [ "$(ls -d gsltune-mutate.* 2>/dev/null)" = '' ]
runs ()
{
  ls -l /proc/[0-9]*/exe 2>/dev/null | grep -F "$PWD/gsltune-mutate."
}
check 'and no processes' [ "$(runs)" = '' ]
TMPDIR=$PWD tree/tests/mutate --build tree leaves-a-process seen explained >out 2>err
status=$?
check 'all are noticed or explained' [ $status -eq 0 ]

finish
