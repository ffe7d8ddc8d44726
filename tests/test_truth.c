/* Tests of what the modes promise of sums, products, norms and statistics: exact mode their exact
   values, rounded once; the others to be off by so much.

   test_truth COUNT SEED compares so many results of functions, types, kinds of elements, lengths
   and strides that are drawn from the seed; `make check-truth' has 100,000 of them.  What is wrong
   is printed with the SEED with which "test_truth 1 SEED" repeats it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tuning/measure/listed.h"

enum { MOST = 5000, MOST_STRIDE = 4 };

static struct oracle oracle;
static mpfr_t exact, scale;
static unsigned long wrong;

/* ----------------------------------------------------------------- Promises */

/* A result that loses half of its digits to terms that cancel is not well conditioned.  */
#define WELL_CONDITIONED 0x1p26L

/* No error of GSL's counts for less than half a unit: no sum of rounded numbers can know when
   GSL's are in luck.  */
#define LEAST_OF_GSL 0.5L

/* Whether a result is off by no more than is promised.  CANCELLED are the units of the last
   place that one of the scale is.  */
static int
is_within (enum gt_mode mode, long double error, long double of_gsl, long double cancelled)
{
  if (mode == GT_MODE_COMPENSATED)
    return error <= fmaxl (4, of_gsl) || cancelled > WELL_CONDITIONED;
  return error <= 16 * fmaxl (of_gsl, LEAST_OF_GSL * cancelled) + 4 * cancelled;
}

/* A case: a function of elements, whose value has parts.  */
struct drawn
{
  const struct gt_listed *f;
  struct gt_operands o;
  const struct oracle_format *format;
  int kind;
  char text[100];
};

static long double
call (const struct drawn *d, void *function, int part)
{
  struct gt_answer a = {.status = 0};

  d->f->call (function, &d->o, &a);
  return gt_answer_value (d->f, &a, part);
}

/* The bits of doubles; a NaN may have any sign.  */
static int
same (long double x, long double y)
{
  return isnan (x) ? isnan (y) : x == y && signbit (x) == signbit (y);
}

/* About a given mean what is infinite may be NaN, as it is in GSL's recurrences, where an element
   is.  */
static int
may_be_nan (const struct drawn *d)
{
  return d->kind == SPECIAL && d->f->family == GT_OF_STATS && d->f->is_given;
}

/* Whether X of a mode but exact is what it promises.  */
static int
is_promised (const struct drawn *d, enum gt_mode mode, long double x, int part)
{
  const long double rounded = oracle_rounded (exact, d->format);
  const int is_lost = (!isfinite (x) && isfinite (rounded)) || (x == 0 && rounded != 0);
  long double gsl, error, of_gsl, cancelled;

  if (x == rounded || !isfinite (rounded))
    return 1;
  if (d->f->family == GT_OF_STATS && mode == GT_MODE_COMPENSATED)
    return 0;
  oracle_scale (scale, &oracle, d->f->name, part);
  /* In fast mode sums of magnitudes may overflow.  */
  if (d->f->family != GT_OF_STATS && mode == GT_MODE_FAST
      && oracle_place (scale, d->format) > -d->format->lowest - 2 * d->format->digits + 2)
    return 1;
  gsl = call (d, d->f->gsl, part);
  error = oracle_error (x, exact, d->format);
  of_gsl = oracle_error (gsl, exact, d->format);
  cancelled = ldexpl (1, (int) (oracle_place (scale, d->format) - oracle_place (exact, d->format)));
  return is_within (mode, error, of_gsl, cancelled)
         && !(is_lost && d->f->family == GT_OF_STATS && cancelled <= WELL_CONDITIONED
              && isfinite (gsl) && fabsl (gsl - rounded) < fabsl (rounded));
}

static void
tell (const struct drawn *d, const char *mode, long double x, long double expected, uint64_t seed)
{
  wrong++;
  print_message ("# %s of %zu, %s, %s: %.21Lg (%La) instead of %.21Lg (%La); seed %llu\n",
                 d->f->symbol, d->o.n, d->text, mode, x, x, expected, expected,
                 (unsigned long long) seed);
}

static int
is_integer_sum (const struct gt_listed *f)
{
  return f->reduction == GT_SUM && f->family == GT_OF_VECTOR
         && gt_is_integer (gt_types[f->type].arithmetic);
}

static long double
wrapped (enum gt_element_type type, uint64_t word)
{
  switch (type)
    {
#define X(id, name, infix, ctype, arithmetic) \
    case GT_TYPE_##id:                        \
      return (long double) (ctype) word;
      GT_ELEMENT_TYPES (X)
#undef X
    default:
      return 0;
    }
}

static void
judge (const struct drawn *d, uint64_t seed)
{
  for (int part = 0; part <= (d->f->reduction == GT_CDOT); part++)
    for (int mode = 0; mode < GT_N_MODES; mode++)
      {
        long double x, expected;

        gsltune_set_mode ((gsltune_mode) mode);
        x = call (d, d->f->ours, part);
        if (is_integer_sum (d->f))
          expected = wrapped (d->f->type, oracle_word (&oracle));
        else if (!oracle_value (exact, &oracle, d->f->name, part))
          continue;
        else
          expected = oracle_rounded (exact, d->format);
        if (isinf (expected) && isnan (x) && may_be_nan (d))
          continue;
        if (mode == GT_MODE_EXACT || is_integer_sum (d->f)
              ? !same (x, expected) : !is_promised (d, (enum gt_mode) mode, x, part))
          tell (d, gt_mode_names[mode], x, expected, seed);
      }
}

/* ------------------------------------------------------------------- Cases */

/* Those whose values the oracle has, of all types.  */
static const struct gt_listed *functions[1000];
static int n_functions;

static void
list_functions (void)
{
  for (int type = 0; type < GT_N_TYPES; type++)
    for (size_t k = 0; k < gt_listed[type].count; k++)
      {
        const struct gt_listed *f = &gt_listed[type].function[k];

        if (f->family == GT_OF_STATS ? f->answers == GT_ANSWERS_NUMBER
            : (f->family == GT_OF_VECTOR || f->family == GT_OF_BLAS)
                && (f->reduction == GT_SUM || f->reduction == GT_ASUM || f->reduction == GT_DOT
                    || f->reduction == GT_SUMSQ || f->reduction == GT_CDOT))
          functions[n_functions++] = f;
      }
}

static void
try_one (uint64_t seed)
{
  static long double buffers[2][2 * MOST * MOST_STRIDE + 8];
  const uint64_t first = seed;
  const struct gt_listed *f = functions[below (&seed, n_functions)];
  const enum gt_element_type type = f->type;
  const int kind = below (&seed, 50) == 0 ? SPECIAL
                   : below (&seed, below (&seed, 3) ? N_FINITE : N_ORDINARY);
  const int other = below (&seed, 3) ? below (&seed, N_FINITE) : kind;
  const int weights = below (&seed, 2) ? below (&seed, N_WEIGHTS) : ORDINARY;
  const int weighted = f->family == GT_OF_STATS && f->name[0] == 'w';
  const size_t xs = below (&seed, 2) ? 1 : 1 + (size_t) below (&seed, MOST_STRIDE);
  const size_t ys = below (&seed, 2) ? 1 : 1 + (size_t) below (&seed, MOST_STRIDE);
  const size_t n = below (&seed, 100) ? draw_length (MOST, &seed) : 0;
  char *x = (char *) buffers[0] + gt_types[type].size * (size_t) below (&seed, 4);
  char *y = (char *) buffers[1] + gt_types[type].size * (size_t) below (&seed, 4);
  struct drawn d = {.f = f, .kind = kind, .o = {.x = x, .y = y, .n = n, .stride = {xs, ys}}};

  if (weighted)
    {
      draw_weights (type, x, xs, n, (enum weights) weights, &seed);
      draw_elements (type, y, ys, n, (enum kind) kind, &seed);
      draw_given (type, y, ys, n, d.o.given, &seed);
    }
  else
    {
      draw_elements (type, x, xs, n, (enum kind) kind, &seed);
      if (f->family == GT_OF_STATS && kind < N_FINITE && below (&seed, 2))
        draw_followers (type, y, ys, x, xs, n, &seed);
      else
        draw_elements (type, y, ys, n, (enum kind) other, &seed);
      draw_given (type, x, xs, n, d.o.given, &seed);
    }
  if (type == GT_TYPE_FLOAT && f->family == GT_OF_BLAS)
    d.o.given[0] = (float) ldexp (1.5, below (&seed, 100) - 50);
  d.format = &oracle_formats[f->answers == GT_ANSWERS_NUMBER || f->answers == GT_ANSWERS_WIDE
                               ? GT_TYPE_DOUBLE : type];
  snprintf (d.text, sizeof d.text, "elements %d and %d, weights %d, strides %zu, %zu, given %g, %g",
            kind, other, weights, xs, ys, d.o.given[0], d.o.given[1]);
  oracle_load (&oracle, type, x, xs, y, ys, n, d.o.given);
  judge (&d, first);
}

static void
try_many (unsigned long count, uint64_t seed)
{
  for (unsigned long i = 0; i < count; i++)
    try_one (seed + i);
}

TEST (as_defined)
{
  try_many (10000, 1);
  assert_int_equal (wrong, 0);
}

FIXTURE (begin)
{
  oracle_begin (&oracle);
  mpfr_inits (exact, scale, (mpfr_ptr) NULL);
  list_functions ();
  return 0;
}

FIXTURE (end)
{
  mpfr_clears (exact, scale, (mpfr_ptr) NULL);
  oracle_end (&oracle);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    return run_unit_tests (begin, end);
  begin (NULL);
  try_many (strtoul (argv[1], NULL, 10), strtoull (argv[2], NULL, 10));
  end (NULL);
  printf ("%lu wrong of %s results from seed %s on\n", wrong, argv[1], argv[2]);
  return wrong > 0;
}
