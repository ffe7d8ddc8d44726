#!/bin/sh
# Fences of the kernels, which no run on a CPU can miss: the soft GPU runs one block
# after the other and does not see their stores.  So they are looked for in the text.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

kernels=$data/../../kernels/cuda

# follows FILE TEXT: the words of TEXT are in FILE, whatever blanks are between.
follows ()
{
  tr -s ' \t\n' ' ' <"$kernels/$1" >out
  grep -qF "$2" out
}

status=0
: >err
check 'a ticket releases and acquires' follows reduce.cuh \
  'asm volatile ("atom.inc.acq_rel.gpu.global.u32 %0, [%1], %2;"'
check 'or has a fence before it and one behind' follows reduce.cuh \
  '__threadfence (); uint32_t old = atomicInc (ticket, last); __threadfence (); return old == last;'
check "the grid's accumulator is zero before the result is there" \
  follows exact.cuh 'super[i] = 0; __threadfence ();'
check 'nothing else takes a ticket' \
  [ "$(cat "$kernels"/*.cu "$kernels"/*.cuh | grep -c 'atomicInc\|atom[.]inc')" -eq 2 ]

finish
