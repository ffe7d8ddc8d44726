#!/bin/sh
# The shared library exports what gsltune.h declares and what the command needs, and nothing
# else; the header compiles alone, as C and as C++.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

library=$build/.libs/libgsltune.so
headers=$data/../../src
header=$headers/gsltune.h
GSL_CFLAGS="$GSL_CFLAGS -I$build/src"
CC=${CC:-cc}
CXX=${CXX:-c++}
NM=${NM:-nm}
status=
: >out
: >err

# What a compiler sees of the header, without what it includes.
declared ()
{
  echo "#include \"$header\"" >alone.c
  # shellcheck disable=SC2086 # commands may have options
  $CC -E $GSL_CFLAGS alone.c 2>err \
    | awk '/^# [0-9]/ { ours = /gsltune([.]h|\/[a-z]*[.]h)"/; next } ours' \
    | grep -o 'gsltune_[A-Za-z0-9_]* *(' | tr -d ' (' | sort -u
}
declared >expected
check 'the header declares functions' [ "$(wc -l <expected)" -gt 90 ]

# The loader's search for what a first call calls would take the caller's stack.
${READELF:-readelf} -d "$library" >out 2>err
check 'nothing is left to be looked up in a first call' grep -q 'BIND_NOW' out

# shellcheck disable=SC2086
$NM -D --defined-only "$library" 2>err | awk '{ print $NF }' \
  | sed 's/@.*//' | sort -u >all
grep -v '^gt_\|[.]' all >exported
check 'the library exports functions' [ -s exported ]

same ()
{
  diff expected exported >out
}
check 'they are the same' same
$NM -D --undefined-only "$build/.libs/gsltune" 2>err | sed -n 's/.* \(gt_[^@]*\)@.*/\1/p' \
  | sort -u >shared
grep '^gt_' all | diff shared - >out
status=$?
check 'and besides what the command needs' [ $status -eq 0 ]

# What is of this version is looked for in a library that is of another.
version=$($NM -D "$library" | sed -n 's/.*@\(gsltune_[0-9.]*\)$/\1/p' | head -n 1)
sed "s/$version/gsltune_$(echo "${version#*_}" | tr 0-9 9)/g" "$library" >libgsltune.so.0
LD_LIBRARY_PATH=$PWD "$build/.libs/gsltune" --version >out 2>err
check 'the command tells of a library of another version' grep -q \
  "$PWD/libgsltune.so.0: version .$version. not found" err

# Debian's list, which says since which version a function is there.  Of statistics it has patterns.
symbols=$data/../../debian/libgsltune0.symbols
if [ -r "$symbols" ]; then
  sed -n 's/^ (regex)"\(.*\)@Base.*/\1/p' "$symbols" >patterns
  sed -n 's/^ \(g.*\)@Base .*/\1/p' "$symbols" >names
  grep -v -E -f patterns exported | diff names - >out
  status=$?
  check "Debian's list of symbols" [ $status -eq 0 ]
else
  skip "Debian's list of symbols" 'there is no debian folder'
fi

# What functions.def and procedures.def list, for every type.
awk -v form=names -f "$data/../../doc/functions.awk" \
  "$data/../../src/functions.def" "$data/../../src/procedures.def" 2>err | sort -u >listed
check 'functions are listed' [ "$(wc -l <listed)" -gt 200 ]
comm -13 exported listed >out
check 'each is declared and exported' [ ! -s out ]
grep -E '^gsltune_(blas|stats|matrix)_|_(sum|max|min|minmax|index)$' exported \
  | comm -23 - listed | grep -v -E '^gsltune_(moments_sum|device((_[a-z]*)?_sum|_vector(_[a-z]*)*_sort_index))$|_(row|column|segment)_|_matrix.*_co(variance|rrelation)$' >out
check 'what GSL has is listed' [ ! -s out ]

$NM --defined-only "$library" 2>err | awk '{ print $NF }' | sort -u >all
# shellcheck disable=SC2086
$NM -g --defined-only "$builddir/libgsltune-tuning.a" 2>err \
  | awk 'NF == 3 { print $3 }' | sort -u >tuners
check 'the tuner has functions' grep -q '^gt_profile_save$' tuners
comm -12 all tuners >out
check 'none of them is in the library' [ ! -s out ]

$NM -D --undefined-only "$library" 2>err \
  | grep -E ' U (GOMP|omp|__kmpc)_' >out
check 'the library needs no OpenMP runtime' [ ! -s out ]

compiles ()
{
  # shellcheck disable=SC2086
  "$@" $GSL_CFLAGS -Wall -Wextra -Werror -fsyntax-only 2>err
  status=$?
  [ $status -eq 0 ]
}
check 'the header compiles alone as C' compiles $CC -x c -std=c11 -pedantic alone.c
check 'the header compiles alone as C99' compiles $CC -x c -std=c99 alone.c
check 'the header compiles alone as C++' compiles $CXX -x c++ -std=c++11 alone.c

check 'the header compiles alone as C90, pedantically' compiles $CC -x c -std=c90 -pedantic alone.c
check 'the header compiles alone as C++98, pedantically' compiles $CXX -x c++ -std=c++98 -pedantic alone.c

# For those who search it: each is declared in full, and none by a macro.
cat "$header" "$headers"/gsltune/[!t]*.h "$build/src/gsltune/types.h" \
  | sed 's|/[*].*[*]/||; /[/][*]/,/[*][/]/d' >declarations
grep -o 'gsltune_[A-Za-z0-9_]* (' declarations | grep -v '^gsltune_mpi_' | tr -d ' (' | sort -u \
  | diff expected - >out
status=$?
check 'each function has a prototype that grep finds' [ $status -eq 0 ]
check 'no macro declares functions' sh -c '! grep -q "##" declarations'

# Twice in one program, and beside GSL.
cat >twice.c <<END
#include <gsl/gsl_vector.h>
#include "$header"
#include "$header"
int main (void)
{
  gsltune_device_vector_long *v = gsltune_device_vector_long_alloc (0);
  gsltune_mode mode = gsltune_get_mode ();
  gsltune_device_vector_long_free (v);
  return mode == GSLTUNE_MODE_COMPENSATED;
}
END
check 'the header compiles twice as C' compiles $CC -x c -std=c11 twice.c
check 'the header compiles twice as C++' compiles $CXX -x c++ -std=c++17 twice.c
cat >calls.cc <<END
#include "$header"
int main ()
{
  const double data[] = {1, 2, 3};
  return gsltune_stats_mean (data, 1, 3) != 2;
}
END
from_cxx ()
{
  # shellcheck disable=SC2086 # flags may be several words
  $CXX $GSL_CFLAGS -o calls calls.cc "$library" ${GSL_LIBS:--lgsl -lgslcblas -lm} 2>err \
    && LD_LIBRARY_PATH=$build/.libs ./calls
}
check 'a C++ program calls the library' from_cxx

finish
