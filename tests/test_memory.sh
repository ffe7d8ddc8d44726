#!/bin/sh
# A program that calls one function holds at most 64 KiB for it, with a whole profile of this
# machine: plans, what is kept of the profile, what is known of the machine.  The library of
# the tests finds no profiles that are installed.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

source=$data/../..
case " $CC $CFLAGS " in
*-fsanitize*)
  echo '1..0 # SKIP the sanitizers have memory of their own'
  exit 0 ;;
esac
if [ ! -f "$build/tests/.libs/libgsltune.so" ]; then
  echo '1..0 # SKIP there is no shared library'
  exit 0
fi
if ! echo '#include <malloc.h>
int main (void) { return mallinfo2 ().uordblks == 0; }' >have.c \
   || ! $CC have.c -o have 2>/dev/null; then
  echo '1..0 # SKIP this C library does not say what is allocated'
  exit 0
fi

GSLTUNE_PROFILE_DIR=$scratch/profiles
GSLTUNE_DEVICE=cpu
GSLTUNE_LOG=debug
export GSLTUNE_PROFILE_DIR GSLTUNE_DEVICE GSLTUNE_LOG
mkdir profiles
silicon=$("$gsltune" explain 2>err \
          | sed -n 's|^ *environment .*/profiles/\(.*\)[.]json: .*|\1|p')
theirs=$(basename "$source"/profiles/cpu-intel-xeon-processor-16c-*.json .json)
# Without their threads, which this machine may not have.
sed "s/$theirs/$silicon/; s/ threads=[0-9]*//g" "$source/profiles/$theirs.json" \
  >"profiles/$silicon.json"
status=$?
check 'this machine has a whole profile' [ "$status" -eq 0 ]

$CC $CFLAGS -I"$source/src" -I"$build/src" $GSL_CFLAGS "$data/../one_function.c" \
  -o one_function -L"$build/tests/.libs" -lgsltune $GSL_LIBS \
  -Wl,-rpath,"$build/tests/.libs" >out 2>err
status=$?
check 'the program compiles' [ "$status" -eq 0 ]
for mode in fast exact; do
  GSLTUNE_MODE=$mode ./one_function >out 2>err
  status=$?
  bytes=$(cat out)
  check "$mode: the program runs" [ "$status" -eq 0 ]
  check "$mode: the whole profile is used" grep -q ' (environment): used$' err
  check "$mode: it holds at most 64 KiB, $bytes" [ "${bytes:-65537}" -le 65536 ]
done

finish
