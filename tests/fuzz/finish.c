/* Fuzz target: the one rounding, beside GNU MP and MPFR.  The first byte says of what:

   - Balls (kernels/cpu/finish/ball.h).  Each has a number that is in it, at an end or
     anywhere, with which everything is done that is done with the ball, and which is to be
     in what becomes of it.  What a ball is rounded to, both of its ends and that number are.
   - Quotients of whole numbers and their roots (kernels/whole.h).
   - Words of accumulators.

   Many of the latter are halfway between two numbers, or as near to that as there are any.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/whole.h"
#include "tests/finish_oracle.h"

enum { BALLS = 4, BALL_BITS = 2304, MOST_OPERATIONS = 24, WORDS = 4, ROOM = 64,
       WIDE_PART = 54 };

static int16_t
take_16 (struct gt_fuzz_bytes *bytes)
{
  int16_t x;

  gt_fuzz_take (bytes, &x, sizeof x);
  return x;
}

static int64_t
take_64 (struct gt_fuzz_bytes *bytes)
{
  int64_t x;

  gt_fuzz_take (bytes, &x, sizeof x);
  return x;
}

/* Equal, and of one sign.  */
static int
same (double x, double y)
{
  return memcmp (&x, &y, sizeof x) == 0;
}

/* ------------------------------------------------------------------- Balls */

struct known
{
  struct gt_ball ball;
  mpfr_t value; /* which is in it */
};

static struct known known[BALLS];
static mpfr_t middle, radius, end[2];

/* A ball's second number and radius are told in its first one's last places.  */
static void
take_ball (struct gt_fuzz_bytes *bytes, struct known *to)
{
  const double h = ldexp ((double) (take_64 (bytes) >> 10), take_16 (bytes) % 1074);
  const int last = h == 0 ? -52 : ilogb (h) - 52;
  const double l = ldexp ((double) take_64 (bytes), last - 63 - gt_fuzz_byte (bytes) % 64);
  const uint8_t digits = gt_fuzz_byte (bytes);
  const int8_t where = (int8_t) gt_fuzz_byte (bytes);

  to->ball = gt_ball_of (h, l, ldexp (digits, last - gt_fuzz_byte (bytes) % 128));
  mpfr_set_d (to->value, to->ball.radius, MPFR_RNDN);
  mpfr_mul_si (to->value, to->value, where == INT8_MAX ? 128 : where, MPFR_RNDN);
  mpfr_div_2ui (to->value, to->value, 7, MPFR_RNDN);
  mpfr_add_d (to->value, to->value, to->ball.l, MPFR_RNDN);
  mpfr_add_d (to->value, to->value, to->ball.h, MPFR_RNDN);
}

/* Nothing underflows of what is done with a ball once.  */
static int
is_moderate (const struct gt_ball *x)
{
  const double h = fabs (x->h), l = fabs (x->l), r = x->radius;

  return (h == 0 || (h >= 0x1p-250 && h <= 0x1p250)) && (l == 0 || l >= 0x1p-500)
         && (r == 0 || (r >= 0x1p-400 && r <= 0x1p250));
}

/* The value is in the ball, but for what rounds its radius.  */
static void
check_ball (const struct known *x)
{
  double rounded_to;
  const int bounded = isfinite (x->ball.h) && isfinite (x->ball.radius);
  const int to_double = gt_ball_round (x->ball, &rounded_to);
  const double as_double = rounded_to;
  const int to_float = gt_ball_round_to_float (x->ball, &rounded_to);

  GT_FUZZ_CHECK (bounded || !(to_double || to_float));
  if (!bounded)
    return;
  mpfr_set_d (middle, x->ball.h, MPFR_RNDN);
  mpfr_add_d (middle, middle, x->ball.l, MPFR_RNDN);
  mpfr_set_d (radius, x->ball.radius, MPFR_RNDN);
  mpfr_sub (end[0], middle, radius, MPFR_RNDN);
  mpfr_add (end[1], middle, radius, MPFR_RNDN);
  for (int i = 0; i < 2; i++)
    {
      GT_FUZZ_CHECK (!to_double || mpfr_get_d (end[i], MPFR_RNDN) == as_double);
      GT_FUZZ_CHECK (!to_float || (double) mpfr_get_flt (end[i], MPFR_RNDN) == rounded_to);
    }
  mpfr_sub (middle, middle, x->value, MPFR_RNDN);
  mpfr_mul_d (radius, radius, 1 + 0x1p-48, MPFR_RNDU);
  GT_FUZZ_CHECK (mpfr_cmpabs (middle, radius) <= 0);
  if (mpfr_sgn (end[0]) * mpfr_sgn (end[1]) <= 0)
    return;
  GT_FUZZ_CHECK (!to_double || same (mpfr_get_d (x->value, MPFR_RNDN), as_double));
  GT_FUZZ_CHECK (!to_float
                 || same ((double) mpfr_get_flt (x->value, MPFR_RNDN), rounded_to));
}

static void
operate (unsigned operation, struct known *x, const struct known *y,
         struct gt_fuzz_bytes *bytes)
{
  const int power = (int8_t) gt_fuzz_byte (bytes);

  switch (operation)
    {
    case 0:
      x->ball = gt_ball_sum (x->ball, y->ball);
      mpfr_add (x->value, x->value, y->value, MPFR_RNDN);
      break;
    case 1:
      x->ball = gt_ball_difference (x->ball, y->ball);
      mpfr_sub (x->value, x->value, y->value, MPFR_RNDN);
      break;
    case 2:
      x->ball = gt_ball_product (x->ball, y->ball);
      mpfr_mul (x->value, x->value, y->value, MPFR_RNDN);
      break;
    case 3:
      x->ball = gt_ball_quotient (x->ball, y->ball);
      mpfr_div (x->value, x->value, y->value, MPFR_RNDN);
      break;
    case 4:
      x->ball = gt_ball_root (x->ball);
      mpfr_sqrt (x->value, x->value, MPFR_RNDN);
      break;
    default:
      x->ball = gt_ball_product (x->ball, gt_ball_exactly (ldexp (1, power)));
      mpfr_mul_2si (x->value, x->value, power, MPFR_RNDN);
      break;
    }
}

static void
try_balls (struct gt_fuzz_bytes *bytes)
{
  for (int i = 0; i < BALLS; i++)
    {
      take_ball (bytes, &known[i]);
      check_ball (&known[i]);
    }
  for (int i = 0; i < MOST_OPERATIONS && !gt_fuzz_is_at_end (bytes); i++)
    {
      const uint8_t byte = gt_fuzz_byte (bytes);
      struct known *const x = &known[byte % BALLS], *const y = &known[byte / 4 % BALLS];

      if (byte / 16 % 8 == 7)
        take_ball (bytes, x);
      else if (is_moderate (&x->ball) && is_moderate (&y->ball))
        operate (byte / 16 % 8, x, y, bytes);
      check_ball (x);
    }
}

/* ----------------------------------------------------------- Whole numbers */

/* WHOLE is Z, and as short as it should be.  */
static void
check_whole (const struct gt_whole *whole, const mpz_t z)
{
  mpz_import (scratch, (size_t) whole->n, -1, sizeof *whole->word, 0, 0, whole->word);
  mpz_mul_2exp (scratch, scratch, 64 * (mp_bitcnt_t) whole->low);
  if (whole->negative)
    mpz_neg (scratch, scratch);
  GT_FUZZ_CHECK (mpz_cmp (scratch, z) == 0);
  GT_FUZZ_CHECK (whole->n == 0 || (whole->word[0] && whole->word[whole->n - 1]));
}

/* A number of some words in two's complement, and what it is.  */
static struct gt_whole
take_whole (struct gt_fuzz_bytes *bytes, uint64_t *room, mpz_t z)
{
  const int n = 1 + gt_fuzz_byte (bytes) % WORDS, bits = gt_fuzz_byte (bytes);
  uint64_t word[WORDS];
  struct gt_whole whole;

  gt_fuzz_take (bytes, word, (size_t) n * sizeof *word);
  mpz_import (z, (size_t) n, -1, sizeof *word, 0, 0, word);
  if (word[n - 1] >> 63)
    {
      mpz_set_ui (scratch, 1);
      mpz_mul_2exp (scratch, scratch, 64 * (mp_bitcnt_t) n);
      mpz_sub (z, z, scratch);
    }
  whole = gt_whole_from_words (room, word, n);
  check_whole (&whole, z);
  gt_whole_shift (&whole, bits);
  mpz_mul_2exp (z, z, (mp_bitcnt_t) bits);
  check_whole (&whole, z);
  return whole;
}

/* FACTOR, or its square, times a middle between two doubles or floats and a power of two,
   and what the bytes say is to be added in the last place.  */
static void
take_middle (struct gt_fuzz_bytes *bytes, mpz_t z, const mpz_t factor, int squared)
{
  const uint8_t kind = gt_fuzz_byte (bytes);
  const unsigned digits = kind % 4 == 0 ? 25 : kind % 4 == 1 ? 65 : 54;
  const int8_t more = (int8_t) gt_fuzz_byte (bytes);

  set_u64 (z, (uint64_t) take_64 (bytes) >> (digits < 64 ? 64 - digits : 0));
  if (digits > 64)
    mpz_setbit (z, 64);
  mpz_setbit (z, 0);
  mpz_mul_2exp (z, z, kind / 4);
  if (squared)
    mpz_mul (z, z, z);
  mpz_mul (z, z, factor);
  if (more < 0)
    mpz_sub_ui (z, z, (unsigned) -more);
  else
    mpz_add_ui (z, z, (unsigned) more);
}

static void
try_whole (struct gt_fuzz_bytes *bytes)
{
  uint64_t rooms[4][ROOM];
  const uint8_t kind = gt_fuzz_byte (bytes);
  const int is_root = kind & 1, is_middle = kind >> 1 & 1, divides = kind >> 2 & 1;
  const uint64_t factor = (uint64_t) take_64 (bytes);
  const struct gt_whole x = take_whole (bytes, rooms[0], added[0]);
  const struct gt_whole y = take_whole (bytes, rooms[1], added[1]);
  struct gt_ratio ratio = {.unit = take_16 (bytes) % 2400, .root = is_root,
                           .negative = kind >> 3 & 1};
  struct gt_whole other = gt_whole_product (rooms[2], &x, &y);

  mpz_mul (over, added[0], added[1]);
  check_whole (&other, over);
  other = gt_whole_difference (rooms[2], &x, &y);
  mpz_sub (over, added[0], added[1]);
  check_whole (&other, over);
  other = gt_whole_from_count (rooms[2], factor);
  set_u64 (under, factor);
  check_whole (&other, under);

  if (divides && y.n)
    mpz_abs (under, added[1]);
  else
    mpz_set_ui (under, 1);
  ratio.under = divides && y.n ? &y : NULL;
  ratio.over = &x;
  mpz_abs (over, added[0]);
  if (is_middle)
    {
      size_t n;

      take_middle (bytes, over, under, is_root);
      mpz_export (rooms[3], &n, -1, sizeof rooms[3][0], 0, 0, over);
      mpz_abs (over, over);
      rooms[3][n] = 0;
      other = gt_whole_from_words (rooms[2], rooms[3], (int) n + 1);
      ratio.over = &other;
    }
  if (mpz_sgn (over) == 0)
    mpfr_set_zero (big, 1);
  else
    {
      oracle_divide (big, over, under, ratio.unit, is_root);
      mpfr_setsign (big, big, ratio.negative, MPFR_RNDN);
    }
  GT_FUZZ_CHECK (same (gt_ratio_round (&ratio), mpfr_get_d (big, MPFR_RNDN)));
  GT_FUZZ_CHECK (same ((double) gt_ratio_round_float (&ratio),
                       (double) mpfr_get_flt (big, MPFR_RNDN)));
}

/* ------------------------------------------------------------ Accumulators */

static void
try_accumulators (struct gt_fuzz_bytes *bytes)
{
  static int64_t wide[GT_WIDE_WORDS];
  struct gt_superaccumulator plain;
  const uint64_t carries = (uint64_t) take_64 (bytes);
  const unsigned at = (uint16_t) take_16 (bytes);
  const int first = (int) (at % (GT_WIDE_WORDS - WIDE_PART));

  take_whole (bytes, (uint64_t[ROOM]) {0}, added[0]);
  mpz_mul_2exp (added[0], added[0], at % 1100);
  mpz_set_ui (under, 1);
  take_middle (bytes, added[1], under, 0);
  mpz_mul_2exp (added[1], added[1], at % 1500);
  if (gt_fuzz_byte (bytes) % 2)
    mpz_add (added[1], added[1], added[0]);

  fill_plain (&plain, added[1], carries);
  mpfr_set_z_2exp (middle, added[1], -1074, MPFR_RNDN);
  GT_FUZZ_CHECK (same (gt_finish_mean (&plain, 1).f64, mpfr_get_d (middle, MPFR_RNDN)));
  GT_FUZZ_CHECK (same ((double) gt_finish_mean (&plain, 1).f32,
                       (double) mpfr_get_flt (middle, MPFR_RNDN)));

  memset (wide, 0, sizeof wide);
  fill_words (wide + first, WIDE_PART, added[1], 0, carries);
  mpfr_set_z_2exp (middle, added[1], 32 * first + GT_WIDE_LOWEST, MPFR_RNDN);
  GT_FUZZ_CHECK (gt_finish_long_double ((struct gt_power_sum) {wide, GT_WIDE_WORDS, GT_WIDE_LOWEST}, 0)
                 == mpfr_get_ld (middle, MPFR_RNDN));
}

int
gt_fuzz_finish (const uint8_t *data, size_t size)
{
  static void (*const tries[]) (struct gt_fuzz_bytes *bytes)
    = {try_balls, try_whole, try_accumulators};
  struct gt_fuzz_bytes bytes = {data, data + size};

  if (over->_mp_d == NULL)
    {
      set_up_sums (NULL);
      mpfr_inits2 (BALL_BITS, middle, radius, end[0], end[1], (mpfr_ptr) NULL);
      for (int i = 0; i < BALLS; i++)
        mpfr_init2 (known[i].value, BALL_BITS);
    }
  tries[gt_fuzz_byte (&bytes) % 3] (&bytes);
  return 0;
}
