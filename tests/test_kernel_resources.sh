#!/bin/sh
# kernels/cuda/resources.awk on what ptxas and nvlink of CUDA 13.0 print, short of
# most functions and with other figures.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

# read_log OPTION...: the rows for the log on standard input.
read_log ()
{
  awk "$@" -f "$data/../../kernels/cuda/resources.awk" >out 2>err
  status=$?
}

read_log -v form=table <"$data/ptxas-v.txt"
check 'the table' succeeded \
'kernel                  cc  registers  shared  spill stores  spill loads
sum_plain_f64_u2       8.0         56     256            16           24
sum_plain_f64_u2       9.0         48       0             0            0
sum_recursive_f64_u2   8.0         59     256             0            0
sum_recursive_f64_u2   9.0         61     256             0            0'

read_log <"$data/ptxas-v.txt"
check 'the rows in C' is "$(grep '{' out | tail -n +2)" \
'  {"sum_plain_f64_u2", 80, 56, 256, 16, 24},
  {"sum_plain_f64_u2", 90, 48, 0, 0, 0},
  {"sum_recursive_f64_u2", 80, 59, 256, 0, 0},
  {"sum_recursive_f64_u2", 90, 61, 256, 0, 0},
  {0, 0, 0, 0, 0, 0}'

# One architecture: the linker does not name it.
sed -e "/for 'sm_80'/,/Used/d" -e '/target: sm_80/d' -e 's/ (target: [a-z0-9_]*)//' "$data/ptxas-v.txt" \
  >one.log
read_log <one.log
check 'one architecture' is "$(grep recursive out)" \
  '  {"sum_recursive_f64_u2", 90, 61, 256, 0, 0},'

read_log </dev/null
check 'no kernels' is "$(grep -c '{' out) $(tail -n 1 out)" '2 };'

# A make of its own, not a part of the one that runs the tests.
(unset MAKEFLAGS MFLAGS MAKELEVEL
 cd "$builddir" && ${MAKE:-make} -s kernel-resources) >out 2>err
status=$?
if [ -n "$softgpu" ]; then
  check 'make kernel-resources: every kernel of the library' \
    test "$(grep -c '^sum_' out)" -gt "$(grep -c '{"sum_' "$builddir/kernels/cuda/resources_table.c")"
  check 'and the rungs' grep -q '^sum_shuffle_' out
else
  check 'make kernel-resources: without CUDA, what to do' \
    test "$status" -ne 0 -a ! -s out -a "$(grep -c 'no CUDA kernels' err)" -eq 1
fi

finish
