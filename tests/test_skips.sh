#!/bin/sh
# A test that is skipped prints "ok N - NAME # SKIP why", in programs and in scripts, and
# does not count as a failure.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

tests=$(dirname "$data")

"$build/tests/skips" >out 2>err
status=$?
check 'a program' succeeded "$(printf '%s\n' 1..3 'ok 1 - passes' \
  'ok 2 - is_skipped # SKIP nothing to test here' 'ok 3 - passes_too' '# ok - tests')"
sh "$tests/../build-aux/tap-driver.sh" --test-name skips --log-file log \
  --trs-file trs --color-tests no --enable-hard-errors yes --expect-failure no \
  -- "$build/tests/skips" >out 2>err
check 'it counts as skipped' is "$(sed -n 's/^:test-result: //p' trs | sed 's/ .*//' \
  | tr '\n' ' ')$(sed -n 's/^:global-test-result: //p' trs)" 'PASS SKIP PASS PASS'

# cmocka's skip () prints "not ok".  tests/unit.h alone includes cmocka, and hides it.
(cd "$tests" && grep -l 'cmocka[.]h' -r . --include='*.[ch]*' --include='*.inc') >out
check 'one file includes cmocka' is "$(cat out)" ./unit.h
(cd "$tests" && grep -n '\<_skip *(\|\<skip *(' -r . --include='*.[ch]*' \
   --include='*.inc' | grep -v '^./unit.h:') >out
check 'no program calls its skip ()' is "$(cat out)" ''
(cd "$tests" && grep -n 'not ok.*SKI[P]' -r . --include='*.sh' --include='*.c' \
   | grep -v '^./test_skips') >out
check 'nothing prints a skipped test as not ok' is "$(cat out)" ''

finish
