/* The portable form of moments, for other processes and machines.

   The reader of a form relies only on its length.  A damaged form fails the check.  A forged
   one has sums of the size that sums can have, so that all computations stay within their
   memory, even if no elements have these sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/moments/moments.h"

/* The fields, in words of 32 bits, the least significant byte first: 8 bytes of text; the
   kind, the power and the width, a byte each, and the flags; the check; the count; and the
   words of the sums.  */
enum { KIND = 2, CHECK, COUNT, HEAD = 6 };
static const char text[8] = "gsltmom\2";

static void
put (unsigned char *form, size_t i, uint32_t word)
{
  for (int k = 0; k < 4; k++)
    form[4 * i + (size_t) k] = (unsigned char) (word >> 8 * k);
}

static uint32_t
get (const unsigned char *form, size_t i)
{
  form += 4 * i;
  return form[0] | (uint32_t) form[1] << 8 | (uint32_t) form[2] << 16 | (uint32_t) form[3] << 24;
}

/* Returns the hash FNV-1a of a form, with the bytes of the check as 0 (G. Fowler, L. C. Noll,
   K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm", 2012).  */
static uint32_t
check_of (const unsigned char *form, size_t size)
{
  uint32_t hash = 0x811c9dc5;

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (i / 4 == CHECK ? 0 : form[i])) * 0x01000193;
  return hash;
}

/* Returns the word KIND, without the flags.  */
static uint32_t
kind_of (const gsltune_moments *m)
{
  return (uint32_t) (m->kind | m->power << 8 | m->wide << 16);
}

size_t
gsltune_moments_size (const gsltune_moments *m)
{
  return 4 * (HEAD + m->n_words);
}

/* Propagates carries.  If there are flags, the words are undefined and are saved as 0.  */
int
gsltune_moments_save (const gsltune_moments *m, void *buffer, size_t size)
{
  const uint32_t flags = m->flags[0] | m->flags[1] << 3;
  size_t at = HEAD;

  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  memcpy (buffer, text, sizeof text);
  put (buffer, KIND, kind_of (m) | flags << 24);
  put (buffer, COUNT, (uint32_t) m->n);
  put (buffer, COUNT + 1, (uint32_t) (m->n >> 32));
  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    {
      int64_t carry = 0;

      for (int k = 0; k < m->sum[i].n; k++, carry >>= 32)
        {
          carry += flags ? 0 : m->sum[i].word[k];
          put (buffer, at++, (uint32_t) carry);
        }
    }
  put (buffer, CHECK, check_of (buffer, size));
  return GSL_SUCCESS;
}

/* Returns whether no sum is larger than sums of 2^64 elements can be: checks the last word of
   each, which has its sign.  */
static int
are_sums (const gsltune_moments *m, const unsigned char *form)
{
  const uint32_t most = (uint32_t) 1 << 18;
  size_t end = HEAD;

  for (unsigned i = 0; i < GT_N_MOMENTS; i++)
    if (m->sum[i].n && get (form, (end += (size_t) m->sum[i].n) - 1) + most >= 2 * most)
      return 0;
  return 1;
}

int
gsltune_moments_load (gsltune_moments *m, const void *form, size_t size)
{
  if (size != gsltune_moments_size (m))
    GSL_ERROR ("the buffer is not as long as the moments' form", GSL_EBADLEN);
  if (memcmp (form, text, sizeof text) != 0 || (get (form, KIND) & 0xffffff) != kind_of (m))
    GSL_ERROR ("these are no moments, or they were made otherwise", GSL_EINVAL);
  if (get (form, CHECK) != check_of (form, size) || !are_sums (m, form))
    GSL_ERROR ("these moments have been damaged", GSL_EINVAL);
  m->n = get (form, COUNT) | (uint64_t) get (form, COUNT + 1) << 32;
  m->count = 1;
  m->flags[0] = get (form, KIND) >> 24 & 7;
  m->flags[1] = get (form, KIND) >> 27 & 7;
  for (size_t i = 0; i < m->n_words; i++)
    m->words[i] = get (form, HEAD + i);
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
