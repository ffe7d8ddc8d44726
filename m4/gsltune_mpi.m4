# GSLTUNE_MPI: --enable-mpi, off by default.
#
# Finds MPICC, mpicc unless it is given, and asks it for its options, since the rest of
# gsltune is not compiled with it.  Sets MPI_CPPFLAGS, MPI_LIBS, MPIEXEC, SUNDIALS_LIBS,
# mpi_summary, and the conditionals HAVE_MPI and HAVE_SUNDIALS.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
AC_DEFUN([GSLTUNE_MPI],
[AC_ARG_ENABLE([mpi],
  [AS_HELP_STRING([--enable-mpi],
     [build libgsltune_mpi too, for sums over many processes])],
  [], [enable_mpi=no])
AC_ARG_VAR([MPICC], [MPI's compiler command, which is asked for its options])
AC_ARG_VAR([MPIEXEC], [the command that starts MPI programs, for the tests])
MPI_CPPFLAGS= MPI_LIBS= SUNDIALS_LIBS=
have_sundials=no
mpi_summary="no (--enable-mpi)"
AS_IF([test "x$enable_mpi" != xno],
  [AC_CHECK_PROGS([MPICC], [mpicc])
   AC_CHECK_PROGS([MPIEXEC], [mpiexec mpirun])
   AS_IF([test -z "$MPICC"],
     [AC_MSG_ERROR([--enable-mpi needs an MPI library, and mpicc was not found: install
one (Debian: ./bootstrap --mpi), or name its compiler command with MPICC=...])])
   # Open MPI and MPICH both know -show, which prints a command line.
   for word in `$MPICC -show 2>/dev/null`; do
     AS_CASE([$word],
       [-I* | -D*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $word"],
       [-L* | -l* | -Wl,*], [MPI_LIBS="$MPI_LIBS $word"])
   done
   gsltune_cppflags=$CPPFLAGS gsltune_libs=$LIBS
   CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS" LIBS="$LIBS $MPI_LIBS"
   AC_MSG_CHECKING([whether $CC links with the MPI of $MPICC])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error "too old"
#endif
]], [[MPI_Finalize ();]])],
     [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([a program with the options of '$MPICC -show' could not be linked, or
its MPI is older than MPI 3: name another with MPICC=..., or leave out --enable-mpi])])
   mpi_summary="yes ($MPICC)"
   # For one of the examples.
   AC_MSG_CHECKING([for SUNDIALS 6 with MPI])
   LIBS="-lsundials_cvode -lsundials_nvecparallel $LIBS -lm"
   AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cvode/cvode.h>
#include <nvector/nvector_parallel.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#if SUNDIALS_VERSION_MAJOR != 6
#error "another"
#endif
]], [[N_Vector x = N_VNew_Parallel (MPI_COMM_WORLD, 1, 1, 0);
      SUNLinSol_SPGMR (x, SUN_PREC_NONE, 0, 0);
      CVodeCreate (CV_BDF, 0);]])],
     [have_sundials=yes
      SUNDIALS_LIBS="-lsundials_cvode -lsundials_nvecparallel"])
   AC_MSG_RESULT([$have_sundials])
   CPPFLAGS=$gsltune_cppflags LIBS=$gsltune_libs])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([SUNDIALS_LIBS])
AM_CONDITIONAL([HAVE_MPI], [test "x$enable_mpi" != xno])
AM_CONDITIONAL([HAVE_SUNDIALS], [test $have_sundials = yes])
])
