/* Calls every function of the library, of every type, and tells whoever includes this
   before, after, and what was answered.  That is for the tests of where programs run:
   small stacks, other machines, odd surroundings.  The includer defines

     static void every_begin (void);
     static void every_end (const char *name);
     static void every_result (const char *name, const char *type,
                               const char *reduction, const uint64_t *words,
                               size_t count);

   The words are numbers, not bytes, so they are the same on every machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_EVERY_FUNCTION_H
#define GT_TEST_EVERY_FUNCTION_H

#include <float.h>

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/scenario.h"
#include "tuning/measure/listed.h"
#include "tuning/measure/sorts.h"

static void every_begin (void);
static void every_end (const char *name);
static void every_result (const char *name, const char *type,
                          const char *reduction, const uint64_t *words, size_t count);

/* The elements' kind.  */
enum every_kind
{
  EVERY_WHOLE,   /* whole numbers, whose sums are exact in every mode */
  EVERY_ZERO,    /* between -1 and 1 */
  EVERY_FAR,     /* between 1000 and 1001 */
  EVERY_SIZE,    /* of many sizes */
  EVERY_EXTREME, /* of all sizes, subnormals included */
  EVERY_SPECIAL, /* with NaN and infinities among them */
  EVERY_LARGE,   /* most of their products overflow */
  EVERY_SMALL,   /* most of their products underflow */
  N_EVERY_KINDS
};

/* A number as two words that tell it from all others, and +0 from -0; of NaN, sign
   and payload are left out.  */
static uint64_t *
put_real (uint64_t *to, long double x)
{
  int exponent = 0;
  long double high, low;

  if (!isfinite (x) || x == 0)
    {
      *to++ = isnan (x) ? 3 : isinf (x) ? 1 : 0;
      *to++ = !isnan (x) && signbit (x) ? 1 : 0;
      return to;
    }
  low = modfl (ldexpl (frexpl (fabsl (x), &exponent), 64), &high);
  *to++ = (uint64_t) high;
  *to++ = (uint64_t) ldexpl (low, 62) << 16 ^ (uint64_t) (exponent + 32768) << 1
          ^ (signbit (x) ? 1 : 0);
  return to;
}

/* After the function.  */
static void
every_number (const char *name, const char *type, const char *reduction, long double number)
{
  uint64_t words[2];

  every_end (name);
  put_real (words, number);
  every_result (name, type, reduction, words, 2);
}

/* A number that a function gives.  */
#define TELL(name, reduction, call) \
  (every_begin (), every_number (name, type, reduction, (call)))

/* ----------------------------------------------------------------- Moments */

static gsltune_moments *
every_moments_alloc (gsltune_moments_kind kind, int power)
{
  gsltune_moments *m;

  every_begin ();
  m = gsltune_moments_alloc (kind, power, 1);
  every_end ("moments_alloc");
  CHECK (m);
  return m;
}

/* The sum and its portable form, whole.  M is freed.  */
static void
every_form_of (gsltune_moments *m, const char *type, const char *reduction)
{
  const size_t size = gsltune_moments_size (m);
  unsigned char *form = malloc (size);
  uint64_t sum = 0;

  CHECK (form);
  TELL ("moments_sum", reduction, gsltune_moments_sum (m));
  TELL ("moments_sum_float", reduction, gsltune_moments_sum_float (m));
  TELL ("moments_sum_long_double", reduction, gsltune_moments_sum_long_double (m));
  TELL ("moments_save", reduction, gsltune_moments_save (m, form, size));
  for (size_t i = 0; i < size; i++)
    sum = sum * 31 + form[i];
  every_result ("moments_form", type, reduction, &sum, 1);
  TELL ("moments_load", reduction, gsltune_moments_load (m, form, size));
  TELL ("moments_merge", reduction, gsltune_moments_merge (m, m));
  TELL ("moments_merge_saved", reduction, gsltune_moments_merge_saved (m, form, size));
  free (form);
  gsltune_moments_free (m);
}

/* ------------------------------------------------------ The rows of functions.def */

/* Those of elements of TYPE and of some families, a bit each.  */
static void
every_listed (enum gt_element_type type, unsigned families, const struct gt_operands *o)
{
  for (size_t k = 0; k < gt_listed[type].count; k++)
    {
      const struct gt_listed *f = &gt_listed[type].function[k];
      struct gt_answer a = {.status = 0};
      uint64_t words[12], *to = words;

      if (!(families >> f->family & 1))
        continue;
      every_begin ();
      f->call (f->ours, o, &a);
      every_end (f->symbol);
      for (int i = 0; i < 2; i++)
        to = put_real (to, gt_answer_value (f, &a, i));
      for (int i = 0; i < 4; i++)
        *to++ = a.index[i];
      every_result (f->symbol, gt_types[type].name, gt_reductions[f->reduction].name,
                    words, (size_t) (to - words));
    }
}

#define GT_TEMPLATE "tests/every_function_of_type.inc"
#include "src/each_type.h"

/* ---------------------------------------------------------------- Sorts */

/* All that sorts N elements, some at least, of whatever type.  What comes of it is GSL's,
   and other tests' business.  */
static void
every_sort (size_t n)
{
  static void *const functions[] = {
#define SORT_ROW(symbol, ...) OURS (symbol)
#define OURS(symbol) (void *) gsltune_##symbol,
#include "src/preload/rows.inc"
#undef OURS
  };

  for (int id = GT_FIRST_SORT; id < GT_FIRST_UPDATE; id++)
    {
      struct gt_sort_data data;

      CHECK (gt_sort_data_make (&data, (enum gt_taken_id) id, GT_SORT_RANDOM, n, SIZE_MAX) > 0);
      every_begin ();
      gt_sort_call ((enum gt_taken_id) id, functions[id - GT_FIRST_SORT], &data);
      every_end (gt_taken[id].symbol);
      gt_sort_data_free (&data);
    }
}

/* ------------------------------------------------------------- Everything */

/* Every function, of N elements of KIND that lie STRIDE apart.  */
static void
every_function (enum every_kind kind, size_t n, size_t stride)
{
#define X(id, type, infix, ctype, arithmetic) \
  every_function_of##infix (kind, n, stride);
  GT_ELEMENT_TYPES (X)
#undef X
  if (kind == EVERY_ZERO && n > 0 && n <= 5000)
    every_sort (n);
}

#endif
