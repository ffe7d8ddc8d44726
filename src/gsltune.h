/* gsltune: tuned reductions for the GNU Scientific Library.
   Copyright (C) 2026 The gsltune authors.

   This program is free software: you can redistribute it and/or modify it
   under the terms of the GNU General Public License as published by the Free
   Software Foundation, either version 3 of the License, or (at your option)
   any later version.  It comes with ABSOLUTELY NO WARRANTY; see COPYING.

   A program includes this file.  The functions are declared in one header for each family:

   gsltune/vector.h      sums, extremes, dot products and norms of vectors; pinned vectors
   gsltune/statistics.h  statistics
   gsltune/sort.h        sorts, selection, medians
   gsltune/blas.h        BLAS of levels 1 to 3
   gsltune/linalg.h      factorisations, eigenvalues
   gsltune/lines.h       rows, columns and segments at once
   gsltune/moments.h     statistics of data that come in pieces
   gsltune/device.h      vectors and matrices in the memory of a GPU
   gsltune/streams.h     the same in the order of a CUDA stream
   gsltune/memory.h      the types of device vectors and matrices

   The headers document and declare the functions of doubles.  A comment in brackets before a
   declaration, such as [float, int], names further types that have the functions below it, up
   to the next comment in brackets.  Their names and types are those of GSL: gsl_vector_float
   and float in place of gsl_vector and double, gsltune_vector_float_sum in place of
   gsltune_vector_sum.  gsltune/types.h, which is made when gsltune is built, declares them.
   [all] names float, long_double, int, uint, long, ulong, short, ushort, char and uchar;
   [real] names float and long_double; [gpu] names float, int and long.  [all: double] says
   that what is returned, and arguments that are not samples, are of double for every type.

   All functions may be called from any number of threads at once (moments: one thread each).
   None needs a GPU, a driver or a saved profile, except views of device addresses; without a
   GPU the CPU computes.  After fork() the child computes on one CPU thread and makes no CUDA
   call.  "Reports" means: through GSL's error handler.  A function that reports GSL_EBADLEN
   and returns int returns that code, if the handler returns.  "info gsltune" explains
   more.  */

#ifndef GSLTUNE_H
#define GSLTUNE_H

#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_blas_types.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_vector.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library hides everything else.  */
#if defined __GNUC__
#pragma GCC visibility push(default)
#endif

/* The mode promises how large the errors of real numbers are.  Within its promise the fastest
   known way is taken.  Integers have one mode: they wrap modulo 2^k, as GSL's do.  */
typedef enum
{
  /* Not a mode: gsltune_set_thread_mode takes it for the mode of the process.  */
  GSLTUNE_MODE_PROCESS = -1,
  /* Errors are at most those of recursive summation, times a small factor that the manual
     names.  Rounding depends on the tuned configuration, so last digits may change when the
     machine is tuned again.  */
  GSLTUNE_MODE_FAST = 0,
  /* The error of sums is at most that of Neumaier's form of Kahan summation: about one rounding,
     plus n^2 u^2 times the sum of the magnitudes; u is the unit roundoff.  All functions compute
     as in exact mode, which keeps this promise in the same time.  */
  GSLTUNE_MODE_COMPENSATED = 1,
  /* The exact sum of the elements is rounded once, to nearest, ties to even.  So the result
     has the same bits for every machine, number of threads and order of the elements.  An exact
     zero, and the sum of no elements, is +0.  A sum overflows only if the exact one does, to
     the infinity of its sign.  Infinities of one sign give that infinity; any NaN, or
     infinities of both signs, give one quiet NaN with sign bit 0 and an empty payload.  The
     caller's rounding mode and flushing of subnormals neither matter nor change.  */
  GSLTUNE_MODE_EXACT = 2,
  /* The default: vectors, statistics, rows and columns are as in exact mode, products of
     matrices and triangular systems as in fast mode.  */
  GSLTUNE_MODE_AUTO = 3
} gsltune_mode;

/* Sets the mode of all threads for the calls that start from now on.  Returns GSL_SUCCESS, or
   reports GSL_EINVAL if there is no such mode.  At first the mode is that of the environment
   variable GSLTUNE_MODE ("auto", "exact", "compensated" or "fast"), or auto if that is unset.
   Modes of single functions, which that variable may name too ("exact,dgemm=fast"), are for
   programs under `gsltune run': a program that calls gsltune itself sets the mode around its
   calls.  */
int gsltune_set_mode (gsltune_mode mode);

/* Sets the mode of the calling thread alone, for a library that must not change its program's
   mode.  The threads that take part in its calls compute in its mode.  GSLTUNE_MODE_PROCESS
   gives the thread the mode of the process again, as at first.  Returns GSL_SUCCESS, or
   reports GSL_EINVAL.  */
int gsltune_set_thread_mode (gsltune_mode mode);

/* Returns the calling thread's own mode, or GSLTUNE_MODE_PROCESS if it has none, so that a
   library can restore the mode that it has changed.  */
gsltune_mode gsltune_get_thread_mode (void);

/* Returns the mode in force in the calling thread.  */
gsltune_mode gsltune_get_mode (void);

/* Returns how the calling thread's last planned reduction was computed: "cpu"; "direct",
   "copy" or "staged", by GPUs, named by the way of the data to them; or "split", by GPUs and
   the CPU. For a product of matrices that is not exact it is "blas", a library of the system,
   "tiles", gsltune's own, or "program", the BLAS that the program is bound to; products that
   GSL's own function computes do not count.  Returns null if there was none.  If a GPU failed and the CPU computed instead, it is "cpu", unless
   that was only a piece of a long vector.  *PLANNED, unless PLANNED is null, becomes the
   number of planned reductions in this thread so far.  A sum of a few elements is not planned;
   a function that needs several sums counts as several.  Static storage.  */
const char *gsltune_last_route (unsigned long *planned);

/* Returns the version of the library that runs, e.g. "0.1.0".  Static storage.  */
const char *gsltune_version (void);

/* Set and return the maximum of scratch memory that the library keeps for the next sum, in
   bytes: on each GPU, and page-locked on the host.  At first it is the value of the
   environment variable GSLTUNE_SCRATCH (bytes, or a number followed by K, M or G), or 64 MiB
   if that is unset.  A sum for which the limit, or the GPU's memory, is too small is computed
   by the CPU. Memory already held above a new limit is freed when a sum next needs more, or by
   gsltune_release.  They cannot fail.  */
void gsltune_set_scratch_limit (size_t bytes);
size_t gsltune_get_scratch_limit (void);

/* Gives back the scratch memory, streams and threads that no sum is using; the next sums take
   them again.  Memory of the program (device vectors, pinned vectors) stays.  Cannot fail.  */
void gsltune_release (void);

#include "gsltune/memory.h"
#include "gsltune/structures.h"

#include "gsltune/vector.h"
#include "gsltune/statistics.h"
#include "gsltune/sort.h"
#include "gsltune/blas.h"
#include "gsltune/linalg.h"
#include "gsltune/lines.h"
#include "gsltune/moments.h"
#include "gsltune/device.h"
#include "gsltune/streams.h"

#include "gsltune/types.h"

#if defined __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
