#!/bin/sh
# The model of the pool finds what it is there to find: faults planted in the text
# of the pool, one at a time.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

case " $CFLAGS " in
*-fsanitize=*)
  echo '1..0 # SKIP a sanitizer watches the stacks that the model copies'
  exit 0
  ;;
esac

# model POOL PARTS: what the model of these two texts says.
model ()
{
  # shellcheck disable=SC2086 # several words
  ${CC:-cc} -std=gnu11 -O1 -DHAVE_CONFIG_H -I"$builddir" -I"$srcdir" \
    -DPOOL_TEXT="\"$1\"" -DPARTS_TEXT="\"$2\"" -o model \
    "$srcdir/tests/test_pool_model.c" "$srcdir/tests/interleave.c" -pthread \
    >compiled 2>&1 || return 2
  ./model first >out 2>err
}

# finds FAULT SED [WHAT]: a text of the pool in which SED has planted FAULT is not
# found right, but WHAT, an extended regular expression.
finds ()
{
  sed "$2" "$srcdir/src/cpu/threads.c" >threads.c
  sed "$2" "$srcdir/src/cpu/parts.c" >parts.c
  if cmp -s threads.c "$srcdir/src/cpu/threads.c" \
    && cmp -s parts.c "$srcdir/src/cpu/parts.c"; then
    check "the place for a fault is there: $1" false
    return
  fi
  model "$PWD/threads.c" "$PWD/parts.c"
  status=$?
  check "$1" said_wrong "${3:-.}"
}

said_wrong ()
{
  [ "$status" -eq 1 ] && grep -Eq "^not ok .*: ($1)" out
}

finds 'one who is called is not woken' \
  '/change (w, CALLED, OFFERED)/,/woken++/s/sem_post (&w->bell);//'
finds 'one who sleeps is withdrawn as if awake' \
  's/state == OFFERED ? IDLE : ASLEEP/IDLE/'
finds 'a member is not waited for' \
  's/watch (&w->state, BEGUN, &w->cpu) == BEGUN/0/' \
  '.*the caller (returns|has returned)'
finds 'the end of a member and the wait for it are not one step' \
  's/&& change (w, BEGUN, AWAITED))/\&\& (atomic_store (\&w->state, AWAITED), 1))/'
finds 'a member looks whether it is waited for, and then ends' \
  's/if (atomic_exchange (&w->state, IDLE) == AWAITED)/unsigned s = atomic_load (\&w->state); atomic_store (\&w->state, IDLE); if (s == AWAITED)/'
finds 'one lies down without looking' \
  's/if (change (w, IDLE, ASLEEP))/atomic_store (\&w->state, ASLEEP);/'
finds 'two have the pool' \
  's/if (atomic_exchange (&pool.taken, 1) == 0)/atomic_store (\&pool.taken, 1);/'
finds 'those who sleep are not told to leave' \
  's/LEAVE) == ASLEEP)/LEAVE) == BEGUN)/'
finds 'a piece is claimed in two steps' \
  '/atomic_fetch_add_explicit (count, 1,/{N
s/.*/size_t k = atomic_load (count); atomic_store (count, k + 1);/;}' \
  'a piece is summed twice'

finish
