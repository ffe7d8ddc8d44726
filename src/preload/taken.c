/* Which functions of GSL are taken.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/taken.h"

#include <string.h>

#include "kernels/reductions.h"

enum
{
#define REDUCTION(id, name, algebra, ...) \
  ALGEBRA_OF_##id = GT_ALGEBRA_##algebra,
#include "kernels/reductions.def"
#undef REDUCTION
};

/* What a function returns, as far as bits depend on it.  */
enum
{
  RETURNS_VALUE = 1,
  RETURNS_VALUES = 0,
  RETURNS_INDEX = 0,
  RETURNS_INDEXES = 0,
  RETURNS_DOUBLE = 0,
  RETURNS_DOUBLE_M = 0,
  RETURNS_DOUBLE_M_SD = 0,
  RETURNS_PAIR = 0,
  RETURNS_PAIR_M = 0,
  RETURNS_WEIGHTED = 0,
  RETURNS_WEIGHTED_M = 0,
  RETURNS_WEIGHTED_M_SD = 0,
  RETURNS_PRODUCT = 0,
  RETURNS_PRODUCT_FROM = 0
};

/* Extremes are found, not computed, and sums of integers wrap as GSL's do.  */
#define SAME_BITS(reduction, result, real)            \
  ((int) ALGEBRA_OF_##reduction == GT_ALGEBRA_ORDER \
   || (GT_##reduction == GT_SUM && RETURNS_##result && !(real)))

const struct gt_taken gt_taken[GT_N_TAKEN] = {
#define ROW(symbol, family, name, type, reduction, result, real) \
  ROW_ (symbol, family, name, type, SAME_BITS (reduction, result, real))
#define ROW_(symbol, family, name, type, same_bits) \
  {#symbol, #family, #name, #type, same_bits},
#include "src/preload/rows.h"
#undef ROW_
};

static const char separators[] = ", \t\n";

/* A word of a list, without its sign.  */
struct word
{
  const char *text;
  size_t length;
  int leaves; /* whether it leaves out what it names */
};

/* Takes the next word off *LIST; 0 if there is none.  */
static int
next_word (const char **list, struct word *word)
{
  *list += strspn (*list, separators);
  word->leaves = **list == '-';
  word->text = *list + word->leaves;
  word->length = strcspn (word->text, separators);
  *list = word->text + word->length;
  return word->length + (size_t) word->leaves > 0;
}

static int
is (const struct word *word, const char *text, size_t length)
{
  return word->length == length && memcmp (word->text, text, length) == 0;
}

/* Whether WORD is the name of a function of BLAS but for the letters that it begins
   with, which tell the types: dot is ddot and sdsdot.  */
static int
is_blas (const struct word *word, const struct gt_taken *row)
{
  const size_t length = strlen (row->name);
  const char *end;

  if (strcmp (row->family, "blas") != 0 || word->length >= length)
    return 0;
  end = row->name + length - word->length;
  return word->length > 2 && is (word, end, word->length)
         && strspn (row->name, "dsi") >= (size_t) (end - row->name);
}

static int
is_same_bits (const struct word *word)
{
  return is (word, "same-bits", strlen ("same-bits"));
}

static int
names (const struct word *word, const struct gt_taken *row)
{
  const int has_gsl = word->length > 4 && strncmp (word->text, "gsl_", 4) == 0;
  const struct word symbol
    = {word->text + 4 * has_gsl, word->length - 4 * (size_t) has_gsl, 0};

  return is (&symbol, row->symbol, strlen (row->symbol))
         || is (word, row->name, strlen (row->name))
         || is (word, row->family, strlen (row->family))
         || is_blas (word, row);
}

int
gt_taken_wanted (const struct gt_taken *row, const char *list)
{
  int some = 0, decided = 0, wanted = 0;
  struct word word;

  if (list == NULL)
    return 1;
  while (next_word (&list, &word))
    {
      if (is_same_bits (&word))
        {
          if (!row->same_bits)
            return 0;
          continue;
        }
      some |= !word.leaves;
      if (names (&word, row))
        {
          decided = 1;
          wanted = !word.leaves;
        }
    }
  return decided ? wanted : !some;
}

const char *
gt_taken_unknown (const char *list, size_t *length)
{
  struct word word;

  while (next_word (&list, &word))
    {
      size_t k = 0;

      while (k < GT_N_TAKEN && !names (&word, &gt_taken[k]))
        k++;
      if (k == GT_N_TAKEN && !is_same_bits (&word))
        {
          *length = word.length;
          return word.text;
        }
    }
  return NULL;
}
