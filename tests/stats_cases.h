/* Every statistic of src/functions.def for elements of TYPE, against GSL's own: a
   template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* What the functions are given.  */
struct NAMED (given, )
{
  const TYPE *x, *y, *w; /* the last are weights, as far apart as x */
  size_t x_stride, y_stride, n;
  double mean, sd;
};

/* Data of a kind, the same from run to run.  Integers are of the type's whole range,
   but for the last kind.  */
static TYPE
NAMED (datum, ) (enum kind kind, uint64_t *seed)
{
  const uint64_t bits = random_word (seed);
  const double fraction = (double) (bits >> 11) * 0x1p-53;

#if REAL
  switch (kind)
    {
    case AROUND_ZERO:
      return (TYPE) (2 * fraction - 1);
    case FAR_FROM_ZERO:
      return (TYPE) (1000 + fraction);
    case OF_MANY_SIZES:
      return (TYPE) ldexp (2 * fraction - 1, (int) (bits & 31) - 16);
    default:
      return (TYPE) (bits >> 61);
    }
#else
  return kind == FEW_VALUES ? (TYPE) (100 * fraction) : (TYPE) bits;
#endif
}

static size_t
NAMED (positive, ) (const struct NAMED (given, ) *c)
{
  size_t count = 0;

  for (size_t i = 0; i < c->n; i++)
    count += c->w[i * c->x_stride] > 0;
  return count;
}

static void
NAMED (compare, ) (const char *name, const struct NAMED (given, ) *c,
                 double ours, double gsl, const char *what)
{
  if (c->n == 0 && strstr (name, "correlation")) /* GSL reads what is not there */
    gsl = NAN;
  /* Of one weight GSL divides by what rounding leaves of nothing.  */
  if (NAMED (positive, ) (c) == 1
      && (strstr (name, "wvariance") || strstr (name, "wsd")
          || strcmp (name, "wskew") == 0 || strcmp (name, "wkurtosis") == 0)
      && !strstr (name, "fixed"))
    return;
  /* Of one element it multiplies by infinity, what it has rounded to 0 too.  */
  if (c->n == 1 && isinf (ours) && isnan (gsl))
    return;
  /* It squares weights in their type.  */
  if (!agree (ours, gsl,
              ARITHMETIC == GT_F32 && *name == 'w' ? FLT_EPSILON * 100
                                                   : TOLERANCE))
    fail_msg ("%s of %zu %s, strides %zu and %zu, %s: %.17g, GSL has %.17g",
              name, c->n, gt_types[NAMED_BY (GT_TYPE_, ID, )].name,
              c->x_stride, c->y_stride, what, ours, gsl);
}

static void
NAMED (statistics_agree, ) (const struct NAMED (given, ) *c, const char *what)
{
#define AGREE(name, ...)                                                    \
  NAMED (compare, ) (#name, c, NAMED (gsltune_stats, _##name) (__VA_ARGS__), \
                   NAMED (gsl_stats, _##name) (__VA_ARGS__), what);
#define ONE c->x, c->x_stride, c->n
#define TWO c->x, c->x_stride, c->y, c->y_stride, c->n
#define ROW_DOUBLE(name) AGREE (name, ONE)
#define ROW_DOUBLE_M(name) AGREE (name, ONE, c->mean)
#define ROW_DOUBLE_M_SD(name) AGREE (name, ONE, c->mean, c->sd)
#define ROW_PAIR(name) AGREE (name, TWO)
#define ROW_PAIR_M(name) AGREE (name, TWO, c->mean, c->sd)
#define BY_WEIGHT c->w, c->x_stride, c->y, c->y_stride, c->n
#define ROW_WEIGHTED(name) AGREE (name, BY_WEIGHT)
#define ROW_WEIGHTED_M(name) AGREE (name, BY_WEIGHT, c->mean)
#define ROW_WEIGHTED_M_SD(name) AGREE (name, BY_WEIGHT, c->mean, c->sd)
#define ROW_VALUE(name)
#define ROW_VALUES(name)
#define ROW_INDEX(name)
#define ROW_INDEXES(name)
#define OF_STATS_ALL(name, result) ROW_##result (name)
#if REAL
#define OF_STATS_REALS(name, result) ROW_##result (name)
#else
#define OF_STATS_REALS(name, result)
#endif
#include "src/functions.def"
#undef OF_STATS_REALS
}

static void
NAMED (cases, ) (enum kind kind, size_t n, size_t x_stride, size_t y_stride)
{
  TYPE *x = malloc ((n * x_stride + 1) * sizeof *x);
  TYPE *y = malloc ((n * y_stride + 1) * sizeof *y);
  TYPE *w = malloc ((n * x_stride + 1) * sizeof *w);
  struct NAMED (given, ) c = {x, y, w, x_stride, y_stride, n, 0.25, 1.5};
  uint64_t seed = n + x_stride;
  char what[80];

  assert_true (x && y && w);
  for (size_t i = 0; i <= n * x_stride; i++)
    x[i] = NAMED (datum, ) (kind, &seed);
  for (size_t i = 0; i <= n * y_stride; i++)
    y[i] = NAMED (datum, ) (kind, &seed);
  /* Where one weight is nearly all, GSL has its own rounding: tests/test_stats_truth.c.  */
  for (size_t i = 0; i <= n * x_stride; i++)
    w[i] = NAMED (datum, ) (kind == OF_MANY_SIZES ? AROUND_ZERO : kind, &seed);
  if (n > 0)
    c.mean += (double) x[0] / 2;
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      snprintf (what, sizeof what, "%s, data %d", gt_mode_names[mode],
                (int) kind);
      NAMED (statistics_agree, ) (&c, what);
    }
  free (x);
  free (y);
  free (w);
}
