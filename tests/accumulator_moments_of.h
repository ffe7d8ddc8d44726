/* Cases of tests/test_accumulator_words.c of one type of element: a template of
   src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static double any_double (uint64_t *seed, int kind);

/* KIND 0: of similar size; 1: of any size; 2: not all finite.  */
static void
NAMED (moments, ) (uint64_t *seed, int kind, size_t n, unsigned pieces)
{
  static TYPE data[2 * MOST];
  const gsltune_range range
    = ARITHMETIC == GT_LDBL ? GSLTUNE_RANGE_LONG_DOUBLE : GSLTUNE_RANGE_PRODUCTS;
  const size_t length = gsltune_accumulator_words (range);
  const size_t stride = n % 2 + 1;
  gsltune_accumulator *sum = gsltune_accumulator_alloc ();
  gsltune_accumulator *squares = gsltune_accumulator_alloc ();

  for (size_t i = 0; i < n; i++)
    if (REAL)
      data[i * stride] = (TYPE) any_double (seed, kind);
    else
      data[i * stride] = (TYPE) random_word (seed);
  memset (sent, 0, sizeof sent);
  for (unsigned k = 0; k < pieces; k++)
    {
      const size_t begin = n * k / pieces, end = n * (k + 1) / pieces;
      const NAMED (gsl_vector, ) v
        = {end - begin, stride, data + begin * stride, NULL, 0};

      gsltune_accumulator_reset (sum);
      gsltune_accumulator_reset (squares);
      NAMED (gsltune_accumulator_add_moments, ) (sum, squares, &v);
      send (sum, range, sent);
      send (squares, range, sent + length);
    }
  assert_int_equal (gsltune_accumulator_set_words (sum, range, sent), 0);
  assert_int_equal (
    gsltune_accumulator_set_words (squares, range, sent + length), 0);
  same_bits ("mean", gsltune_accumulator_mean (sum, n),
             NAMED (gsltune_stats, _mean) (data, stride, n));
  same_bits ("tss", gsltune_accumulator_tss (sum, squares, n),
             NAMED (gsltune_stats, _tss) (data, stride, n));
  same_bits ("variance", gsltune_accumulator_variance (sum, squares, n),
             NAMED (gsltune_stats, _variance) (data, stride, n));
  same_bits ("sd", gsltune_accumulator_sd (sum, squares, n),
             NAMED (gsltune_stats, _sd) (data, stride, n));
  gsltune_accumulator_free (sum);
  gsltune_accumulator_free (squares);
}
