/* The choice of the LAPACK that factorises a matrix, and the sizes from which on it does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/factors.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "src/base/env.h"
#include "src/blas/ways.h"
#include "src/plan/plan.h"

/* For larger matrices LAPACK's integers overflow when they count bytes or elements of
   workspaces; matrices of two columns gain nothing.  */
#define MOST_LONG ((size_t) 1 << 24)
#define MOST_SHORT ((size_t) 1 << 14)
#define LEAST_SHORT 3

const char *const gt_factor_names[GT_N_FACTORS] = {
#define FACTOR(name, from) #name,
#include "src/blas/factors.inc"
};

/* The function of LAPACK that each factorisation calls, the last one if it calls several.  */
static const unsigned char needed[GT_N_FACTORS] = {
  GT_LAPACK_dpotrf, GT_LAPACK_dpotrf, GT_LAPACK_dgeqrf, GT_LAPACK_dgeqrf, GT_LAPACK_dgesdd,
  GT_LAPACK_dgesdd, GT_LAPACK_dsyevd, GT_LAPACK_dsyevd, GT_LAPACK_zheevd, GT_LAPACK_zheevd,
  GT_LAPACK_dgeev, GT_LAPACK_dgeev
};

int
gt_factor_has (const struct gt_engine *engine, enum gt_factor_id factor)
{
  return engine->lapack[needed[factor]]
         && (factor != GT_FACTOR_linalg_QR_decomp_r || engine->lapack[GT_LAPACK_dlarft]);
}

enum gt_factor_id
gt_factor_leader (enum gt_factor_id factor)
{
  return factor == GT_FACTOR_linalg_cholesky_decomp1 ? GT_FACTOR_linalg_cholesky_decomp
         : factor == GT_FACTOR_linalg_SV_decomp_mod  ? GT_FACTOR_linalg_SV_decomp : factor;
}

/* ------------------------------------------------------------------- Steps */

static _Atomic uint64_t least[GT_N_FACTORS] = {
#define FACTOR(name, from) from,
#include "src/blas/factors.inc"
};
static const uint64_t estimates[GT_N_FACTORS] = {
#define FACTOR(name, from) from,
#include "src/blas/factors.inc"
};

/* Returns the number of the library that is estimated to be the fastest, or GT_OWN_ENGINE.  */
static unsigned
estimated (enum gt_factor_id factor)
{
  for (unsigned e = GT_OWN_ENGINE + 1; e < gt_engines ()->n; e++)
    if (gt_factor_has (&gt_engines ()->engine[e], factor))
      return e;
  return GT_OWN_ENGINE;
}

static int
write_kind (unsigned function, unsigned kind, char text[GT_STEP_KIND_SIZE])
{
  const enum gt_factor_id factor = (enum gt_factor_id) function;

  (void) kind;
  snprintf (text, GT_STEP_KIND_SIZE, "%s", gt_factor_names[gt_factor_leader (factor)]);
  return estimated (factor) != GT_OWN_ENGINE;
}

static int
library_called (unsigned function, const char *way)
{
  const int e = gt_engine_named (way);

  return e <= GT_OWN_ENGINE
             || gt_factor_has (&gt_engines ()->engine[e], (enum gt_factor_id) function) ? e : -1;
}

static struct gt_ready *_Atomic ready[GT_N_FACTORS];
static _Atomic int begun;

const struct gt_choices gt_factors = {
  "factorisations", GT_N_FACTORS, 1, write_kind, library_called, estimates, least, ready, &begun
};

/* --------------------------------------------------------------------- Ways */

/* The time of GSL's rotations of singular vectors and eigenvectors, as a multiple of that of
   the multiplications.  */
#define ROTATIONS 16

static unsigned
planned (enum gt_factor_id factor, uint64_t work)
{
  const struct gt_forced *const forced = gt_forced (&gt_factors);
  const struct gt_ready *const steps = forced ? NULL : gt_ready (&gt_factors, factor, 0);

  if (forced)
    return forced->way;
  if (steps && steps->n)
    return steps->way[gt_ready_step (steps, work)];
  return work < estimates[factor] ? GT_OWN_ENGINE : estimated (factor);
}

const struct gt_engine *
gt_factor_engine (enum gt_factor_id factor, size_t rows, size_t columns)
{
  const size_t few = rows < columns ? rows : columns, many = rows < columns ? columns : rows;
  const uint64_t work = gt_factor_work (rows, columns);
  const int rotates = factor >= GT_FACTOR_linalg_SV_decomp;
  const struct gt_engine *engine;

  if (few < LEAST_SHORT || few > MOST_SHORT || many > MOST_LONG || few * many > INT_MAX
      || !gt_products_are_fast ()
      || work < atomic_load_explicit (&least[factor], memory_order_relaxed)
      || gt_blas_is_unprepared (&gt_factors, rotates ? ROTATIONS * work : work))
    return NULL;
  engine = &gt_engines ()->engine[planned (factor, work)];
  return gt_factor_has (engine, factor) ? engine : NULL;
}
