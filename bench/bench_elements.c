/* Whether the library is slower than GSL, or than itself, because of what elements are
   or how two vectors lie: the second part of the table "never-slower".

   Timed as in contest.c: GSL's function and the library's in each mode take turns, on
   the same elements, and the library's on ordinary numbers beside them; the best of the
   rounds counts.  A row that takes more than is allowed is timed once more, longer.

   Allowed is GSL's time over 0.95 or 3 ns more in fast mode; the other modes compute
   more and are allowed twice GSL's time or 12 ns more.  Elements that are not ordinary,
   which a sum may have to look at once more, are allowed twice the time of ordinary ones
   or 12 ns more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/contest.h"
#include "src/base/env.h"
#include "src/gsltune.h"
#include "tuning/text/cli.h"

#define LONGEST_EXPONENT 20
#define FARTHEST 15 /* stride */

/* -------------------------------------------------------------- Functions */

#define MEAN 1.5
#define DEVIATION 0.3

static const enum gt_function of_one[]
  = {GT_FUNCTION_MAX, GT_FUNCTION_IAMAX, GT_FUNCTION_ASUM, GT_FUNCTION_NRM2,
     GT_FUNCTION_MEAN, GT_FUNCTION_VARIANCE, GT_FUNCTION_SD_M,
     GT_FUNCTION_ABSDEV, GT_FUNCTION_SKEW, GT_FUNCTION_KURTOSIS,
     GT_FUNCTION_LAG1_AUTOCORRELATION};
static const enum gt_function of_two[]
  = {GT_FUNCTION_DOT, GT_FUNCTION_COVARIANCE, GT_FUNCTION_CORRELATION,
     GT_FUNCTION_WMEAN, GT_FUNCTION_WVARIANCE};

/* --------------------------------------------------------------- Elements */

enum kind
{
  ORDINARY,
  NAN_FIRST,
  NAN_MIDDLE,
  NAN_LAST,
  NANS,
  INFINITY_MIDDLE,
  INFINITIES,
  BOTH_INFINITIES,
  SUBNORMAL,
  SUBNORMALS,
  ALL_HUGE,
  ZEROS,
  N_KINDS
};
static const char *const kind_names[N_KINDS]
  = {"ordinary", "NaN first", "NaN in the middle", "NaN last", "many NaN",
     "infinity", "many infinities", "infinities of both signs", "one subnormal",
     "all subnormal", "all huge", "zeros"};

static double
element (enum kind kind, size_t i, size_t n)
{
  const double x = 1 + (double) (i * 7919 % 1009) / 1013;

  switch (kind)
    {
    case NAN_FIRST: return i ? x : (double) NAN;
    case NAN_MIDDLE: return i == n / 2 ? (double) NAN : x;
    case NAN_LAST: return i == n - 1 ? (double) NAN : x;
    case NANS: return i % 5 == 2 ? (double) NAN : x;
    case INFINITY_MIDDLE: return i == n / 2 ? (double) INFINITY : x;
    case INFINITIES: return i % 5 == 2 ? (double) INFINITY : x;
    case BOTH_INFINITIES:
      return i == n / 3 ? (double) INFINITY : i == n / 2 ? -(double) INFINITY : x;
    case SUBNORMAL: return i == n / 2 ? x * 1e-310 : x;
    case SUBNORMALS: return x * 1e-310;
    case ALL_HUGE: return x * 1e300;
    case ZEROS: return 0;
    default: return x;
    }
}

static void
fill (double *x, size_t n, size_t stride, enum kind kind)
{
  for (size_t i = 0; i < n; i++)
    x[i * stride] = element (kind, i, n);
}

/* ------------------------------------------------------------------- Form */

enum
{
  N,
  FUNCTION_OF,
  STRIDE,
  SECOND_STRIDE,
  GSL_SECONDS,
  ORDINARY_SECONDS,
  SECONDS,
  GAIN,
  OF_ALLOWED,
  OF_ORDINARY
};

#define FORM(mode, time_allowed)                                             \
  .name = "never-slower elements " mode,                                     \
  .title = "double, " mode " mode: elements of every kind, and two vectors"  \
           " with strides of their own; allowed: " time_allowed              \
           ", and twice the time of ordinary elements or 12 ns more than it", \
  .remark = "elements",                                                      \
  .second = FUNCTION_OF,                                                     \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                               \
              [FUNCTION_OF] = {"function", "function", GT_UNIT_FUNCTION},    \
              [STRIDE] = {"stride", "stride", GT_UNIT_COUNT},                \
              [SECOND_STRIDE] = {"second", "second_stride", GT_UNIT_COUNT},  \
              [GSL_SECONDS] = {"GSL", "gsl_seconds", GT_UNIT_SECONDS},       \
              [ORDINARY_SECONDS] = {"ordinary", "ordinary_seconds",          \
                                    GT_UNIT_SECONDS},                        \
              [SECONDS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},   \
              [GAIN] = {"gsltune/GSL", "gsltune_ratio", GT_UNIT_GAIN},       \
              [OF_ALLOWED] = {"of allowed", "share_of_allowed",              \
                              GT_UNIT_SHARE},                                \
              [OF_ORDINARY] = {"of ordinary", "share_of_ordinary",           \
                               GT_UNIT_SHARE}},                              \
  .bars = {{"the time allowed: " time_allowed, OF_ALLOWED, 1, 1,             \
            UINT64_MAX, 0, GT_ANY},                                          \
           {"twice the time of ordinary elements, or within 12 ns",          \
            OF_ORDINARY, 1, 1, UINT64_MAX, 0, GT_ANY}},                      \
  .summary = {OF_ALLOWED, 1}

#define QUICK "GSL's over 0.95 or 3 ns more"
#define MORE "twice GSL's or 12 ns more"

/* The order of the sheets.  */
static const enum gt_mode order[GT_N_MODES]
  = {GT_MODE_FAST, GT_MODE_COMPENSATED, GT_MODE_EXACT};
const struct gt_form gt_elements_forms[GT_N_MODES]
  = {{FORM ("fast", QUICK)}, {FORM ("compensated", MORE)}, {FORM ("exact", MORE)}};

static double
allowed (enum gt_mode mode, double gsl)
{
  return mode == GT_MODE_FAST ? fmax (gsl / 0.95, gsl + 3e-9)
                              : fmax (gsl * 2, gsl + 12e-9);
}

static double
allowed_of_ordinary (double ordinary)
{
  return fmax (ordinary * 2, ordinary + 12e-9);
}

/* ----------------------------------------------------------------- Timing */

/* Each mode, GSL, and each mode with ordinary elements.  */
#define GSL GT_N_MODES
#define BESIDE (GT_N_MODES + 1)
#define N_CONTENDERS (2 * GT_N_MODES + 1)

struct bench
{
  struct gt_schedule first, second;
  struct gt_contest contest;
  struct gt_sheet *sheet[GT_N_MODES];
  double *x, *y, *ordinary;
};

static void
add_row (struct bench *bench, enum gt_mode mode, enum gt_function what,
         enum kind kind, const struct gt_operands *o, const struct gt_contender *all)
{
  struct gt_sheet *sheet = bench->sheet[mode];
  struct gt_row *row = &sheet->rows[sheet->n_rows++];
  const double gsl = all[GSL].best, ours = all[mode].best;
  const double ordinary = all[BESIDE + mode].best;

  row->value[N] = (double) o->n;
  row->value[FUNCTION_OF] = what;
  row->value[STRIDE] = (double) o->stride[0];
  row->value[SECOND_STRIDE] = (double) o->stride[1];
  row->value[GSL_SECONDS] = gsl;
  row->value[ORDINARY_SECONDS] = ordinary;
  row->value[SECONDS] = ours;
  row->value[GAIN] = gsl / ours;
  row->value[OF_ALLOWED] = ours / allowed (mode, gsl);
  row->value[OF_ORDINARY] = ours / allowed_of_ordinary (ordinary);
  snprintf (row->remark, sizeof row->remark, "%s", kind_names[kind]);
}

/* Of N elements that are KIND in the first vector, which lies in STRIDE steps.  */
static void
measure (struct bench *bench, enum gt_function what, enum kind kind, size_t n,
         size_t stride, size_t second_stride)
{
  const struct gt_listed *f = gt_bench_listed (what, GT_TYPE_DOUBLE);
  const struct gt_operands o
    = {.x = bench->x, .y = bench->y, .n = n, .stride = {stride, second_stride},
       .given = {MEAN, DEVIATION}};
  struct gt_operands beside = o;
  struct gt_contender all[N_CONTENDERS];

  beside.x = bench->ordinary;
  fill (bench->y, n, second_stride, ORDINARY);
  fill (bench->ordinary, n, stride, ORDINARY);
  fill (bench->x, n, stride, kind);
  for (int c = 0; c < N_CONTENDERS; c++)
    {
      all[c] = (struct gt_contender) {
        .listed = f, .function = c == GSL ? f->gsl : f->ours,
        .operands = c < BESIDE ? &o : &beside,
        .mode = (enum gt_mode) (c == GSL ? 0 : c % BESIDE), .threads = 2
      };
      gt_contest_call (&bench->contest, &all[c]);
    }
  gt_contest_time (&bench->contest, all, N_CONTENDERS, (1u << N_CONTENDERS) - 1,
                   &bench->first);
  for (int m = 0; m < GT_N_MODES; m++)
    {
      if (all[m].best > allowed ((enum gt_mode) m, all[GSL].best)
          || all[m].best > allowed_of_ordinary (all[BESIDE + m].best))
        gt_contest_time (&bench->contest, all, N_CONTENDERS,
                         1u << m | 1u << GSL | 1u << (BESIDE + m),
                         &bench->second);
      add_row (bench, (enum gt_mode) m, what, kind, &o, all);
    }
}

static void
measure_all (struct bench *bench, unsigned exponent)
{
  static const size_t lengths[] = {67, 1000, 20000};
  static const size_t strides[][2] = {{1, 15}, {15, 1}, {2, 3}, {15, 15}};
  static const size_t strided[] = {8, 32, 67, 300, 1000, 4096, 1 << 16, 1 << 20};
  const size_t longest = (size_t) 1 << exponent;

  for (unsigned f = 0; f < sizeof of_one / sizeof *of_one; f++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (lengths[i] <= longest)
          measure (bench, of_one[f], (enum kind) kind, lengths[i], 1, 1);
  for (unsigned f = 0; f < sizeof of_two / sizeof *of_two; f++)
    {
      for (int kind = 0; kind < N_KINDS; kind++)
        for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
          if (lengths[i] <= longest)
            measure (bench, of_two[f], (enum kind) kind, lengths[i], 1, 1);
      for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++)
        for (unsigned i = 0; i < sizeof strided / sizeof *strided; i++)
          if (strided[i] <= longest)
            measure (bench, of_two[f], ORDINARY, strided[i], strides[s][0],
                     strides[s][1]);
    }
}

int
gt_bench_elements (struct gt_bench *all, struct gt_sheet *sheet)
{
  const struct gt_bench_options *options = &all->options;
  const unsigned k = options->longest_exponent < LONGEST_EXPONENT
                       ? options->longest_exponent : LONGEST_EXPONENT;
  const enum gt_mode mode = gt_mode_now ();
  const enum gt_device_choice choice = gt_env.device;
  gsl_vector *room = gsl_vector_alloc (3 * ((FARTHEST << k) + 8));
  struct bench bench
    = {.first = {0.05e-3, 0.02, 5, options->rounds},
       .second = {0.2e-3, 0.1, 7, 2 * options->rounds}};

  if (room == NULL)
    {
      gt_error ("bench: no memory for test data");
      return -1;
    }
  bench.x = room->data;
  bench.y = bench.x + (FARTHEST << k) + 8;
  bench.ordinary = bench.y + (FARTHEST << k) + 8;
  for (int m = 0; m < GT_N_MODES; m++)
    bench.sheet[order[m]] = &sheet[m];
  gt_env.device = GT_CHOOSE_CPU;
  measure_all (&bench, k);
  gt_env.device = choice;
  gt_set_mode (mode);
  gsl_vector_free (room);
  return 0;
}
