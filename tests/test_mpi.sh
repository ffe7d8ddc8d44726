#!/bin/sh
# libgsltune_mpi: the check program as 1 to 4 and 7 processes, whose results are the
# same bits; a process that is killed; symbols and header; the examples.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

program=$build/tests/mpi_program
library=$build/.libs/libgsltune_mpi.so
header=$data/../../src/mpi/gsltune-mpi.h
status=
: >out
: >err
if [ ! -f "$library" ] || [ ! -x "$program" ]; then
  echo "1..0 # SKIP configured without --enable-mpi"
  exit 0
fi
if [ -z "$MPIEXEC" ]; then
  echo "1..0 # SKIP there is no mpiexec"
  exit 0
fi

# Open MPI starts nothing as root, and no more processes than cores, unless it is told
# to; before version 5 in other words.  MPICH asks for nothing.  A process
# that waits lets others have its core.  Without the last one Open MPI complains where
# containers keep processes from reading each other's memory.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_hwloc_base_binding_policy=none
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
PRTE_MCA_hwloc_default_binding_policy=none
GSLTUNE_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
export OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_btl_vader_single_copy_mechanism
export PRTE_MCA_rmaps_default_mapping_policy PRTE_MCA_hwloc_default_binding_policy
export GSLTUNE_THREADS

# start SECONDS PROCESSES COMMAND...; $late is 1 if they take longer.
start ()
{
  seconds=$1
  processes=$2
  shift 2
  begun=$(date +%s)
  # shellcheck disable=SC2086 # a command may have options
  timeout -k 10 "$seconds" $MPIEXEC -n "$processes" "$@" >out 2>err </dev/null
  status=$?
  late=$(($(date +%s) - begun >= seconds))
}

right ()
{
  [ $status -eq 0 ] && grep -q '^failures 0 ' out
}

start 120 1 "$program" threads
if [ $status -ne 0 ] && ! grep -q '^failures' out; then
  sed 's/^/# /' err
  echo "1..0 # SKIP $MPIEXEC starts no processes here"
  exit 0
fi

: >digests
for n in 1 2 3 4 7; do
  for part in functions errors moments threads; do
    case $part-$n in functions-* | *-[127]) ;; *) continue ;; esac
    start 600 $n "$program" $part
    check "$part of $n" right
    sed -n "s/.*digest/$part/p" out >>digests
  done
done
check 'the same bits over 1 to 7 processes' \
  is "$(grep -E '^(functions|moments)' digests | sort -u | grep -c .)" 2

# An error or an abort, in time.
killed ()
{
  [ $status -ne 0 ] && [ "$late" -eq 0 ] && [ ! -s wrong ]
}
for n in 2 4; do
  start 120 $n "$program" killed
  grep 'wrong number' out >wrong
  check "one of $n processes is killed" killed
done

# ----------------------------------------------------------- The examples

# on_any_number EXAMPLE PATTERN: the line that matches PATTERN is the same of 1, 2 and
# 7 processes.
on_any_number ()
{
  : >lines
  for n in 1 2 7; do
    start 300 $n "$build/examples/$1"
    [ $status -eq 0 ] || return 1
    cat out >>lines
  done
  [ "$(grep -c "$2" lines)" -eq 3 ] \
    && [ "$(grep "$2" lines | sort -u | wc -l)" -eq 1 ]
}

# What sums of doubles give differs.
others_differ ()
{
  [ "$(grep "$1" lines | sort -u | wc -l)" -gt 1 ]
}

check 'mpi_mean: the same mean' on_any_number mpi_mean stats_mean
check 'mpi_mean: others differ' others_differ MPI_SUM
check 'mpi_mean: the same sd' is "$(grep stats_sd lines | sort -u | wc -l)" 1
check 'mpi_cg: the same iterates' on_any_number mpi_cg gsltune_mpi
check 'mpi_cg: others differ' others_differ MPI_SUM
if [ -x "$build/examples/sundials" ]; then
  check 'sundials: the same steps' on_any_number sundials "gsltune's"
  check 'sundials: others differ' others_differ own
else
  skip 'sundials: the same steps' 'configure has not found SUNDIALS 6'
fi

# ------------------------------------------------------- Symbols, header

# The library's header is installed beside gsltune.h; MPI's own has warnings.
system=$(echo " $MPI_CPPFLAGS" | sed 's/ -I *\([^ ]\)/ -isystem \1/g')
flags="$GSL_CFLAGS $system -I$(dirname "$header")/.. -I$build/src"
echo "#include \"$header\"" >alone.c
# shellcheck disable=SC2086
${CC:-cc} -E $flags alone.c 2>err \
  | awk '/^# [0-9]/ { ours = /(gsltune-mpi|mpi_types)[.]h"/; next } ours' \
  | grep -o 'gsltune_mpi_[a-z0-9_]* *(' | tr -d ' (' | sort -u >expected
check 'the header declares functions' [ "$(wc -l <expected)" -gt 100 ]
${NM:-nm} -D --defined-only "$library" 2>err | awk '{ print $NF }' \
  | sed 's/@.*//' | sort -u >exported
diff expected exported >out
check 'the library exports them and nothing else' [ ! -s out ]
${NM:-nm} -D --undefined-only "$library" 2>err | grep ' U gt_' >out
check 'of the other library it calls what programs call' [ ! -s out ]
${NM:-nm} -D --undefined-only "$build/.libs/libgsltune.so" 2>err \
  | grep ' U MPI_' >out
check 'the other library does not call MPI' [ ! -s out ]

compiles ()
{
  # shellcheck disable=SC2086
  "$@" $flags -Wall -Wextra -Werror -fsyntax-only alone.c 2>err
  status=$?
  [ $status -eq 0 ]
}
# shellcheck disable=SC2086
check 'the header compiles alone as C' compiles ${CC:-cc} -x c -std=c11
# shellcheck disable=SC2086
check 'the header compiles alone as C++' compiles ${CXX:-c++} -x c++ -std=c++17

finish
