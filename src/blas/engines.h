/* Engines compute products in fast mode.  They are: the functions of CBLAS to which the
   program is bound, which are GSL's own unless the program uses another BLAS; optimised
   libraries of the system; and gsltune's own tiles (plain.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_ENGINES_H
#define GT_MATRIX_ENGINES_H

#include <stddef.h>
#include <stdint.h>

/* GT_BLAS_dgemm and so on.  */
enum gt_blas_id
{
#define BLAS_FUNCTION(name, ...) GT_BLAS_##name,
#include "src/blas/functions.inc"
  GT_N_BLAS
};

/* "dgemm"  */
extern const char *const gt_blas_names[GT_N_BLAS];
/* The number of multiplications from which on a library is used if nothing was measured.  */
extern const uint64_t gt_blas_estimates[GT_N_BLAS];

/* Functions of LAPACK, which are called as Fortran's: gt_lapack_dpotrf and so on are their types.  */
#define GT_LAPACK(X) X (dpotrf) X (dgeqrf) X (dlarft) X (dgesdd) X (dsyevd) X (zheevd) X (dgeev)
enum gt_lapack_id
{
#define X(name) GT_LAPACK_##name,
  GT_LAPACK (X)
#undef X
  GT_N_LAPACK
};

/* An engine.  Its functions have the prototypes of CBLAS and compute in the calling thread.
   Functions that a library does not have are the program's own.  */
#define GT_ENGINE_NAME_SIZE 40
struct gt_engine
{
  char name[GT_ENGINE_NAME_SIZE]; /* with its version: "OpenBLAS 0.3.21 Haswell" */
  const char *file;               /* its file */
  void *function[GT_N_BLAS];
  void *lapack[GT_N_LAPACK]; /* null if the library does not have the function */
  int reads_beyond; /* whether it reads beyond vectors.  OpenBLAS 0.3.21 reads another element
                       of complex vectors, at their stride, and 32 bytes beyond others */
  size_t least_side; /* the estimate uses it if all sides are at least this long */
  const char *core, *right_core; /* the processor for which OpenBLAS computes, and the one for
                                    which it should; null if these are the same or cannot be
                                    changed */
};

/* OWN is the program's own engine.  The estimate prefers libraries in this order.  TILES are
   gsltune's; they use the program's own functions for products that they do not compute.  */
#define GT_OWN_ENGINE 0
#define GT_MOST_ENGINES 6
#define GT_TILES_ENGINE GT_MOST_ENGINES
struct gt_engines
{
  struct gt_engine engine[GT_MOST_ENGINES + 1];
  unsigned n; /* the program's own, and the libraries */
  int own_is_gsl; /* otherwise no other engine is searched, because the program has chosen its
                     BLAS */
  const char *passed_over, *why; /* a library that was found but is not used, and the reason;
                                    or null */
};

/* Return whether the program is bound to GSL's CBLAS, for level 1 and for levels 2 and 3,
   rather than to one of its own choice.  */
int gt_level_1_is_gsl (void);
int gt_products_are_gsl (void);

/* Searches for engines once, which takes tens of milliseconds if there are any.  A library
   that crashed or hung during the tuner's trial is not used: the host's profile has a step
   with its file name whose way describes the failure.  */
const struct gt_engines *gt_engines (void);

/* Returns the number of the engine that a step's WAY names, or -1.  */
int gt_engine_named (const char *way);

/* Builds of OpenBLAS compute for the processor that this variable names, or that they detect;
   they mistake new processors for very old ones.  gt_openblas_core returns the best value for
   this processor, or null.  gt_openblas_core_measured returns the same if, according to the
   host's profile, OpenBLAS was correct with it and the fastest way for some products;
   otherwise null.  */
#define GT_CORE_VARIABLE "OPENBLAS_CORETYPE"
const char *gt_openblas_core (void);
const char *gt_openblas_core_measured (void);

/* Describes ENGINE's loss of speed because it computes for another processor, and returns 1;
   or returns 0 if there is none.  */
#define GT_LOSS_SIZE 256
int gt_engine_loss (const struct gt_engine *engine, char text[GT_LOSS_SIZE]);

/* Returns the file name of library number K of the searched ones, or null.  */
const char *gt_engines_file (unsigned k);

/* Makes gt_engines, which must not have been called yet, search only for library number K,
   even if the profile says that it crashed.  */
void gt_engines_try (unsigned k);

#endif
