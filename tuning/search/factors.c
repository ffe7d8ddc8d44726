/* The questions by what matrices are factorised fastest, from which size on.  Each kind
   (src/blas/factors.h) is asked for square matrices, and QR and singular values also for
   matrices of 16 times as many rows as columns.

   Limitations.  Distances between rows are the least, and the data is in the caches.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/blas/factors.h"
#include "src/blas/ways.h"
#include "tuning/measure/factors.h"
#include "tuning/measure/procedures.h"
#include "tuning/search/libraries.h"

#define RATIO 16
#define MOST_BYTES ((size_t) 64 << 20)

static const unsigned char sides[] = {6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128};

struct factors
{
  enum gt_taken_id taken;
  const struct gt_question *question;
  struct gt_factor_data data;
  double sum, expected; /* of the last result; of the first way's */
};

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  const enum gt_factor_id id = (enum gt_factor_id) k;
  const struct gt_engines *const engines = gt_engines ();
  struct factors *const f = closure;

  f->taken = (enum gt_taken_id) (GT_FIRST_FACTOR + k);
  f->question = q;
  if (!options->procedures || !(options->arithmetics >> GT_F64 & 1) || gt_factor_leader (id) != id)
    return 0;
  strcpy (q->kind, gt_factor_names[id]);
  gt_add_way (q, GT_STEP_GSL, 0, 1);
  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    if (gt_factor_has (&engines->engine[e], id))
      gt_add_way (q, engines->engine[e].name, e, 1);
  for (; q->sizes < sizeof sides; q->sizes++)
    {
      q->size[q->sizes] = pow (sides[q->sizes], 3);
      q->variants[q->sizes]
        = k >= GT_FACTOR_linalg_QR_decomp && k < GT_FACTOR_eigen_symm ? 2 : 1;
    }
  return q->ways > 1;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct factors *const f = closure;
  const uint64_t n = (uint64_t) (cbrt (f->question->size[i] / (variant ? RATIO : 1)) + 0.5);
  const uint64_t shape[2] = {variant ? RATIO * n : n, n};

  return gt_factor_data_make (&f->data, f->taken, 1, shape, MOST_BYTES) == 0 ? -1 : 0;
}

static void
release (void *closure)
{
  struct factors *const f = closure;

  gt_factor_data_free (f->taken, &f->data);
}

static void
call (void *closure, unsigned way)
{
  struct factors *const f = closure;
  const struct gt_procedure_pair *const pair = gt_procedure_functions (f->taken);

  f->sum = gt_factor_call (f->taken, way ? pair->ours : pair->gsl, &f->data);
}

static int
check (void *closure, unsigned way, int first)
{
  struct factors *const f = closure;

  call (closure, way);
  f->expected = first ? f->sum : f->expected;
  return fabs (f->sum - f->expected) <= 0x1p-30 * f->expected;
}

void
gt_factors_try (struct gt_library_trial *trial)
{
  const struct gt_forced forced = {GT_OWN_ENGINE + 1, 1};
  const uint64_t shape[2] = {64, 64};
  struct factors f;

  gt_force (&gt_factors, &forced);
  for (int k = GT_FIRST_FACTOR; k < GT_N_TAKEN; k++, trial->calls++)
    {
      f.taken = (enum gt_taken_id) k;
      snprintf (trial->call, sizeof trial->call, "%s", gt_taken[k].symbol);
      if (gt_factor_data_make (&f.data, f.taken, 1, shape, MOST_BYTES) > 0)
        call (&f, 1);
      release (&f);
    }
}

int
gt_factors_find (const struct gt_tuner_options *options, struct gt_profile *profile, int resuming,
                 int (*stop) (void))
{
  static const struct gt_question_family family
    = {.label = "CPU", .text = "factorisations", .kinds = GT_N_FACTORS, .ask = ask,
       .prepare = prepare, .release = release, .check = check, .call = call,
       .choices = &gt_factors, .threaded = INFINITY, .rising = 1};
  const gsltune_mode mode = gsltune_get_mode ();
  struct factors f;
  int complete;

  gt_blas_prepare ();
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  complete = gt_questions_answer (&family, &f, options, profile, resuming, stop);
  gsltune_set_mode (mode);
  return complete;
}
