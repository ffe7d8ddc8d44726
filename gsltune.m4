# AX_GSLTUNE([MINIMUM-VERSION], [ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# Looks for gsltune by pkg-config.  Where it is found, GSLTUNE_CFLAGS and GSLTUNE_LIBS,
# which contain those of GSL, are substituted, HAVE_GSLTUNE is defined to 1, and
# ACTION-IF-FOUND runs.  ACTION-IF-NOT-FOUND runs where it is missing, too old, or not
# wanted: the user's --without-gsltune asks for nothing, and --with-gsltune makes it an
# error that it is missing.
#
# Copyright (C) 2026 The gsltune authors.
#
# This file is free software: it comes without any warranty, and you may copy and
# distribute it, with or without modifications, as long as this notice is preserved.

#serial 1

AC_DEFUN([AX_GSLTUNE],
  [AC_REQUIRE([PKG_PROG_PKG_CONFIG])dnl
   AC_ARG_WITH([gsltune],
     [AS_HELP_STRING([--without-gsltune],
        [sum by GSL's own functions, even where gsltune is installed])],
     [], [with_gsltune=check])
   ax_gsltune=no
   AS_IF([test "x$with_gsltune" != xno],
     [PKG_CHECK_MODULES([GSLTUNE], [gsltune m4_ifnblank([$1], [>= $1])],
        [ax_gsltune=yes],
        [AS_IF([test "x$with_gsltune" != xcheck],
           [AC_MSG_ERROR([gsltune was asked for, but: $GSLTUNE_PKG_ERRORS])])])])
   AS_IF([test $ax_gsltune = yes],
     [AC_DEFINE([HAVE_GSLTUNE], [1], [Whether sums are gsltune's.])
      $2],
     [:
      $3])])
