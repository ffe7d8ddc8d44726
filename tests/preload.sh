# For the shell tests of what `gsltune run' preloads, which source this file after
# tests/tap.sh.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

folder=$(dirname "$gsltune")/.libs
object=$folder/gsltune-preload.so
sources=$data/../preload
CC=${CC:-cc}
NM=${NM:-nm}
unset LD_PRELOAD GSLTUNE_PRELOAD

# Where the object was built with AddressSanitizer, its runtime has to be there first:
# in programs that were not built with it by being preloaded too.
sanitizer=
if $NM -D "$object" | grep -q ' __asan_init$'; then
  sanitizer=$($CC -print-file-name=libasan.so)
  ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
  export ASAN_OPTIONS
fi

# compiled FILE ARGUMENT...: builds it; a program of nobody's sanitizer.
compiled ()
{
  made=$1
  shift
  # shellcheck disable=SC2086 # commands may have options
  $CC -g -O1 -I"$data/../.." -I"$build/src" $GSL_CFLAGS "$@" -o "$made" >out 2>err
}

# preloaded OBJECT COMMAND...: runs it with OBJECT, set by hand.
preloaded ()
{
  with=$1
  shift
  LD_PRELOAD=${sanitizer:+$sanitizer:}$with "$@" >out 2>err
  status=$?
}

# tuned ARGUMENT...: gsltune run ARGUMENT...
tuned ()
{
  LD_PRELOAD=$sanitizer "$gsltune" run "$@" >out 2>err
  status=$?
}
