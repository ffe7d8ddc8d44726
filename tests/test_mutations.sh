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
mkdir -p tree/tests/mutations tree/src tree/kernels tree/tuning
cp "$top/tests/mutate" tree/tests/
cp "$top/tests/mutations/faults.awk" tree/tests/mutations/
top=tree
: >tree/tests/test_one.c
cat >tree/src/numbers.c <<'END'
static int
one (int two)
{
  return two + 1;
}

#define THREE(x) \
  ((x) + 3)

int
NAMED (four) (int x,
              int y)
{
  return x
         + y;
}

static const int table[] = {
  5,
};

struct six
{
  int of;
};
END
printf 'static int\none (void)\n{\n  return 7;\n}\n' >tree/src/others.inc
echo 'static int one (int two);' >tree/src/numbers.h

# list TEXT...: a line of the list each.
list ()
{
  printf '%s\n' "$@" >tree/tests/mutations/small.faults
  mutate --check
}

# applies TEXT FUNCTION CHANGE: that change in that function.
applies ()
{
  list '@ test_one' "= good: $2: it {{$3}}"
  check "$1" is "$status $(cat out)" '0 1 faults, 1 apply'
}
applies 'in a function' one 'two + 1 => two'
applies 'in one of two functions of a name' one '7 => 8'
applies 'in one that a file names' 'src/others.inc one' 'return => return -'
applies 'in a macro' THREE '+ 3 => + 4'
applies 'in a template, across lines' 'NAMED (four)' 'x + y => x - y'
applies 'in a table' table '5, =>'
applies 'in a type' six 'int => long'
applies 'in a file' src/others.inc '7 => 8'
list '@ test_one' '= good: one: it' '  {{two' '  + 1 => two}}' 'unnoticed: it is' '  the same'
check 'in several lines' is "$status $(cat out)" '0 1 faults, 1 apply'

# is_told TEXT MESSAGE LINE...: the message of a list of these lines.
is_told ()
{
  is_told_text=$1 message=$2
  shift 2
  list "$@"
  check "$is_told_text" says 1 err "$message"
}
is_told 'without marks' 'what becomes what' '@ test_one' '= wrong: one: it'
is_told 'a function that is gone' 'stale: eight is gone' '@ test_one' '= stale: eight: it {{8 => 9}}'
is_told 'text that is gone' 'stale: its text occurs 0 times in one' '@ test_one' \
  '= stale: one: it {{8 => 9}}'
is_told 'text that occurs twice' 'vague: its text occurs 2 times in one' '@ test_one' \
  '= vague: one: it {{return => break}}'
is_told 'text that changes nothing' 'empty: it changes nothing' '@ test_one' \
  '= empty: table: it {{5 => 5}}'
is_told 'no tests' 'none: needs tests' '= none: table: it {{5 => 6}}'
is_told 'a name that was given' "'twice' is no new name" '@ test_one' \
  '= twice: table: it {{5 => 6}}' '= twice: table: it {{5 => 7}}'
list '@ test_two' '= good: table: it {{5 => 6}}'
check 'a test that is not there' [ $status -eq 1 ]
list 'slow: test_two' '@ test_one' '= good: table: it {{5 => 6}}'
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
kernels/cpu/libgsltune_la-plain.lo: kernels/cpu/plain.c kernels/words.h
	cp kernels/words.h $@
kernels/cpu/other.avx2.lo: kernels/cpu/other.cc
	cp kernels/cpu/other.cc $@
tests/test_one: src/numbers.c kernels/cpu/libgsltune_la-plain.lo kernels/cpu/other.avx2.lo
	rm -f src/object
	! grep refused src/numbers.c
	cp src/numbers.c src/object
	cp "$$(command -v sleep)" $@
tests/test_one.log: tests/test_one
	if grep running src/object; then tests/test_one 600 & fi
	if grep two src/object && grep six kernels/cpu/libgsltune_la-plain.lo \
	  && grep eight kernels/cpu/other.avx2.lo; then echo PASS; else echo FAIL; fi \
	  | sed 's/^/:global-test-result: /' >tests/test_one.trs
	cp tests/test_one.trs $@
END

printf 'one ()\n{\n  two three\n}\n' >tree/src/numbers.c
rm tree/src/*.inc
printf '#define SIX six\n' >tree/kernels/words.h
echo '#include "kernels/words.h"' >tree/kernels/cpu/plain.c
printf 'other ()\n{\n  eight\n}\n' >tree/kernels/cpu/other.cc
cat >tree/tests/mutations/small.faults <<'END'
@ test_one
= leaves-a-process: one: it {{two => running}}
= fails-to-build: one: it {{three => refused}}
= unseen: one: it {{three => four}}
= seen: one: it {{two => zero}}
= explained: one: it {{three => five}}
unnoticed: it is the same
= in-a-header: SIX: it {{six => seven}}
= in-another-language: other: it {{eight => nine}}
END
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
