/* Measures the gain of a program.  The object that is preloaded is measured, not the library
   in this command, so that all code between a program and the result is included.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/gains.h"

#include <dlfcn.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/measure/factors.h"
#include "tuning/measure/listed.h"
#include "tuning/measure/procedures.h"
#include "tuning/measure/sorts.h"

enum
{
  MOST_BYTES = 64 << 20, /* of an operand: more than the size of caches */
  MOST_RUNS = 1 << 20
};
#define MEAN 0.5
#define SD 0.25
#define BATCH 20e-6 /* seconds that are much longer than the clock's resolution */

struct gt_gains
{
  void *gsl, *object, *library;
  int (*set_mode) (gsltune_mode mode);
};

/* ------------------------------------------------------------- Functions */

/* Finds GSL's library itself, even if an object is preloaded into this command: no object
   replaces this function.  */
static void *
find_gsl (void)
{
  Dl_info info;

  return dladdr ((void *) gsl_vector_alloc, &info)
           ? dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

struct gt_gains *
gt_gains_open (const char *path)
{
  struct gt_gains *gains = calloc (1, sizeof *gains);
  double (*max) (const gsl_vector *);
  double x = 1;
  const gsl_vector v = {1, 1, &x, NULL, 0};

  if (gains == NULL)
    return NULL;
  gains->gsl = find_gsl ();
  /* Here the object serves all calls; the caller knows which calls would be left to GSL.  */
  if (setenv ("GSLTUNE_PRELOAD", "exact-all", 1) == 0)
    gains->object = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  max = gains->object ? dlsym (gains->object, "gsl_vector_max") : NULL;
  if (max && gains->gsl)
    max (&v); /* this loads the library */
  gains->library = dlopen ("libgsltune.so.0", RTLD_LAZY | RTLD_NOLOAD);
  gains->set_mode
    = gains->library ? dlsym (gains->library, "gsltune_set_mode") : NULL;
  if (gains->gsl && max && gains->set_mode)
    return gains;
  gt_gains_close (gains);
  return NULL;
}

void
gt_gains_close (struct gt_gains *gains)
{
  if (gains == NULL)
    return;
  if (gains->library)
    dlclose (gains->library);
  if (gains->object)
    dlclose (gains->object);
  if (gains->gsl)
    dlclose (gains->gsl);
  free (gains);
}

/* ---------------------------------------------------------------- Data */

/* Allocates and fills memory for the operands, with a shorter length if necessary.  Returns
   the factor that the length was divided by, or 0 if memory is short.  */
static double
make_operands (const struct gt_listed *f, uint64_t n, const uint64_t stride[2],
               struct gt_operands *operands)
{
  const struct gt_type_info *type = &gt_types[f->type];
  const uint64_t most = MOST_BYTES / type->size;
  uint64_t step[2] = {1, 1}, larger, taken;
  void *x, *y;
  size_t bytes, rows;
  struct gt_data pattern;

  for (int k = 0; k < 2; k++)
    if (f->family != GT_OF_MATRIX && stride[k] > 0 && stride[k] < most)
      step[k] = stride[k];
  larger = step[step[1] > step[0]];
  taken = n <= most / larger ? n : most / larger;
  bytes = (taken ? taken * larger : 1) * type->size;
  x = malloc (bytes);
  y = f->inputs == 2 ? malloc (bytes) : NULL;
  if (x == NULL || (f->inputs == 2 && y == NULL)
      || gt_data_init (&pattern, type->arithmetic, GT_DATA_UNIFORM))
    {
      free (x);
      free (y);
      return 0;
    }
  gt_data_fill (&pattern, x, bytes);
  if (y)
    gt_data_fill (&pattern, y, bytes);
  gt_data_clear (&pattern);
  rows = taken < 4 ? 1 : (size_t) sqrt ((double) taken);
  *operands = (struct gt_operands) {
    .x = x, .y = y, .n = taken, .stride = {step[0], step[1]}, .rows = rows,
    .columns = taken / rows, .tda = taken / rows, .given = {MEAN, SD}
  };
  return taken ? (double) n / (double) taken : 1;
}

/* ---------------------------------------------------------------- Timing */

enum { MOST_TIMES = 128 };

struct side
{
  void *function;
  int mode; /* -1: any */
  unsigned runs;
  double best;
  double times[MOST_TIMES]; /* the first times */
  unsigned n_times;
};

/* A function and its operands: a procedure or an update of vectors, a sort, a factorisation, or,
   if F is set, F with OPERANDS.  */
struct subject
{
  enum gt_taken_id id;
  const struct gt_listed *f;
  struct gt_operands operands;
  struct gt_procedure_call procedure;
  struct gt_sort_data sort;
  struct gt_factor_data factor;
};

static double
time_runs (const struct gt_gains *gains, const struct subject *subject,
           const struct side *side)
{
  struct gt_answer answer;
  double begin;

  if (side->mode >= 0)
    gains->set_mode ((gsltune_mode) side->mode);
  begin = gt_now ();
  for (unsigned k = 0; k < side->runs; k++)
    if (subject->f)
      subject->f->call (side->function, &subject->operands, &answer);
    else if (subject->id >= GT_FIRST_FACTOR)
      gt_factor_call (subject->id, side->function, &subject->factor);
    else if (subject->id >= GT_FIRST_SORT && subject->id < GT_FIRST_UPDATE)
      gt_sort_call (subject->id, side->function, &subject->sort);
    else
      {
        gt_procedure_restore (subject->id, &subject->procedure);
        gt_procedure_do (subject->id, side->function, &subject->procedure);
      }
  return (gt_now () - begin) / side->runs;
}

/* The first round determines the runs of a batch.  It is not timed, because it includes work
   that is done only once.  */
static void
time_sides (const struct gt_gains *gains, const struct subject *subject,
            struct side *sides, unsigned n, double seconds)
{
  double end;

  for (unsigned k = 0; k < n; k++)
    {
      sides[k].runs = 1;
      time_runs (gains, subject, &sides[k]);
      while (time_runs (gains, subject, &sides[k]) * sides[k].runs
               < BATCH
             && sides[k].runs < MOST_RUNS)
        sides[k].runs *= 2;
      sides[k].best = 0;
      sides[k].n_times = 0;
    }
  end = gt_now () + seconds;
  do
    for (unsigned k = 0; k < n; k++)
      {
        const double taken = time_runs (gains, subject, &sides[k]);

        if (sides[k].best == 0 || taken < sides[k].best)
          sides[k].best = taken;
        if (sides[k].n_times < MOST_TIMES)
          sides[k].times[sides[k].n_times++] = taken;
      }
  while (gt_now () < end);
}

int
gt_gain_measure (const struct gt_gains *gains, enum gt_taken_id id,
                 uint64_t n, const uint64_t stride[2], double seconds, int only_gsl,
                 struct gt_gain *gain)
{
  struct subject subject = {.id = id, .f = gt_listed_named (gt_taken[id].symbol)};
  struct side sides[1 + GT_N_MODES];
  const int n_ours = only_gsl ? 0 : GT_N_MODES;
  char name[96];
  void *ours;
  double scale;

  snprintf (name, sizeof name, "gsl_%s", gt_taken[id].symbol);
  sides[0] = (struct side) {.function = dlsym (gains->gsl, name), .mode = -1};
  ours = dlsym (gains->object, name);
  for (int m = 0; m < GT_N_MODES; m++)
    sides[1 + m] = (struct side) {.function = ours, .mode = m};
  if (sides[0].function == NULL || ours == NULL || n == 0)
    return -1;
  if (subject.f)
    scale = make_operands (subject.f, n, stride, &subject.operands);
  else if (id >= GT_FIRST_FACTOR)
    scale = gt_factor_data_make (&subject.factor, id, n, stride, MOST_BYTES);
  else if (id >= GT_FIRST_UPDATE)
    scale = gt_update_like (id, n, stride, MOST_BYTES, &subject.procedure);
  else if (id >= GT_FIRST_SORT)
    scale = gt_sort_data_make (&subject.sort, id, GT_SORT_RANDOM, n, MOST_BYTES);
  else
    scale = gt_procedure_like (id, n, stride, MOST_BYTES, &subject.procedure);
  if (scale == 0)
    return -1;
  time_sides (gains, &subject, sides, 1 + (unsigned) n_ours, seconds);
  free ((void *) subject.operands.x);
  free ((void *) subject.operands.y);
  gt_procedure_free (&subject.procedure);
  gt_sort_data_free (&subject.sort);
  gt_factor_data_free (id, &subject.factor);
  gain->gsl = scale * sides[0].best;
  gain->spread = gt_median (sides[0].times, sides[0].n_times) / sides[0].best - 1;
  for (int m = 0; m < n_ours; m++)
    gain->ours[m] = scale * sides[1 + m].best;
  gain->ours[GT_MODE_AUTO]
    = gain->ours[(id >= GT_FIRST_PROCEDURE && id <= GT_LAST_PROCEDURE)
                     || gt_taken[id].family[0] == 'l' ? GT_MODE_FAST : GT_MODE_EXACT];
  return 0;
}
