/* Error and speed of the ways to sum doubles, side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/cpu/superaccumulator.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/measure/statistics.h"
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

static void
fill_uniform (double *x, size_t n, uint64_t *state)
{
  for (size_t i = 0; i < n; i++)
    x[i] = uniform (state);
}

static void
fill_normal (double *x, size_t n, uint64_t *state)
{
  for (size_t i = 0; i < n; i++)
    x[i] = normal (state);
}

static void
fill_moderate (double *x, size_t n, uint64_t *state)
{
  for (size_t i = 0; i < n; i++)
    x[i] = spread (state, 40);
}

static void
fill_wide (double *x, size_t n, uint64_t *state)
{
  for (size_t i = 0; i < n; i++)
    x[i] = spread (state, 500);
}

/* The second half takes the first back, but for a little now and then.  */
static void
fill_cancelling (double *x, size_t n, uint64_t *state)
{
  for (size_t i = 0; i < n; i++)
    x[i] = 2 * i < n ? spread (state, 20)
           : i % 64 ? -x[n - 1 - i] : -x[n - 1 - i] * (1 + 0x1p-40);
}

/* Kahan's compensation is lost with the sum that a huge number hides.  */
static void
fill_alternating (double *x, size_t n, uint64_t *state)
{
  static const double huge[2] = {0x1p100, -0x1p100};

  for (size_t i = 0; i < n; i++)
    x[i] = i % 2 ? huge[i / 2 % 2] : uniform (state);
}

static const struct
{
  const char *name;
  void (*fill) (double *x, size_t n, uint64_t *state);
} kinds[] = {
  {"uniform", fill_uniform},
  {"normal", fill_normal},
  {"exponents +-40", fill_moderate},
  {"exponents +-500", fill_wide},
  {"cancelling", fill_cancelling},
  {"huge and tiny", fill_alternating}
};

/* -------------------------------------------------------------- Methods */

/* Kahan's own form (W. Kahan, "Further remarks on reducing truncation errors",
   Communications of the ACM 8, 1965), to compare with Neumaier's, which is what
   compensated mode is.  */
static double
kahan (const gsl_vector *v)
{
  double s = 0, c = 0;

  for (size_t i = 0; i < v->size; i++)
    {
      double y = v->data[i * v->stride] - c, t = s + y;

      c = (t - s) - y;
      s = t;
    }
  return s;
}

#define NO_MODE (-1) /* not the library's */

static const struct method
{
  const char *name;
  double (*sum) (const gsl_vector *v);
  int mode;
} methods[] = {
  {"gsl_vector_sum", gsl_vector_sum, NO_MODE},
  {"fast", gsltune_vector_sum, GSLTUNE_MODE_FAST},
  {"Kahan", kahan, NO_MODE},
  {"compensated", gsltune_vector_sum, GSLTUNE_MODE_COMPENSATED},
  {"exact", gsltune_vector_sum, GSLTUNE_MODE_EXACT}
};

#define N_OF(array) (sizeof (array) / sizeof *(array))
#define N_METHODS N_OF (methods)

struct result
{
  double error;   /* in units in the last place of the right sum */
  double seconds; /* of a sum */
};

static double
call (const struct method *method, const gsl_vector *v)
{
  if (method->mode != NO_MODE)
    gsltune_set_mode ((gsltune_mode) method->mode);
  return method->sum (v);
}

/* The mean of enough calls to last a sample.  */
static double
time_method (const struct method *method, const gsl_vector *v)
{
  for (unsigned calls = 1;; calls *= 2)
    {
      double begin = gt_now (), taken;

      for (unsigned k = 0; k < calls; k++)
        {
          volatile double sum = call (method, v);
          (void) sum;
        }
      taken = gt_now () - begin;
      if (taken > SAMPLE)
        return taken / calls;
    }
}

/* How far SUM lies from the exact sum in ACC.  The difference is exact until it
   is rounded.  */
static double
error_in_ulps (const struct gt_superaccumulator *acc, double sum)
{
  struct gt_superaccumulator copy = *acc;
  double right = fabs (gt_super_round (&copy));

  if (!isfinite (sum))
    return INFINITY;
  gt_super_add (&copy, -sum);
  return fabs (gt_super_round (&copy)) / (nextafter (right, INFINITY) - right);
}

/* All methods in turn, so that what disturbs one disturbs all.  */
static void
measure (const double *x, size_t n, struct result result[N_METHODS])
{
  gsl_vector_const_view v = gsl_vector_const_view_array (x, n);
  double seconds[N_METHODS][ROUNDS];
  struct gt_superaccumulator acc;

  gt_super_clear (&acc);
  gt_super_add_array_f64 (&acc, x, n, 1);
  for (size_t m = 0; m < N_METHODS; m++)
    result[m].error = error_in_ulps (&acc, call (&methods[m], &v.vector));
  for (int r = 0; r < ROUNDS; r++)
    for (size_t m = 0; m < N_METHODS; m++)
      seconds[m][r] = time_method (&methods[m], &v.vector);
  for (size_t m = 0; m < N_METHODS; m++)
    result[m].seconds = gt_median (seconds[m], ROUNDS, NULL);
}

/* ------------------------------------------------------------ Reporting */

static void
add_row (struct gt_table *table, const char *kind, size_t m, size_t n,
         const struct result result[N_METHODS])
{
  gt_table_printf (table, "%s\t%s\t%.3g\t%.3f\t%.2f", m ? "" : kind,
                   methods[m].name, result[m].error,
                   result[m].seconds * 1e9 / (double) n,
                   result[0].seconds / result[m].seconds);
}

static json_t *
row_json (const char *kind, size_t m, size_t n,
          const struct result result[N_METHODS])
{
  double error = result[m].error;

  return json_pack ("{s:s, s:s, s:o, s:f, s:f}", "data", kind, "method",
                    methods[m].name, "error_ulps",
                    isfinite (error) ? json_real (error) : json_null (),
                    "ns_per_element", result[m].seconds * 1e9 / (double) n,
                    "ratio", result[0].seconds / result[m].seconds);
}

static int
report (struct gt_table *table, json_t *list, size_t n, int json)
{
  if (json)
    {
      gt_table_free (table);
      return gt_print_json (json_pack ("{s:s, s:I, s:o}", "type", "double", "n",
                                       (json_int_t) n, "results", list));
    }
  printf ("Sums of %s double; error in units in the last place of the right"
          " sum,\nmedians of %d interleaved timings\n\n", gt_format_count (n),
          ROUNDS);
  gt_table_print (table, stdout);
  gt_table_free (table);
  json_decref (list);
  return gt_finish_stdout ();
}

int
gt_accuracy (size_t n, int json)
{
  static const char *const headings[]
    = {"data", "method", "error", "ns/element", "gain", NULL};
  gsltune_mode before = gsltune_get_mode ();
  double *x = malloc (n * sizeof *x);
  struct result result[N_METHODS];
  struct gt_table *table;
  json_t *list;

  if (x == NULL)
    {
      gt_error ("no memory for %zu doubles: choose a smaller -n", n);
      return GT_EXIT_FAILED;
    }
  table = gt_table_new (headings, "llrrr");
  list = json_array ();
  for (size_t k = 0; k < N_OF (kinds); k++)
    {
      uint64_t state = 0x9e3779b97f4a7c15u;

      kinds[k].fill (x, n, &state);
      measure (x, n, result);
      for (size_t m = 0; m < N_METHODS; m++)
        {
          add_row (table, kinds[k].name, m, n, result);
          json_array_append_new (list, row_json (kinds[k].name, m, n, result));
        }
    }
  free (x);
  gsltune_set_mode (before);
  return report (table, list, n, json);
}
