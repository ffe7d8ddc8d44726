#!/bin/sh
# gsltune.m4 in another project's configure: found, refused, too old, missing.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

. "${srcdir:-.}/tests/tap.sh"

root=$(cd "$data/../.." && pwd)
# shellcheck disable=SC2046 # words
for program in aclocal autoconf $(command -v pkg-config >/dev/null || echo pkgconf); do
  "$program" --version >/dev/null 2>&1 || {
    echo "1..0 # SKIP needs $program"
    exit 0
  }
done

# As it would be installed: the module says where the library and header are.
mkdir modules macros include
cp -R "$root/src/gsltune.h" "$root/src/gsltune" "$build/src/gsltune" include
sed -e "s|^libdir=.*|libdir=$build/.libs|" \
  -e "s|^includedir=.*|includedir=$PWD/include|" \
  "$build/gsltune.pc" >modules/gsltune.pc
cp "$root/gsltune.m4" macros
PKG_CONFIG_PATH=$PWD/modules${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
CFLAGS="${CFLAGS:-} -Wno-error"
export CFLAGS

# project VERSION: one that uses the macro, in ./project.
project ()
{
  rm -rf project
  mkdir project && cd project || exit 99
  cat >configure.ac <<END
AC_INIT([other], [1])
AC_CONFIG_HEADERS([other.h])
AC_PROG_CC
AX_GSLTUNE([$1], [have=yes], [have=no])
AC_SUBST([have])
AC_CONFIG_FILES([answer])
AC_OUTPUT
END
  echo '@have@ @GSLTUNE_LIBS@' >answer.in
  echo '#undef HAVE_GSLTUNE' >other.h.in
  { aclocal -I ../macros && autoconf; } >../out 2>../err
  status=$?
  cd ..
  check "a configure that wants ${1:-any version}" [ $status -eq 0 ]
}

# configures OPTION...: leaves $status, out, err.
configures ()
{
  (cd project && ./configure "$@") >out 2>err
  status=$?
}

answers ()
{
  [ "$status" -eq 0 ] && grep -q "^$1" project/answer
}

project ''
configures
check 'it is found' answers 'yes .*-lgsltune'
check 'and defined' grep -q '^#define HAVE_GSLTUNE 1' project/other.h

cat >program.c <<'END'
#include <gsltune.h>
#include <stdio.h>

int
main (void)
{
  const double x[] = {0.1, 0.2, 0.3, 0.4};

  return printf ("%.17g\n", gsltune_stats_mean (x, 1, 4)) < 0;
}
END
program ()
{
  # shellcheck disable=SC2046,SC2086 # words
  ${CC:-cc} $CFLAGS program.c $(pkg-config --cflags --libs gsltune) -o program \
    >out 2>err \
    && LD_LIBRARY_PATH=$build/tests/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      ./program >out 2>err \
    && [ "$(cat out)" = 0.25 ]
}
check 'a program is built with its flags' program

configures --without-gsltune
check 'it is not wanted' answers 'no *$'
check 'and not defined' [ "$(grep -c '^#define HAVE_GSLTUNE' project/other.h)" -eq 0 ]

project 99
configures
check 'it is too old' answers 'no *$'
configures --with-gsltune
check 'too old where it is asked for' \
  says 1 err 'configure: error: gsltune was asked for, but: .*99.*'

# Nor where pkg-config looks by itself: there may be an installed one.
PKG_CONFIG_PATH=$PWD/nowhere
PKG_CONFIG_LIBDIR=$PWD/nowhere
export PKG_CONFIG_LIBDIR
project ''
configures
check 'it is missing' answers 'no *$'
configures --with-gsltune
check 'missing where it is asked for' \
  says 1 err 'configure: error: gsltune was asked for, but: .*gsltune.*'

finish
