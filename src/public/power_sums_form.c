/* Moments on their way to other processes and machines: the portable form.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "src/public/power_sums.h"

#define FLAGS 6

/* Where the words of sum WHICH of M begin among COPY, those of all sums.  */
static struct gt_power_sum
sum_of_copy (const gsltune_moments *m, int64_t *copy, enum gt_moment which)
{
  struct gt_power_sum sum = m->sum[which];

  if (sum.word)
    sum.word = copy + (sum.word - m->words);
  return sum;
}

/* Copies the sums of M, normalised.  Of elements that are not all finite sums tell nothing.  */
static void
copy_sums (const gsltune_moments *m, int64_t *words)
{
  const int is_finite = (m->flags[0] | m->flags[1]) == 0;

  memset (words, 0, m->n_words * sizeof *words);
  if (is_finite)
    memcpy (words, m->words, m->n_words * sizeof *words);
  for (unsigned i = 0; i < GT_N_MOMENTS && is_finite; i++)
    if (m->sum[i].word)
      gt_super_carry (sum_of_copy (m, words, (enum gt_moment) i).word, m->sum[i].n);
}

/* Whether normalised words can be a sum of up to 2^64 products, or an end, of one element.  */
static int
is_a_sum (const struct gt_power_sum *sum, int is_end, int wide)
{
  const int64_t limit = (int64_t) 1 << 18;
  const int top = sum->n - 1;
  const int above = ((wide ? LDBL_MAX_EXP : DBL_MAX_EXP) - sum->lowest + 31) / 32;
  const int64_t last = sum->word[top];

  for (int i = above; i < top && is_end; i++)
    if (sum->word[i] != (last & UINT32_MAX))
      return 0;
  return is_end ? last == 0 || last == -1 : -limit <= last && last < limit;
}

/* The exponent of the lowest bit that sum WHICH can have.  */
static int
unit_of (const gsltune_moments *m, enum gt_moment which)
{
  return gt_moments_unit (m)
         * (gt_moment_degree (which) + (m->kind == GSLTUNE_MOMENTS_WEIGHTED));
}

/* Whether the words of a sum, normalised, have no bits below 2^UNIT.  */
static int
is_multiple (const struct gt_power_sum *sum, int unit)
{
  int bits = unit - sum->lowest;

  for (int i = 0; bits > 0; i++, bits -= 32)
    if (sum->word[i] & (((int64_t) 1 << (bits < 32 ? bits : 32)) - 1))
      return 0;
  return 1;
}

static int
are_sums (const gsltune_moments *m, int64_t *words)
{
  struct gt_power_sum sum;

  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    {
      sum = sum_of_copy (m, words, (enum gt_moment) i);
      if (sum.word
          && !(is_a_sum (&sum, i == GT_MOMENT_FIRST || i == GT_MOMENT_LAST, m->wide)
               && is_multiple (&sum, unit_of (m, (enum gt_moment) i))))
        return 0;
    }
  return 1;
}

/* ------------------------------------------------- Sums that some elements have

   The square of a sum of products is at most the product of two sums of squares (Cauchy and
   Schwarz), and equal to it for a single element.  Where this holds no variance is negative,
   no correlation is more than 1, and all sums are 0 if the squares are.  */

/* Instead of a moment: the number of elements, the sum of their weights if there are such,
   and 1.  */
enum
{
  COUNT = GT_N_MOMENTS,
  WEIGHT,
  ONE
};

struct inequality
{
  unsigned char square, other, sum; /* SUM^2 is at most SQUARE times OTHER, */
  int is_equal;                     /* and equal to it if there is one element */
};

/* The sums of a sample that is judged, and rooms of N words for whole numbers.  */
struct judged
{
  const gsltune_moments *m;
  int64_t *words;
  uint64_t count; /* elements */
  uint64_t *rooms;
  size_t n;
};

static int
has (const struct judged *j, unsigned which)
{
  return which >= COUNT || j->m->sum[which].word != NULL;
}

/* Sum WHICH in the room TO.  */
static struct gt_whole
whole_of (const struct judged *j, int to, unsigned which)
{
  uint64_t *const room = j->rooms + (size_t) to * j->n;
  struct gt_power_sum sum;

  if (which == WEIGHT)
    which = has (j, GT_MOMENT_W) ? GT_MOMENT_W : COUNT;
  if (which >= COUNT)
    return gt_whole_from_product (room, which == ONE ? 1 : j->count, 1);
  sum = sum_of_copy (j->m, j->words, (enum gt_moment) which);
  return gt_power_sum_whole (room, &sum, unit_of (j->m, (enum gt_moment) which));
}

/* Rooms of results, two for a product of two sums and four for one of four.  */
enum
{
  FIRST_RESULT = 3,
  CENTRED = FIRST_RESULT + 3 * 4,
  N_ROOMS = CENTRED + 3 * 2
};

/* X Y - A B in room TO and the next ones.  */
static struct gt_whole
difference (const struct judged *j, int to, const struct gt_whole *x, const struct gt_whole *y,
            const struct gt_whole *a, const struct gt_whole *b)
{
  uint64_t *const results = j->rooms + FIRST_RESULT * j->n;
  const struct gt_whole xy = gt_whole_product (results, x, y);
  const struct gt_whole ab = gt_whole_product (results + 4 * j->n, a, b);

  return gt_whole_difference (j->rooms + (size_t) to * j->n, &xy, &ab);
}

/* The sign of that.  */
static int
sign_of_difference (const struct judged *j, const struct gt_whole *x, const struct gt_whole *y,
                    const struct gt_whole *a, const struct gt_whole *b)
{
  const struct gt_whole d = difference (j, FIRST_RESULT + 8, x, y, a, b);

  return d.n == 0 ? 0 : d.negative ? -1 : 1;
}

static int
holds (const struct judged *j, const struct inequality *i)
{
  struct gt_whole square, other, sum;
  int sign;

  if (!has (j, i->square) || !has (j, i->other) || !has (j, i->sum))
    return 1;
  square = whole_of (j, 0, i->square);
  other = whole_of (j, 1, i->other);
  sum = whole_of (j, 2, i->sum);
  sign = sign_of_difference (j, &square, &other, &sum, &sum);
  return !(square.n && square.negative) && !(other.n && other.negative)
         && (sign == 0 || (sign > 0 && !(i->is_equal && j->count == 1)));
}

/* The sum of PRODUCT about the means of its factors, S and T, times the number of elements.  */
static struct gt_whole
about_means (const struct judged *j, int which, unsigned product, unsigned s, unsigned t)
{
  const struct gt_whole n = whole_of (j, 0, COUNT);
  const struct gt_whole p = whole_of (j, 1, product);
  const struct gt_whole x = whole_of (j, 2, s);
  const struct gt_whole y = whole_of (j, CENTRED + 2 * which, t);

  return difference (j, CENTRED + 2 * which, &n, &p, &x, &y);
}

/* Whether two samples are correlated by at most 1.  */
static int
are_pairs (const struct judged *j)
{
  struct gt_whole x, y, products;

  if (j->m->kind != GSLTUNE_MOMENTS_PAIRS || gt_moments_is_product (j->m))
    return 1;
  x = about_means (j, 0, GT_MOMENT_2, GT_MOMENT_1, GT_MOMENT_1);
  y = about_means (j, 1, GT_MOMENT_YY, GT_MOMENT_Y, GT_MOMENT_Y);
  products = about_means (j, 2, GT_MOMENT_PRODUCTS, GT_MOMENT_1, GT_MOMENT_Y);
  return sign_of_difference (j, &x, &y, &products, &products) >= 0;
}

/* Whether the elements' distances from the centre, if that is known, add up to a number that is
   not negative.  */
static int
are_distances (const struct judged *j)
{
  struct gt_whole sides, distances;

  if (j->m->power || j->m->scale.n == 0 || !isfinite (j->m->mean))
    return 1;
  sides = whole_of (j, 0, GT_MOMENT_SIDES);
  distances = whole_of (j, 1, GT_MOMENT_DISTANCES);
  return sign_of_difference (j, &j->m->scale, &distances, &j->m->centre, &sides) >= 0;
}

/* The same of products of neighbours.  */
static int
are_neighbours (const struct judged *j)
{
  static const struct inequality all[] = {{GT_MOMENT_2, GT_MOMENT_2, GT_MOMENT_PRODUCTS, 0},
                                          {GT_MOMENT_2, ONE, GT_MOMENT_FIRST, 1},
                                          {GT_MOMENT_2, ONE, GT_MOMENT_LAST, 1}};

  if (j->m->kind != GSLTUNE_MOMENTS_NEIGHBOURS)
    return 1;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (!holds (j, &all[k]))
      return 0;
  return j->count > 1 || whole_of (j, 0, GT_MOMENT_PRODUCTS).n == 0;
}

/* Whether COUNT elements can have these sums, of numbers alone.  */
static int
are_of_elements (const struct judged *j)
{
  static const struct inequality all[] = {
    {GT_MOMENT_WW, COUNT, GT_MOMENT_W, 1},
    {WEIGHT, GT_MOMENT_2, GT_MOMENT_1, 1},
    {GT_MOMENT_2, GT_MOMENT_4, GT_MOMENT_3, 1},
    {WEIGHT, GT_MOMENT_4, GT_MOMENT_2, 1},
    {COUNT, GT_MOMENT_YY, GT_MOMENT_Y, 1},
    {GT_MOMENT_2, GT_MOMENT_YY, GT_MOMENT_PRODUCTS, 1},
    {WEIGHT, WEIGHT, GT_MOMENT_SIDES, 0}
  };
  const struct gt_whole weight = whole_of (j, 0, WEIGHT);

  if (weight.n == 0 || weight.negative)
    return 0;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (!holds (j, &all[k]))
      return 0;
  return are_neighbours (j) && are_pairs (j) && are_distances (j);
}

/* Checks the sums WORDS of N elements, of which FLAGS says what is not finite.  Returns 0 if no
   elements have these, -1 if memory is short.  */
static int
judge (const gsltune_moments *m, uint64_t n, uint32_t flags, int64_t *words)
{
  const int has_second
    = m->kind == GSLTUNE_MOMENTS_WEIGHTED
      || (m->kind == GSLTUNE_MOMENTS_PAIRS && !gt_moments_is_product (m));
  struct judged j = {.m = m, .words = words, .count = n};
  int is_good;

  if (!are_sums (m, words) || flags >> (has_second ? FLAGS : FLAGS / 2) || (n == 0 && flags))
    return 0;
  for (size_t i = 0; i < m->n_words && (n == 0 || flags); i++)
    if (words[i])
      return 0;
  if (n == 0 || flags)
    return 1;
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (has (&j, i) && (size_t) m->sum[i].n > j.n)
      j.n = (size_t) m->sum[i].n;
  j.n += (m->wide ? GT_WIDE_WORDS : GT_SUPER_WORDS) + 16; /* as a centre has */
  j.rooms = malloc (N_ROOMS * j.n * sizeof *j.rooms);
  is_good = j.rooms ? are_of_elements (&j) : -1;
  free (j.rooms);
  return is_good;
}

/* Replaces what M has by the sums COPY, which is freed; NULL where memory is short.  */
static int
replace_checked (gsltune_moments *m, uint64_t n, uint32_t flags, int64_t *copy)
{
  const int is_good = copy ? judge (m, n, flags, copy) : -1;

  if (is_good > 0)
    {
      m->n = n;
      m->count = 1;
      m->flags[0] = flags & 7;
      m->flags[1] = flags >> 3;
      memcpy (m->words, copy, m->n_words * sizeof *copy);
    }
  free (copy);
  if (is_good < 0)
    GSL_ERROR ("failed to allocate space for moments", GSL_ENOMEM);
  if (is_good == 0)
    GSL_ERROR ("these are the sums of no elements", GSL_EINVAL);
  return GSL_SUCCESS;
}

/* ------------------------------------------------------ The portable form */

#define HEAD 24
#define VERSION 7
#define KIND 8
#define FLAG_BYTE 11
#define COUNT 16

static const unsigned char magic[VERSION] = {'g', 's', 'l', 't', 'm', 'o', 'm'};

/* The bytes before that of flags.  */
static void
write_head (const gsltune_moments *m, unsigned char *form)
{
  memset (form, 0, HEAD);
  memcpy (form, magic, sizeof magic);
  form[VERSION] = 1;
  form[KIND] = (unsigned char) m->kind;
  form[KIND + 1] = (unsigned char) m->power;
  form[KIND + 2] = (unsigned char) m->wide;
}

size_t
gsltune_moments_size (const gsltune_moments *m)
{
  return HEAD + 4 * m->n_words;
}

int
gsltune_moments_save (const gsltune_moments *m, void *buffer, size_t size)
{
  unsigned char *form = buffer;
  int64_t *words;

  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  words = malloc (m->n_words * sizeof *words);
  if (words == NULL)
    GSL_ERROR ("failed to allocate space for moments", GSL_ENOMEM);
  copy_sums (m, words);
  write_head (m, form);
  form[FLAG_BYTE] = (unsigned char) (m->flags[0] | m->flags[1] << 3);
  for (int k = 0; k < 8; k++)
    form[COUNT + k] = (unsigned char) (m->n >> 8 * k);
  for (size_t i = 0; i < m->n_words; i++)
    for (int k = 0; k < 4; k++)
      form[HEAD + 4 * i + (size_t) k] = (unsigned char) (words[i] >> 8 * k);
  free (words);
  return GSL_SUCCESS;
}

/* The words of a form; the last of a sum has its sign.  Null where memory is short.  */
static int64_t *
read_words (const gsltune_moments *m, const unsigned char *form)
{
  int64_t *words = malloc (m->n_words * sizeof *words);

  for (size_t i = 0; i < m->n_words && words; i++)
    {
      const unsigned char *byte = form + HEAD + 4 * i;

      words[i] = byte[0] | byte[1] << 8 | byte[2] << 16 | (int64_t) byte[3] << 24;
    }
  for (unsigned i = 0; i < GT_N_MOMENTS && words; i++)
    if (m->sum[i].word)
      {
        int64_t *last = &words[m->sum[i].word - m->words + m->sum[i].n - 1];

        *last = (int64_t) (int32_t) (uint32_t) *last;
      }
  return words;
}

int
gsltune_moments_load (gsltune_moments *m, const void *buffer, size_t size)
{
  const unsigned char *form = buffer;
  unsigned char head[HEAD];
  uint64_t n = 0;

  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  write_head (m, head);
  if (memcmp (form, head, FLAG_BYTE) != 0 || form[FLAG_BYTE] >> FLAGS
      || memcmp (form + FLAG_BYTE + 1, head + FLAG_BYTE + 1, COUNT - FLAG_BYTE - 1) != 0)
    GSL_ERROR ("these are no moments, or they were made otherwise", GSL_EINVAL);
  for (int k = 0; k < 8; k++)
    n |= (uint64_t) form[COUNT + k] << 8 * k;
  return replace_checked (m, n, form[FLAG_BYTE], read_words (m, form));
}

int
gsltune_moments_merge_saved (gsltune_moments *m, const void *buffer, size_t size)
{
  gsltune_moments *const part = gt_moments_alloc_like (m);
  int status;

  if (part == NULL)
    GSL_ERROR ("failed to allocate space for moments", GSL_ENOMEM);
  part->scale = m->scale;
  part->centre = m->centre;
  part->is_given = m->is_given;
  part->mean = m->mean;
  status = gsltune_moments_load (part, buffer, size);
  if (status == GSL_SUCCESS)
    status = gsltune_moments_merge (m, part);
  gsltune_moments_free (part);
  return status;
}
