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

list '= good' 'breaks: it' 'tests: test_one' '@ src/numbers' ' ' '-two' '+three'
check 'one that applies' [ "$status $(cat out)" = '0 1 faults, 1 apply' ]
list '= good' 'breaks: it' 'tests: test_two' '@ src/numbers' '-one'
check 'a test that is not there' [ $status -eq 1 ]
list '= stale' 'breaks: it' 'tests: test_one' '@ src/numbers' '-four' '+five'
check 'lines that are gone' grep -q 'stale: its lines occur 0 times' err
list '= vague' 'breaks: it' 'tests: test_one' '@ src/numbers' '-two' '+five'
check 'lines that occur twice' grep -q 'vague: its lines occur 2 times' err
list '= short' 'tests: test_one' '@ src/numbers' '-one'
check 'nothing said of it' [ $status -eq 1 ]
list '= twice' 'breaks: it' 'tests: test_one' '@ src/numbers' '-one' \
  '= twice' 'breaks: it' 'tests: test_one' '@ src/numbers' '-one'
check 'a name that was given' grep -q "'twice' is no new name" err
mutate --check other
check 'a name that nobody has' grep -q "there is no fault 'other'" err
mutate --build tree
check 'no build' [ $status -eq 2 ]

finish
