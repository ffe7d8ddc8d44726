/* The questions by what matrices are factorised fastest, from which size on.  Each kind
   (src/matrix/factors.h) is asked for square matrices, and those that may be tall also for matrices
   of 16 times as many rows.

   Limitations.  Distances between rows are the least, and the data is in the caches.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/matrix/factors.h"
#include "src/matrix/ways.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/factors.h"
#include "tuning/search/libraries.h"

#define RATIO 16
#define MOST_BYTES ((size_t) 64 << 20)

static const unsigned char sides[] = {6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128};
#define N_SIDES (sizeof sides / sizeof *sides)

struct factors
{
  enum gt_factor_id id;
  enum gt_taken_id taken;
  const struct gt_question *question;
  struct gt_forced forced[GT_MOST_WAYS];
  struct gt_factor_data data;
  double *expected;
};

static int
is_rectangular (enum gt_factor_id id)
{
  return id >= GT_FACTOR_linalg_QR_decomp && id <= GT_FACTOR_linalg_SV_decomp_mod;
}

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct factors *const f = closure;
  const struct gt_engines *const engines = gt_engines ();

  f->id = (enum gt_factor_id) k;
  f->taken = (enum gt_taken_id) (GT_FIRST_FACTOR + k);
  f->question = q;
  if (!options->procedures || !(options->arithmetics >> GT_F64 & 1)
      || gt_factor_leader (f->id) != f->id)
    return 0;
  strcpy (q->kind, gt_factor_names[f->id]);
  q->way[q->ways++] = (struct gt_answer) {GT_STEP_GSL, 1};
  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    if (gt_factor_has (&engines->engine[e], f->id))
      {
        f->forced[q->ways] = (struct gt_forced) {e, 1};
        q->way[q->ways++] = (struct gt_answer) {engines->engine[e].name, 1};
      }
  for (; q->sizes < N_SIDES; q->sizes++)
    {
      q->size[q->sizes] = pow (sides[q->sizes], 3);
      q->variants[q->sizes] = is_rectangular (f->id) ? 2 : 1;
    }
  return q->ways > 1;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct factors *const f = closure;
  const double work = f->question->size[i];
  const uint64_t columns = (uint64_t) (cbrt (variant ? work / RATIO : work) + 0.5);
  const uint64_t shape[2] = {variant ? RATIO * columns : columns, columns};

  f->expected = calloc (shape[0] * columns + 2 * columns, sizeof *f->expected);
  if (f->expected
      && gt_factor_data_make (&f->data, f->taken, (uint64_t) work, shape, MOST_BYTES) > 0)
    return 0;
  free (f->expected);
  return -1;
}

static void
release (void *closure)
{
  struct factors *const f = closure;

  gt_factor_data_free (f->taken, &f->data);
  free (f->expected);
}

static double
time_calls (void *closure, unsigned way, unsigned calls)
{
  struct factors *const f = closure;
  const struct gt_procedure_pair *const pair = gt_factor_functions (f->taken);
  double begin;

  if (way)
    gt_force (&gt_factors, &f->forced[way]);
  begin = gt_now ();
  for (unsigned k = 0; k < calls; k++)
    gt_factor_call (f->taken, way ? pair->ours : pair->gsl, &f->data);
  return (gt_now () - begin) / calls;
}

/* Checks whether one of N results at FOUND is that at WANTED but for rounding.  */
static int
is_among (const double *found, size_t n, size_t each, const double *wanted, double allowed)
{
  int is_there = 0;

  for (size_t i = 0; i < n && !is_there; i++)
    {
      double off = 0;

      for (size_t k = 0; k < each; k++)
        off = fmax (off, fabs (found[i * each + k] - wanted[k]));
      is_there = off <= allowed;
    }
  return is_there;
}

/* Numbers are at most about the sum of both sides.  */
static int
check (void *closure, unsigned way, int first)
{
  struct factors *const f = closure;
  const double sum = (double) (f->data.rows + f->data.columns);
  const double *result;
  size_t n, each;
  int is_same = 1;

  time_calls (closure, way, 1);
  result = gt_factor_result (f->taken, &f->data, &n, &each);
  if (first)
    memcpy (f->expected, result, n * each * sizeof *result);
  for (size_t i = 0; i < n; i++)
    is_same &= is_among (result, n, each, f->expected + i * each, sum * sum * 0x1p-44);
  return is_same;
}

static void
end (void *closure)
{
  (void) closure;
  gt_force (&gt_factors, NULL);
}

void
gt_factors_try (struct gt_library_trial *trial)
{
  const uint64_t shape[2] = {64, 64};
  struct gt_forced forced = {GT_OWN_ENGINE + 1, 1};
  struct gt_factor_data data;

  gt_force (&gt_factors, &forced);
  for (int k = GT_FIRST_FACTOR; k < GT_N_TAKEN; k++)
    if (gt_factor_data_make (&data, (enum gt_taken_id) k, 0, shape, MOST_BYTES) >= 0
        && data.memory)
      {
        snprintf (trial->call, sizeof trial->call, "%s", gt_taken[k].symbol);
        trial->calls++;
        gt_factor_call ((enum gt_taken_id) k, gt_factor_functions ((enum gt_taken_id) k)->ours,
                        &data);
        gt_factor_data_free ((enum gt_taken_id) k, &data);
      }
}

int
gt_factors_find (const struct gt_tuner_options *options, struct gt_profile *profile, int resuming,
                 int (*stop) (void))
{
  static const struct gt_family family
    = {"CPU", "factorisations", GT_N_FACTORS, ask, NULL, prepare, release, time_calls, check, end,
       INFINITY, 1};
  const gsltune_mode mode = gsltune_get_mode ();
  struct factors f = {.question = NULL};
  int complete;

  gt_blas_prepare ();
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  complete = gt_questions_answer (&family, &f, options, profile, resuming, stop);
  gsltune_set_mode (mode);
  return complete;
}
