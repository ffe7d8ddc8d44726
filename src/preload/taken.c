/* The functions of GSL that are intercepted.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/taken.h"

#include <stdio.h>
#include <string.h>

#include "kernels/reductions.h"
#include "src/prototypes.h"

enum
{
#define REDUCTION(id, name, algebra, ...) \
  ALGEBRA_OF_##id = GT_ALGEBRA_##algebra,
#include "kernels/reductions.def"
#undef REDUCTION
};

/* Whether our results always have GSL's bits: extremes are found, not computed, and sums of
   integers wrap like GSL's, except for sums from which a NUMBER is computed.  */
#define SAME_BITS(reduction, prototype)                                      \
  ((int) ALGEBRA_OF_##reduction == GT_ALGEBRA_ORDER                          \
   || (GT_##reduction == GT_SUM && !REAL GT_IF_NUMBER (prototype, && 0)))

const struct gt_taken gt_taken[GT_N_TAKEN] = {
#define ROW(symbol, family, name, infix, reduction, prototype, empty) \
  ROW_ (symbol, family, name, infix, SAME_BITS (reduction, prototype))
#define ROW_(symbol, family, name, type, same_bits) \
  SIGNED_ROW (symbol, family, name, type, same_bits, GT_SIGNS_SAME)
#define SIGNED_ROW(symbol, family, name, type, same_bits, signs)           \
  {#symbol, #family, #name, #type, sizeof #symbol - 1, sizeof #family - 1, \
   sizeof #name - 1, same_bits, signs, NAMED_BY (GT_TYPE_, ID, )},
#define SAME 1
#define OTHER 0
#define PROCEDURE_ROW(symbol, family, name, infix, bits, prototype, from) \
  ROW_ (symbol, family, name, infix, bits)
#include "src/preload/rows.inc"
#define SORT_ROW(symbol, family, name, infix, bits, prototype) \
  ROW_ (symbol, family, name, infix, bits)
#include "src/preload/rows.inc"
#ifdef __FP_FAST_FMA
#define FUSED 0
#else
#define FUSED 1
#endif
#define UPDATE_ROW(symbol, family, name, infix, bits, prototype) \
  ROW_ (symbol, family, name, infix, bits)
#include "src/preload/rows.inc"
#define SIGNS_0 GT_SIGNS_SAME
#define SIGNS_SIGNS GT_SIGNS_DIFFER
#define SIGNS_FITS GT_SIGNS_CANCEL
#define FACTOR_ROW(symbol, family, name, infix, bits, prototype, from) \
  FACTOR_ROW_ (symbol, family, name, infix, SIGNS_##bits)
#define FACTOR_ROW_(symbol, family, name, infix, signs) \
  SIGNED_ROW (symbol, family, name, infix, OTHER, signs)
#include "src/preload/rows.inc"
#undef ROW_
};

int
gt_taken_has (const char *name)
{
  if (strncmp (name, "gsl_", 4) != 0)
    return 0;
  for (size_t k = 0; k < GT_N_TAKEN; k++)
    if (strcmp (gt_taken[k].symbol, name + 4) == 0)
      return 1;
  return 0;
}

static const char separators[] = ", \t\n";

/* A word of a list, without its minus sign.  */
struct word
{
  const char *text;
  size_t length;
  size_t gsl; /* the length of the prefix gsl_, or 0 */
  int leaves; /* whether it has a minus sign, which excludes functions */
};

/* Extracts the next word from *LIST; returns 0 if there is none.  */
static int
next_word (const char **list, struct word *word)
{
  *list += strspn (*list, separators);
  word->leaves = **list == '-';
  word->text = *list + word->leaves;
  word->length = strcspn (word->text, separators);
  word->gsl = strncmp (word->text, "gsl_", 4) == 0 ? 4 : 0;
  *list = word->text + word->length;
  return word->length + (size_t) word->leaves > 0;
}

/* Returns whether WORD equals TEXT.  A word is compared with four texts for each of some
   hundred functions; the length and the first letter decide almost all comparisons without a
   call.  */
static int
is (const struct word *word, const char *text, size_t length)
{
  return word->length == length && word->text[0] == text[0]
         && memcmp (word->text, text, length) == 0;
}

/* Returns whether WORD is the name of a function of BLAS without the letters for its types:
   dot is ddot and sdsdot.  Procedures have one letter.  */
static int
is_blas (const struct word *word, const struct gt_taken *row)
{
  static const char *const names[] = {"dot", "dotu", "dotc", "nrm2", "asum", "amax"};
  const size_t letters = row->name_length - word->length;
  int is_name = letters == 1 && row - gt_taken >= GT_FIRST_PROCEDURE;

  if (row->family[0] != 'b' || word->length >= row->name_length)
    return 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    is_name |= is (word, names[k], strlen (names[k]));
  return is_name && is (word, row->name + letters, word->length);
}

/* Returns whether WORD is exact-all, which is not the name of a function.  */
static int
is_exact_all (const struct word *word)
{
  return !word->leaves && is (word, "exact-all", strlen ("exact-all"));
}

static int
names (const struct word *word, const struct gt_taken *row)
{
  const struct word symbol
    = {word->text + word->gsl, word->length - word->gsl, 0, 0};

  return is (&symbol, row->symbol, row->symbol_length)
         || is (word, row->name, row->name_length)
         || is (word, row->family, row->family_length)
         || is_blas (word, row);
}

/* Sets the numbers of the functions that WORD names to N; returns 0 if it names none.  */
static int
set (const struct word *word, uint32_t n, uint32_t from[GT_N_TAKEN])
{
  int some = 0;

  for (int k = 0; k < GT_N_TAKEN; k++)
    if (names (word, &gt_taken[k]))
      {
        from[k] = n;
        some = 1;
      }
  return some;
}

/* ------------------------------------------------------------------- Modes */

const char *const gt_taken_mode_names[GT_OWN_GSL + 1]
  = {[GT_MODE_FAST] = "fast", [GT_MODE_COMPENSATED] = "compensated",
     [GT_MODE_EXACT] = "exact", [GT_MODE_AUTO] = "auto", [GT_OWN_NONE] = "", [GT_OWN_GSL] = "gsl"};

/* Returns the mode that the LENGTH bytes at TEXT name, or -1.  */
static int
mode_called (const char *text, size_t length)
{
  for (int k = 0; k <= GT_OWN_GSL; k++)
    if (length && strlen (gt_taken_mode_names[k]) == length
        && memcmp (gt_taken_mode_names[k], text, length) == 0)
      return k;
  return -1;
}

/* A word in a list of modes: for all functions, if it has no equals sign.  */
struct mode_word
{
  struct word function;
  int is_of_all, mode; /* or -1 */
};

static int
next_mode (const char **list, struct word *word, struct mode_word *says)
{
  const char *equals;

  if (!next_word (list, word))
    return 0;
  word->text -= word->leaves;
  word->length += (size_t) word->leaves;
  equals = memchr (word->text, '=', word->length);
  says->is_of_all = equals == NULL;
  says->function = *word;
  says->function.leaves = 0;
  if (equals)
    says->function.length = (size_t) (equals - word->text);
  else
    equals = word->text - 1;
  says->mode = mode_called (equals + 1, (size_t) (word->text + word->length - equals - 1));
  return 1;
}

const char *
gt_taken_unknown_mode (const char *list, size_t *length, int *of_mode)
{
  struct mode_word says;
  struct word word;

  while (next_mode (&list, &word, &says))
    {
      int k = says.is_of_all ? -1 : 0;

      while (k >= 0 && k < GT_N_TAKEN && !names (&says.function, &gt_taken[k]))
        k++;
      *of_mode = says.mode < 0;
      *length = word.length;
      if (*of_mode || k == GT_N_TAKEN)
        return word.text;
    }
  return NULL;
}

enum gt_mode
gt_taken_modes (const char *list, unsigned char of[GT_N_TAKEN])
{
  int of_all = GT_MODE_AUTO;
  struct mode_word says;
  struct word word;

  memset (of, GT_OWN_NONE, GT_N_TAKEN);
  for (const char *rest = list; rest && next_mode (&rest, &word, &says);)
    {
      if (says.mode < 0)
        {
          memset (of, GT_OWN_NONE, GT_N_TAKEN);
          return GT_MODE_AUTO;
        }
      if (says.is_of_all)
        of_all = says.mode;
      for (int k = 0; k < GT_N_TAKEN && !says.is_of_all; k++)
        if (names (&says.function, &gt_taken[k]))
          of[k] = (unsigned char) says.mode;
    }
  for (int k = 0; k < GT_N_TAKEN && of_all == GT_OWN_GSL; k++)
    of[k] = of[k] == GT_OWN_NONE ? GT_OWN_GSL : of[k];
  return of_all == GT_OWN_GSL ? GT_MODE_AUTO : (enum gt_mode) of_all;
}

static int
is_product (int k)
{
  return k >= GT_FIRST_PROCEDURE && k < GT_FIRST_SORT;
}

static int
is_factor (int k)
{
  return k >= GT_FIRST_FACTOR;
}

static int
is_update (int k)
{
  return k >= GT_FIRST_UPDATE && k <= GT_LAST_UPDATE;
}

static int
is_dot (int k)
{
  return gt_taken[k].family[0] == 'b' && strstr (gt_taken[k].name, "dot") != NULL;
}

/* Returns whether function K is fast in its OWN mode or, if it has none, in the mode
   OF_ALL.  */
static int
is_fast (int k, enum gt_mode of_all, unsigned char own)
{
  const enum gt_mode mode = own == GT_OWN_NONE ? of_all : (enum gt_mode) own;

  return is_product (k) || is_factor (k) ? gt_mode_has_fast_products (mode)
                                         : mode == GT_MODE_FAST;
}

/* ------------------------------------------------------------------- Lengths */

/* For this many elements or more, exact mode is faster than GSL, or almost as fast, with AVX2
   and with AVX-512 (bench/results/programs.md has the figures).  The last line that names a
   function applies.  The number of a function that GSL's own functions call is not smaller
   than that of its callers, so that calls that are left to GSL have GSL's bits.  */
static const struct
{
  uint32_t from;
  const char *functions;
} gains[] = {
  {16, "stats vector blas sort"},
  {8, "variance sd tss variance_m"},
  {32, "matrix kurtosis_m_sd"},
  {64, "tss_m correlation covariance_m skew_m_sd lag1_autocorrelation_m wtss wvariance wsd"
       " wvariance_m wsd_m wvariance_with_fixed_mean wsd_with_fixed_mean wskew wkurtosis"
       " wskew_m_sd wkurtosis_m_sd"},
  {128, "sum asum nrm2 dotu dotc absdev_m wmean wtss_m wabsdev wabsdev_m"},
  {256, "dot"},
  {32, "axpy scal dscal sscal swap copy rot"},
  {2048, "select median mad mad0"}
};

/* For this many multiplications or more, another library computes fast products of matrices;
   fewer are left to GSL.  */
static const uint32_t procedures[] = {
#define PROCEDURE_ROW(symbol, family, name, infix, bits, prototype, from) from,
#include "src/preload/rows.inc"
};
static const uint32_t factors[] = {
#define FACTOR_ROW(symbol, family, name, infix, bits, prototype, from) from,
#include "src/preload/rows.inc"
};

/* For this many multiplications or more, exact products are as fast as GSL's, with AVX2, too,
   for any numbers: also if products almost cancel, and if one number in ten is not zero.
   Exact products that no line names are always slower, and so are complex sums of
   products.  */
static const struct
{
  uint32_t from;
  const char *functions;
} exact_products[] = {
  {1u << 18, "cgemm dsymm ssymm csymm chemm ssyrk dtrmm strmm"},
  {1u << 21, "sgemm dtrsm ssyr2k"},
  {1u << 24, "dgemm dsyrk"},
  {GT_TAKEN_SLOWER, "zdotu zdotc"}
};

/* Sets the numbers of elements below which GSL's own function is called.  The mode of a
   function is MODE, unless OF has another one for it.  */
static void
set_gains (enum gt_mode mode, const unsigned char of[GT_N_TAKEN],
           const uint32_t exactly[GT_N_TAKEN], uint32_t from[GT_N_TAKEN])
{
  struct word word;

  for (size_t k = 0; k < sizeof gains / sizeof *gains; k++)
    for (const char *list = gains[k].functions; next_word (&list, &word);)
      set (&word, gains[k].from, from);
  memcpy (from + GT_FIRST_PROCEDURE, procedures, sizeof procedures);
  memcpy (from + GT_FIRST_FACTOR, factors, sizeof factors);
  for (int k = GT_FIRST_PROCEDURE; k < GT_FIRST_SORT; k++)
    if (!is_fast (k, mode, of[k]) && exactly[k])
      from[k] = exactly[k];
}

/* Returns the number for factorisation K; FROM is the number for fast modes.  */
static uint32_t
factor_from (int k, enum gt_mode of_all, unsigned char own, uint32_t from)
{
  if (!is_fast (k, of_all, own))
    return GT_TAKEN_NEVER;
  if (own == GT_MODE_FAST || (own == GT_OWN_NONE && of_all == GT_MODE_FAST)
      || gt_taken[k].signs == GT_SIGNS_SAME)
    return from;
  return gt_taken[k].signs == GT_SIGNS_CANCEL ? from | GT_TAKEN_INSIDE : GT_TAKEN_SIGNS;
}

void
gt_taken_choose (const char *list, const char *mode, uint32_t from[GT_N_TAKEN])
{
  enum { OPEN, TAKEN, LEFT };
  uint32_t wanted[GT_N_TAKEN] = {OPEN}, exactly[GT_N_TAKEN] = {0};
  unsigned char of[GT_N_TAKEN];
  const enum gt_mode of_all = gt_taken_modes (mode, of);
  int some = 0, all = 0;
  struct word word;

  while (list && next_word (&list, &word))
    if (is_exact_all (&word))
      all = 1;
    else if (set (&word, word.leaves ? LEFT : TAKEN, wanted))
      some |= !word.leaves;
  for (size_t k = 0; k < sizeof exact_products / sizeof *exact_products; k++)
    for (const char *names = exact_products[k].functions; next_word (&names, &word);)
      set (&word, exact_products[k].from, exactly);
  memset (from, 0, GT_N_TAKEN * sizeof *from);
  if (!all)
    set_gains (of_all, of, exactly, from);
  for (int k = 0; k < GT_N_TAKEN; k++)
    {
      /* All exact products except those in the list take longer than GSL's if they are few, or
         if the rounding of many is undecided.  */
      const int is_slower = is_product (k) ? !exactly[k] : exactly[k] == GT_TAKEN_SLOWER;
      const int aside = is_slower && !is_fast (k, of_all, of[k]) && of[k] == GT_OWN_NONE;

      if (wanted[k] == LEFT || (some && wanted[k] != TAKEN)
          || (of[k] == GT_OWN_GSL && !gt_taken[k].same_bits))
        from[k] = GT_TAKEN_NEVER;
      else if (is_factor (k) && !all && wanted[k] != TAKEN)
        from[k] = factor_from (k, of_all, of[k], from[k]);
      else if (!all && wanted[k] != TAKEN && aside)
        from[k] = GT_TAKEN_SLOWER;
      else if (!all && wanted[k] != TAKEN && (is_dot (k) || is_update (k))
               && gt_mode_has_fast_products (of[k] == GT_OWN_NONE ? of_all
                                                                  : (enum gt_mode) of[k]))
        from[k] |= GT_TAKEN_UNBOUND;
    }
}

const char *
gt_taken_unknown (const char *list, size_t *length)
{
  struct word word;

  while (next_word (&list, &word))
    {
      int k = 0;

      while (k < GT_N_TAKEN && !names (&word, &gt_taken[k]))
        k++;
      if (k == GT_N_TAKEN && !is_exact_all (&word))
        {
          *length = word.length;
          return word.text;
        }
    }
  return NULL;
}

void
gt_taken_notice (const char *list, const char *mode, const char *log)
{
  const char *const variables[] = {"GSLTUNE_PRELOAD", "GSLTUNE_MODE"};
  const char *words[2] = {NULL};
  size_t length[2];
  int of_mode = 0;

  if (log == NULL || (strcmp (log, "notice") != 0 && strcmp (log, "debug") != 0))
    return;
  words[0] = list ? gt_taken_unknown (list, &length[0]) : NULL;
  words[1] = mode ? gt_taken_unknown_mode (mode, &length[1], &of_mode) : NULL;
  for (int k = 0; k < 2; k++)
    if (words[k] && (k == 0 || !of_mode))
      fprintf (stderr, "gsltune: in %s '%.*s' is ignored: it names no function\n",
               variables[k], (int) (length[k] < 100 ? length[k] : 100), words[k]);
}
