/* Moments on their way to other processes and machines: the portable form.

   Whoever reads a form relies on nothing in it but its length.  A damaged one fails the check;
   one that was made up has sums of the size that sums have, so that whatever is computed of
   them stays in its place, if nobody's elements have these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/public/power_sums.h"

/* Where the fields are.  */
enum { VERSION = 7, KIND, POWER, WIDE, FLAGS, CHECK, COUNT = 16, HEAD = 24 };

/* Store and read N bytes, the least significant first.  */
static void
put (unsigned char *form, uint64_t x, int n)
{
  for (int k = 0; k < n; k++)
    form[k] = (unsigned char) (x >> 8 * k);
}

static uint64_t
get (const unsigned char *form, int n)
{
  uint64_t x = 0;

  while (n-- > 0)
    x = x << 8 | form[n];
  return x;
}

/* The hash FNV-1a of a form, in which its own bytes are 0 (G. Fowler, L. C. Noll, K.-P. Vo, D.
   Eastlake, "The FNV Non-Cryptographic Hash Algorithm", 2012).  */
static uint32_t
check_of (const unsigned char *form, size_t size)
{
  uint32_t hash = 0x811c9dc5;

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (i >= CHECK && i < COUNT ? 0 : form[i])) * 0x01000193;
  return hash;
}

/* The bytes before the flags.  */
static void
write_head (const gsltune_moments *m, unsigned char *form)
{
  memcpy (form, "gsltmom\2", KIND);
  form[KIND] = (unsigned char) m->kind;
  form[POWER] = (unsigned char) m->power;
  form[WIDE] = (unsigned char) m->wide;
}

size_t
gsltune_moments_size (const gsltune_moments *m)
{
  return HEAD + 4 * m->n_words;
}

/* Writes a sum's words, carries passed on; 0 if it means nothing.  */
static unsigned char *
write_sum (const struct gt_power_sum *sum, int is_finite, unsigned char *form)
{
  int64_t carry = 0;

  for (int i = 0; i < sum->n; i++, form += 4)
    {
      carry += is_finite ? sum->word[i] : 0;
      put (form, (uint64_t) carry, 4);
      carry >>= 32;
    }
  return form;
}

int
gsltune_moments_save (const gsltune_moments *m, void *buffer, size_t size)
{
  unsigned char *const form = buffer, *at = form + HEAD;

  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  write_head (m, form);
  form[FLAGS] = (unsigned char) (m->flags[0] | m->flags[1] << 3);
  put (form + COUNT, m->n, 8);
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    at = write_sum (&m->sum[i], (m->flags[0] | m->flags[1]) == 0, at);
  put (form + CHECK, check_of (form, size), 4);
  return GSL_SUCCESS;
}

/* Whether the last word of each sum, which has its sign, is not above that of a sum of 2^64
   elements.  */
static int
are_sums (const gsltune_moments *m, const unsigned char *form)
{
  const uint32_t most = (uint32_t) 1 << 18;

  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    {
      form += 4 * m->sum[i].n;
      if (m->sum[i].n && (uint32_t) get (form - 4, 4) + most >= 2 * most)
        return 0;
    }
  return 1;
}

int
gsltune_moments_load (gsltune_moments *m, const void *buffer, size_t size)
{
  const unsigned char *form = buffer;
  unsigned char head[FLAGS];

  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  write_head (m, head);
  if (memcmp (form, head, sizeof head) != 0)
    GSL_ERROR ("these are no moments, or they were made otherwise", GSL_EINVAL);
  if (get (form + CHECK, 4) != check_of (form, size) || !are_sums (m, form + HEAD))
    GSL_ERROR ("these moments have been damaged", GSL_EINVAL);
  m->n = get (form + COUNT, 8);
  m->count = 1;
  m->flags[0] = form[FLAGS] & 7;
  m->flags[1] = form[FLAGS] >> 3 & 7;
  for (size_t i = 0; i < m->n_words; i++)
    m->words[i] = (int64_t) get (form + HEAD + 4 * i, 4);
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sum[i].n)
      m->sum[i].word[m->sum[i].n - 1] = (int32_t) m->sum[i].word[m->sum[i].n - 1];
  return GSL_SUCCESS;
}

int
gsltune_moments_merge_saved (gsltune_moments *m, const void *buffer, size_t size)
{
  gsltune_moments *const part = gt_moments_alloc_like (m);
  int status;

  if (part == NULL)
    GSL_ERROR ("failed to allocate space for moments", GSL_ENOMEM);
  status = gsltune_moments_load (part, buffer, size);
  if (status == GSL_SUCCESS)
    status = gsltune_moments_merge (m, part);
  gsltune_moments_free (part);
  return status;
}
