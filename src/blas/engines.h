/* Engines compute products in fast mode.  They are the functions of CBLAS that the program is
   bound to, which are GSL's own unless it brought a BLAS, the system's libraries that are
   made for speed, and gsltune's own tiles (plain.h).
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
/* Where nothing was measured a library is asked from so many multiplications on.  */
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

/* One of them.  Its functions have the prototypes of CBLAS, and compute on the thread that
   calls; what a library lacks is the program's own.  */
#define GT_ENGINE_NAME_SIZE 40
struct gt_engine
{
  char name[GT_ENGINE_NAME_SIZE]; /* with its version: "OpenBLAS 0.3.21 Haswell" */
  const char *file;               /* where it lies */
  void *function[GT_N_BLAS];
  void *lapack[GT_N_LAPACK]; /* null where the library itself has none */
  int reads_beyond; /* whether it reads beyond vectors: OpenBLAS 0.3.21 an element of complex ones, as
                       far as their stride, and 32 bytes of others */
  size_t least_side; /* an estimate takes it where all sides are so long */
  const char *core, *right_core; /* the processor that OpenBLAS computes for, and the one that it
                                    should, or null if that is the same or nobody can change it */
};

/* OWN is the program's own; libraries are in the order in which an estimate prefers them; TILES
   are gsltune's, whose functions are the program's own, for products that they do not compute.  */
#define GT_OWN_ENGINE 0
#define GT_MOST_ENGINES 6
#define GT_TILES_ENGINE GT_MOST_ENGINES
struct gt_engines
{
  struct gt_engine engine[GT_MOST_ENGINES + 1];
  unsigned n; /* the program's own, and the libraries */
  int own_is_gsl; /* else no other is looked for: the program has chosen its BLAS */
  const char *passed_over, *why; /* a library that was found and not taken; or null */
};

/* Whether the program is bound to GSL's CBLAS of level 1, or of levels 2 and 3, not to one that it
   has chosen.  */
int gt_level_1_is_gsl (void);
int gt_products_are_gsl (void);

/* Looks for them once, which takes tens of milliseconds if there are any.  A library that
   crashed or hung when the tuner tried it is passed over: the host's profile has a step of
   its file's name, whose way says what it did.  */
const struct gt_engines *gt_engines (void);

/* Builds of OpenBLAS compute for the processor that this variable names, or that they recognise:
   new ones they take for very old ones.  gt_openblas_core returns its best value for this
   processor, or null; gt_openblas_core_measured the same, if the host's profile says that OpenBLAS
   was right with it, and the fastest way for some products, or null.  */
#define GT_CORE_VARIABLE "OPENBLAS_CORETYPE"
const char *gt_openblas_core (void);
const char *gt_openblas_core_measured (void);

/* Writes what ENGINE loses by computing for another processor, and returns 1; or returns 0.  */
#define GT_LOSS_SIZE 256
int gt_engine_loss (const struct gt_engine *engine, char text[GT_LOSS_SIZE]);

/* Returns the file name of library number K of those that are looked for, or null.  */
const char *gt_engines_file (unsigned k);

/* Makes gt_engines, which has not been called yet, look for library number K alone, even if
   the profile says that it crashed.  */
void gt_engines_try (unsigned k);

#endif
