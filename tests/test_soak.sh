#!/bin/sh
# Some rounds of `make check-soak', always the same ones.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

# AddressSanitizer keeps what is freed.
mib=24
case $CFLAGS in
  *-fsanitize=*) mib=1024 ;;
esac
timeout 300 "$build/tests/soak" -n 30 -s 1 -m $mib >out 2>err
status=$?
sed 's/^/# /' out err
all_right ()
{
  [ "$status" -eq 0 ] && [ ! -s err ] && grep -q '^answers checked: [1-9]' out \
    && grep -q '^[1-9][0-9]* looks at what is held' out
}
check 'random functions of random elements' all_right

finish
