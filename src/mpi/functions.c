/* The public functions over processes: sums, dot products, norms and statistics.  Each process
   adds its elements to moments, exactly in every mode, and these are merged.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "src/mpi/gsltune-mpi.h"
#include "src/mpi/message.h"
#include "src/prototypes.h"
#include "src/statistics/terms.h"

static void
free_moments (gsltune_moments **m)
{
  gsltune_moments_free (*m);
}

#define MOMENTS __attribute__ ((cleanup (free_moments))) gsltune_moments *

static int
is_distance (const struct gt_term *term)
{
  return gt_kinds[term->what].form == GT_FORM_POWERS && gt_kinds[term->what].power == 1;
}

static int
is_of_pairs (const struct gt_term *term)
{
  return term->weighted || gt_kinds[term->what].form == GT_FORM_JOINT;
}

/* Makes empty moments for the statistic; for distances from the mean, first the moments of the
   mean.  */
static gsltune_moments *
new_moments (const struct gt_mpi_call *call, const struct gt_term *term)
{
  const struct gt_kind *kind = &gt_kinds[term->what];
  const int wide = call->type == GT_TYPE_LONG_DOUBLE;
  const gsltune_moments_kind of
    = term->weighted                     ? GSLTUNE_MOMENTS_WEIGHTED
      : kind->form == GT_FORM_JOINT      ? GSLTUNE_MOMENTS_PAIRS
      : kind->form == GT_FORM_NEIGHBOURS ? GSLTUNE_MOMENTS_NEIGHBOURS
                                         : GSLTUNE_MOMENTS_PLAIN;

  return is_distance (term) && term->given
           ? gsltune_moments_alloc_about_mean (of, call->given[0], wide)
           : gsltune_moments_alloc (of, kind->power, wide);
}

int
gsltune_mpi_moments_merge (gsltune_moments *m, MPI_Comm comm)
{
  struct gt_mpi_call call = {.function = GT_MPI_MERGE, .comm = comm};

  return gt_mpi_moments (&call, m);
}

/* The statistics of the rows of src/functions.def.  */
#define SAMPLES_ARRAY data, stride, data, stride, n
#define SAMPLES_ARRAYS data1, stride1, data2, stride2, n
#define FUNCTION_OF(name, result)                                                        \
  double NAMED (gsltune_mpi_stats, _##name) GT_TAKES (MPI_##result)                      \
  {                                                                                      \
    MOMENTS m = NAMED (together, ) (                                                     \
      (struct gt_mpi_call) {GT_MPI_STATS_##name, NAMED_BY (GT_TYPE_, ID, ), .comm = comm,  \
                            .given = {GT_GIVEN (MPI_##result)}},                         \
      &gt_term_##name, NAMED_BY (SAMPLES_, GT_OPERANDS (MPI_##result), ));               \
                                                                                         \
    return m ? gsltune_moments_##name GT_PASSES (MOMENTS_##result) : GSL_NAN;            \
  }

#define GT_TEMPLATE "src/mpi/functions_of.inc"
#include "src/each_type.h"
