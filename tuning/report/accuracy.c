/* Error and speed of the ways to sum doubles, and to make a dot product, a norm or a
   variance of them, side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/wide/products.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/measure/listed.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define ROUNDS 5
#define SAMPLE 1e-3 /* seconds */

/* ----------------------------------------------------------------- Data */

/* Uniform in [0, 1), with all digits of a double.  */
static double
uniform (uint64_t *state)
{
  return (double) (gt_random (state) >> 11) * 0x1p-53;
}

/* The polar method (G. Marsaglia and T. A. Bray, "A Convenient Method for
   Generating Normal Variables", SIAM Review 6, 1964).  */
static double
normal (uint64_t *state)
{
  double u, v, q;

  do
    {
      u = 2 * uniform (state) - 1;
      v = 2 * uniform (state) - 1;
      q = u * u + v * v;
    }
  while (q >= 1 || q == 0);
  return u * sqrt (-2 * log (q) / q);
}

/* Of either sign, its exponent uniform in +-RANGE.  */
static double
spread (uint64_t *state, int range)
{
  int exponent = (int) (gt_random (state) % (unsigned) (2 * range + 1)) - range;
  double x = ldexp (1 + uniform (state), exponent);

  return gt_random (state) >> 63 ? -x : x;
}

enum kind
{
  UNIFORM,
  NORMAL,
  MODERATE,
  WIDE,
  CANCELLING,
  HUGE_AND_TINY,
  N_KINDS
};

static const char *const kinds[N_KINDS]
  = {"uniform",    "normal",       "exponents +-40", "exponents +-500",
     "cancelling", "huge and tiny"};

/* Returns element I of X's N of that kind; those before it are known.  */
static double
element (enum kind kind, const double *x, size_t n, size_t i, uint64_t *state)
{
  switch (kind)
    {
    case UNIFORM:
      return uniform (state);
    case NORMAL:
      return normal (state);
    case MODERATE:
      return spread (state, 40);
    case WIDE:
      return spread (state, 500);
    case CANCELLING:
      /* The second half takes the first back, except for a little now and
         then.  */
      return 2 * i < n ? spread (state, 20)
             : i % 64 ? -x[n - 1 - i] : -x[n - 1 - i] * (1 + 0x1p-40);
    default:
      /* Kahan's compensation is lost with the sum that a huge number hides.  */
      return i % 2 ? (i / 2 % 2 ? -0x1p100 : 0x1p100) : uniform (state);
    }
}

/* -------------------------------------------------------------- Methods */

/* Kahan's own form (W. Kahan, "Further remarks on reducing truncation errors",
   Communications of the ACM 8, 1965), to compare with Neumaier's, which is what
   compensated mode is.  */
static double
kahan (const double *x, size_t n)
{
  double s = 0, c = 0;

  for (size_t i = 0; i < n; i++)
    {
      double y = x[i] - c, t = s + y;

      c = (t - s) - y;
      s = t;
    }
  return s;
}

enum by
{
  BY_GSL,
  BY_US,
  BY_KAHAN
};

/* The reductions whose error is told, and what is made of the doubles.  */
static const char *const titles[GT_N_REDUCTIONS] = {
  [GT_SUM] = "Sums of",
  [GT_DOT] = "Dot products of the halves of",
  [GT_SUMSQ] = "Euclidean norms of",
  [GT_MOMENTS] = "Variances of"
};

static double
compute (const struct gt_listed *f, enum by by, const double *x, size_t n)
{
  const struct gt_operands operands = {.x = x, .y = x + n / 2,
                                       .n = f->inputs == 2 ? n / 2 : n,
                                       .stride = {1, 1}};
  struct gt_answer answer;

  if (by == BY_KAHAN)
    return kahan (x, n);
  f->call (by == BY_US ? f->ours : f->gsl, &operands, &answer);
  return (double) gt_answer_value (f, &answer, 0);
}

/* Computes the right result of every operation but sums, by the accumulators that all
   quicker ways are compared with.  */
static double
right_of (enum gt_reduction reduction, const double *x, size_t n)
{
  struct gt_product_accumulator products = {0};
  struct gt_superaccumulator sum;

  if (reduction == GT_DOT)
    {
      gt_product_add_array_f64 (&products, x, 1, x + n / 2, 1, n / 2);
      return gt_finish_dot (&products);
    }
  gt_product_add_array_f64 (&products, x, 1, x, 1, n);
  if (reduction == GT_SUMSQ)
    return gt_finish_norm (&products);
  gt_super_clear (&sum);
  gt_super_add_array_f64 (&sum, x, n, 1);
  return gt_finish_spread (GT_VARIANCE, &sum, &sum, &products, n, NULL);
}

#define NO_MODE (-1) /* not the library's */

static const struct method
{
  const char *name; /* null: that of GSL's function */
  enum by by;
  int mode;
} methods[] = {
  {NULL, BY_GSL, NO_MODE},
  {"fast", BY_US, GSLTUNE_MODE_FAST},
  {"Kahan", BY_KAHAN, NO_MODE},
  {"compensated", BY_US, GSLTUNE_MODE_COMPENSATED},
  {"exact", BY_US, GSLTUNE_MODE_EXACT}
};

#define N_METHODS (sizeof methods / sizeof *methods)

struct result
{
  double error;   /* in units in the last place of what is right */
  double seconds; /* of a call */
};

/* One kind of data.  */
struct trial
{
  const struct gt_listed *function;
  const char *kind;
  const double *x;
  size_t n;
  struct result result[N_METHODS];
};

/* Kahan's way is for sums alone.  */
static int
has (const struct trial *trial, size_t m)
{
  return methods[m].by != BY_KAHAN || trial->function->reduction == GT_SUM;
}

static double
call (const struct trial *trial, size_t m)
{
  if (methods[m].mode != NO_MODE)
    gsltune_set_mode ((gsltune_mode) methods[m].mode);
  return compute (trial->function, methods[m].by, trial->x, trial->n);
}

/* The mean of enough calls to last a sample.  */
static double
time_method (const struct trial *trial, size_t m)
{
  for (unsigned calls = 1;; calls *= 2)
    {
      double begin = gt_now (), taken;

      for (unsigned k = 0; k < calls; k++)
        {
          volatile double result = call (trial, m);
          (void) result;
        }
      taken = gt_now () - begin;
      if (taken > SAMPLE)
        return taken / calls;
    }
}

static double
unit_of (double right)
{
  return nextafter (fabs (right), INFINITY) - fabs (right);
}

/* How far SUM lies from the exact sum in ACC.  The difference is exact until it
   is rounded.  */
static double
error_of_sum (const struct gt_superaccumulator *acc, double sum)
{
  struct gt_superaccumulator copy = *acc;
  double right = gt_super_round (&copy);

  if (!isfinite (sum))
    return INFINITY;
  gt_super_add (&copy, -sum);
  return fabs (gt_super_round (&copy)) / unit_of (right);
}

/* Fills in the errors; those of other results than sums are from the correctly rounded
   number.  */
static void
find_errors (struct trial *trial)
{
  const enum gt_reduction reduction = trial->function->reduction;
  struct gt_superaccumulator acc;
  double right = 0;

  gt_super_clear (&acc);
  if (reduction != GT_SUM)
    right = right_of (reduction, trial->x, trial->n);
  else
    gt_super_add_array_f64 (&acc, trial->x, trial->n, 1);
  for (size_t m = 0; m < N_METHODS; m++)
    if (has (trial, m))
      {
        const double got = call (trial, m);

        trial->result[m].error
          = reduction == GT_SUM ? error_of_sum (&acc, got)
            : got == right || (isnan (got) && isnan (right)) ? 0
            : isfinite (got) ? fabs (got - right) / unit_of (right) : INFINITY;
      }
}

/* Times all methods in turn, so that what disturbs one disturbs all.  */
static void
measure (struct trial *trial)
{
  double seconds[N_METHODS][ROUNDS];

  find_errors (trial);
  for (int r = 0; r < ROUNDS; r++)
    for (size_t m = 0; m < N_METHODS; m++)
      if (has (trial, m))
        seconds[m][r] = time_method (trial, m);
  for (size_t m = 0; m < N_METHODS; m++)
    if (has (trial, m))
      trial->result[m].seconds = gt_median (seconds[m], ROUNDS, NULL);
}

/* ------------------------------------------------------------ Reporting */

static const char *
name_of (const struct trial *trial, size_t m)
{
  return methods[m].name ? methods[m].name : trial->function->symbol;
}

static void
add_row (struct gt_table *table, const struct trial *trial, size_t m)
{
  const struct result *result = trial->result;

  gt_table_printf (table, "%s\t%s\t%.3g\t%.3f\t%.2f", m ? "" : trial->kind,
                   name_of (trial, m), result[m].error,
                   result[m].seconds * 1e9 / (double) trial->n,
                   result[0].seconds / result[m].seconds);
}

static json_t *
row_json (const struct trial *trial, size_t m)
{
  const struct result *result = trial->result;
  double error = result[m].error;

  return json_pack ("{s:s, s:s, s:o, s:f, s:f}", "data", trial->kind, "method",
                    name_of (trial, m), "error_ulps",
                    isfinite (error) ? json_real (error) : json_null (),
                    "ns_per_element",
                    result[m].seconds * 1e9 / (double) trial->n, "ratio",
                    result[0].seconds / result[m].seconds);
}

static int
report (enum gt_reduction reduction, struct gt_table *table, json_t *list,
        size_t n)
{
  if (list)
    return gt_print_json (json_pack (
      "{s:s, s:s, s:I, s:o}", "operation", gt_reductions[reduction].name, "type",
      "double", "n", (json_int_t) n, "results", list));
  printf ("%s %s double; error in units in the last place of the right %s,\n"
          "medians of %d interleaved timings\n\n", titles[reduction],
          gt_format_count (n), reduction == GT_SUM ? "sum" : "result", ROUNDS);
  gt_table_print (table, stdout);
  return GT_EXIT_OK;
}

int
gt_accuracy (enum gt_reduction reduction, size_t n, int json)
{
  gsltune_mode before = gsltune_get_mode ();
  double *x = malloc (n * sizeof *x);
  struct trial trial = {gt_listed_for (reduction, GT_TYPE_DOUBLE), NULL, x, n,
                        {{0, 0}}};
  struct gt_table *table = NULL;
  json_t *list = json ? json_array () : NULL;

  if (titles[reduction] == NULL)
    gt_usage ("bench: --accuracy knows the operations sum, dot, sumsq and moments,"
              " not %s", gt_reductions[reduction].name);
  if (x == NULL)
    return gt_failed ("no memory for %zu doubles: choose a smaller -n", n);
  if (!json)
    table = gt_table_new ("llrrr", "data\tmethod\terror\tns/element\tgain");
  for (enum kind k = 0; k < N_KINDS; k++)
    {
      uint64_t state = 0x9e3779b97f4a7c15u;

      for (size_t i = 0; i < n; i++)
        x[i] = element (k, x, n, i, &state);
      trial.kind = kinds[k];
      measure (&trial);
      for (size_t m = 0; m < N_METHODS; m++)
        if (has (&trial, m) && json)
          json_array_append_new (list, row_json (&trial, m));
        else if (has (&trial, m))
          add_row (table, &trial, m);
    }
  free (x);
  gsltune_set_mode (before);
  return report (reduction, table, list, n);
}
