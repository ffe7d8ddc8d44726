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

# What it says of lists, in a small tree of its own.
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
END

# says_of MESSAGE LINE...: the message of a list of these lines.
says_of ()
{
  message=$1
  shift
  printf '%s\n' "$@" >tree/tests/mutations/small.faults
  mutate --check
  cat err >>out
  check "$message: $*" grep -q -e "$message" out
}
for change in 'one: it {{two + 1 => two}}' 'src/numbers.c one: it {{return => return -}}' \
  'THREE: it {{+ 3 => + 4}}' 'NAMED (four): it {{x + y => x - y}}' 'table: it {{5, =>}}' \
  'src/numbers.c: it {{two + 1 => 2}}'; do
  says_of '^1 faults, 1 apply' '@ test_one' "= good: $change"
done
says_of 'what becomes what' '@ test_one' '= wrong: one: it'
says_of 'stale: eight is gone' '@ test_one' '= stale: eight: it {{8 => 9}}'
says_of 'stale: its text occurs 0 times in one' '@ test_one' '= stale: one: it {{8 => 9}}'
says_of 'vague: its text occurs 2 times in' '@ test_one' '= vague: src/numbers.c: it {{return => break}}'
says_of 'none: needs tests' '= none: table: it {{5 => 6}}'
says_of "'twice' is no new name" '@ test_one' '= twice: table: it {{5 => 6}}' '= twice: table: it {{5 => 7}}'
says_of 'there is no test_two' '@ test_two' '= good: table: it {{5 => 6}}'

# A build of that tree, whose test notices that a word is gone.
: >tree/gsltune
: >tree/tests/json_get
chmod +x tree/gsltune tree/tests/json_get
cat >tree/Makefile <<'END'
srcdir = .
tests/test_one: src/numbers.c
	! grep refused src/numbers.c
	cp src/numbers.c $@
tests/test_one.log: tests/test_one
	if grep 'two + 1' tests/test_one; then echo PASS; else echo FAIL; fi \
	  | sed 's/^/:global-test-result: /' >tests/test_one.trs
	cp tests/test_one.trs $@
END
cat >tree/tests/mutations/small.faults <<'END'
@ test_one
= fails-to-build: table: it {{5 => refused}}
= unseen: THREE: it {{3 => 4}}
= seen: one: it {{1 => 2}}
= explained: THREE: it {{3 => 5}}
unnoticed: it is the same
END
(cd tree && env -u MAKEFLAGS -u MAKELEVEL make -s tests/test_one) >out 2>&1
TMPDIR=$PWD tree/tests/mutate --build tree >out 2>err
status=$?
check 'what is said of each' is "$status $(sed 's/  .*//' out | LC_ALL=C sort)" "$(printf '%s\n' \
  '1 4 faults: 1 noticed, 1 unnoticed and explained, 1 UNNOTICED,'\
' 0 do not apply, 1 do not build, 0 not judged' UNNOTICED 'does not build' explained noticed)"
check 'no copies are left' [ "$(ls -d gsltune-mutate.* 2>/dev/null)" = '' ]

finish
