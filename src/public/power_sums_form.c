/* Moments on their way to other processes and machines: the portable form, and words that
   are added by whatever carries them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "src/public/power_sums.h"

/* ------------------------------------------------------------------ Words

   In front are the number of elements, in two words of 32 bits, and counts of what is not
   finite, three of the elements and three of the second ones; then the sums, normalised.  A
   word is at least 0 and less than 2^32, the last one of a sum small and signed, so that
   2^30 of each can be added in 64 bits.  */

#define FLAGS 6
#define HEADER (2 + FLAGS)

size_t
gsltune_moments_words (const gsltune_moments *m)
{
  return HEADER + m->n_words;
}

static int
flag_at (const gsltune_moments *m, int k)
{
  return (int) (m->flags[k / 3] >> k % 3 & 1);
}

/* Where the words of sum WHICH of M begin among COPY, those of all sums.  */
static struct gt_power_sum
sum_of_copy (const gsltune_moments *m, int64_t *copy, enum gt_moment which)
{
  struct gt_power_sum sum = m->sum[which];

  if (sum.word)
    sum.word = copy + (sum.word - m->words);
  return sum;
}

static void
carry_all (const gsltune_moments *m, int64_t *words)
{
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sum[i].word)
      gt_super_carry (sum_of_copy (m, words, (enum gt_moment) i).word, m->sum[i].n);
}

/* The sums of M, as they are after BEFORE, in WORDS.  The ends of processes together are
   the first of the first and the last of the last: what is not is taken off by the process
   that comes after it.  Of elements that are not all finite sums tell nothing.  */
static void
copy_sums (const gsltune_moments *m, const gsltune_moments *before, int64_t *words)
{
  struct gt_power_sum products, first, last;

  memset (words, 0, m->n_words * sizeof *words);
  if (m->flags[0] | m->flags[1])
    return;
  memcpy (words, m->words, m->n_words * sizeof *words);
  carry_all (m, words);
  if (before && before->n && m->n && m->sum[GT_MOMENT_LAST].word)
    {
      products = sum_of_copy (m, words, GT_MOMENT_PRODUCTS);
      first = sum_of_copy (m, words, GT_MOMENT_FIRST);
      last = sum_of_copy (m, words, GT_MOMENT_LAST);
      gt_moments_join (m, before, &products);
      memset (first.word, 0, (size_t) first.n * sizeof *first.word);
      for (int i = 0; i < last.n; i++)
        last.word[i] -= before->sum[GT_MOMENT_LAST].word[i];
      carry_all (m, words);
    }
}

int
gsltune_moments_get_words (const gsltune_moments *m, const gsltune_moments *before,
                           int64_t *words)
{
  if (before && !gt_moments_alike (m, before))
    GSL_ERROR ("what comes before has not been made like the moments", GSL_EINVAL);
  words[0] = (int64_t) (m->n & UINT32_MAX);
  words[1] = (int64_t) (m->n >> 32);
  for (int k = 0; k < FLAGS; k++)
    words[2 + k] = flag_at (m, k);
  copy_sums (m, before, words + HEADER);
  return GSL_SUCCESS;
}

/* Whether the words of a sum can be those of up to 2^64 products, or those of an end, of
   one element; then they are normalised.  Words that more than 2^30 processes have added
   could overflow.  */
static int
is_a_sum (const struct gt_power_sum *sum, int is_end, int wide)
{
  const int64_t most = (int64_t) 1 << 62, limit = (int64_t) 1 << 18;
  const int top = sum->n - 1;
  const int above = ((wide ? LDBL_MAX_EXP : DBL_MAX_EXP) - sum->lowest + 31) / 32;
  int64_t last;

  for (int i = 0; i < sum->n; i++)
    if (sum->word[i] < -most || sum->word[i] > most)
      return 0;
  gt_super_carry (sum->word, sum->n);
  last = sum->word[top];
  for (int i = above; i < top && is_end; i++)
    if (sum->word[i] != (last & UINT32_MAX))
      return 0;
  return is_end ? last == 0 || last == -1 : -limit <= last && last < limit;
}

static int
are_sums (const gsltune_moments *m, int64_t *words)
{
  struct gt_power_sum sum;

  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    {
      sum = sum_of_copy (m, words, (enum gt_moment) i);
      if (sum.word
          && !is_a_sum (&sum, i == GT_MOMENT_FIRST || i == GT_MOMENT_LAST, m->wide))
        return 0;
    }
  return 1;
}

/* Replaces what M has.  */
static void
replace (gsltune_moments *m, uint64_t n, uint32_t flags, const int64_t *words)
{
  m->n = n;
  m->count = 1;
  m->flags[0] = flags & 7;
  m->flags[1] = flags >> 3;
  memcpy (m->words, words, m->n_words * sizeof *words);
}

/* The same of COPY, which is freed; NULL where memory is short.  */
static int
replace_checked (gsltune_moments *m, uint64_t n, uint32_t flags, int64_t *copy)
{
  const int is_good = copy && are_sums (m, copy);

  if (is_good)
    replace (m, n, flags, copy);
  free (copy);
  if (copy == NULL)
    GSL_ERROR ("failed to allocate space for moments", GSL_ENOMEM);
  if (!is_good)
    GSL_ERROR ("these are the sums of no elements", GSL_EINVAL);
  return GSL_SUCCESS;
}

int
gsltune_moments_set_words (gsltune_moments *m, const int64_t *words)
{
  const int64_t most = (int64_t) 1 << 62;
  const size_t bytes = m->n_words * sizeof *words;
  uint32_t flags = 0;
  int64_t *copy;

  for (int k = 0; k < HEADER; k++)
    if (words[k] < 0 || words[k] > most
        || (k == 1 && words[1] + (words[0] >> 32) > UINT32_MAX))
      GSL_ERROR ("these are the words of no moments", GSL_EINVAL);
  for (int k = 0; k < FLAGS; k++)
    flags |= (uint32_t) (words[2 + k] != 0) << k;
  copy = malloc (bytes);
  if (copy)
    memcpy (copy, words + HEADER, bytes);
  return replace_checked (m, (uint64_t) words[0] + ((uint64_t) words[1] << 32), flags, copy);
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
  copy_sums (m, NULL, words);
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
