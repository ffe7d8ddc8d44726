/* The functions of GSL that the preloaded object can take, and which of them a
   program's user wants to be taken.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TAKEN_H
#define GT_TAKEN_H

#include <stddef.h>
#include <stdint.h>

#include "src/base/mode.h"

/* GT_TAKEN_vector_sum, GT_TAKEN_vector_float_sum, ...  */
enum gt_taken_id
{
#define ROW(symbol, ...) ROW_ (symbol)
#define ROW_(symbol) GT_TAKEN_##symbol,
#include "src/preload/rows.inc"
  GT_FIRST_PROCEDURE,
  GT_LAST_FUNCTION = GT_FIRST_PROCEDURE - 1, /* so that the next has its number */
#define PROCEDURE_ROW(symbol, ...) ROW_ (symbol)
#include "src/preload/rows.inc"
  GT_FIRST_SORT,
  GT_LAST_PROCEDURE = GT_FIRST_SORT - 1,
#define SORT_ROW(symbol, ...) ROW_ (symbol)
#include "src/preload/rows.inc"
  GT_FIRST_UPDATE,
  GT_LAST_SORT = GT_FIRST_UPDATE - 1,
#define UPDATE_ROW(symbol, ...) ROW_ (symbol)
#include "src/preload/rows.inc"
  GT_FIRST_FACTOR,
  GT_LAST_UPDATE = GT_FIRST_FACTOR - 1,
#define FACTOR_ROW(symbol, ...) ROW_ (symbol)
#include "src/preload/rows.inc"
#undef ROW_
  GT_N_TAKEN
};

struct gt_taken
{
  const char *symbol; /* GSL's name without gsl_ */
  const char *family; /* vector, blas, stats, matrix, sort, linalg or eigen */
  const char *name;   /* what is computed, e.g. mean; of BLAS with its letters */
  const char *type;   /* as GSL's names have it, e.g. _float; "" for double */
  unsigned char symbol_length, family_length, name_length;
  char same_bits;     /* 1 if the answer is always GSL's, bit for bit */
  enum
  {
    GT_SIGNS_SAME,
    GT_SIGNS_DIFFER, /* those of vectors, or the order of values, may differ from GSL's */
    GT_SIGNS_CANCEL  /* the same, but not where GSL itself calls */
  } signs;
  enum gt_element_type element;
};

extern const struct gt_taken gt_taken[GT_N_TAKEN];

/* Whether NAME is that of a function that can be taken, with gsl_.  */
int gt_taken_has (const char *name);

/* Of a function that is not wanted; and of one whose exact results may take longer than GSL's,
   so that it is taken for those alone who ask for it.  Both are larger than any number.  */
#define GT_TAKEN_NEVER UINT32_MAX
#define GT_TAKEN_SLOWER (UINT32_MAX - 1)

/* Of a function whose signs may differ from GSL's, which a program gets from those modes alone that
   are fast; and what is added to the number of one that is taken where GSL itself calls.  */
#define GT_TAKEN_SIGNS (UINT32_MAX - 2)
#define GT_TAKEN_INSIDE ((uint32_t) 1 << 31)

/* Sets FROM to the number of elements, of matrices to that of products, from which on each
   function is taken, as a list of words wants it, the value of GSLTUNE_PRELOAD, or null for
   all.  Words are separated by commas or white space.  A word is

     a symbol   gsl_stats_float_mean or stats_float_mean
     a name     mean, sum, ddot, dot (a name of BLAS may lack its letters)
     a family   vector, blas, stats, matrix, sort, linalg, eigen

   and takes what it names, or leaves it out if it begins with a minus sign.  What no
   word names is taken if no word takes anything.  The last word that names a function
   decides.  Any other word is ignored.

   MODE is the value of GSLTUNE_MODE, or null.  Where the mode of a product of matrices is neither
   auto nor fast, it is exact, and taken are those that are faster so than GSL's, or that a word or
   exact-all takes, or that have a mode of their own.  Factorisations are taken in the modes auto and
   fast, those whose signs may differ from GSL's in the mode fast, or if a word takes them.

   Calls of fewer elements, the same number on every machine, are GSL's own, since ours
   would take as long or longer; the word exact-all takes them too.  The number is 0 then,
   else a power of two.  */
void gt_taken_choose (const char *list, const char *mode, uint32_t from[GT_N_TAKEN]);

/* The first word of LIST that would be ignored, its length in *LENGTH, or null.  */
const char *gt_taken_unknown (const char *list, size_t *length);

/* Reads the modes of a list, the value of GSLTUNE_MODE, or null.  Its words are the mode of all
   functions, or FUNCTION=MODE, where FUNCTION is a word of the other list.  The mode gsl leaves a
   function to GSL unless the answer is always GSL's, bit for bit.  The last word that names a
   function decides.  A list with an unknown mode counts for nothing; an unknown function is ignored.
   Sets OF, and returns the mode of all, which is auto unless the list names another.  */
enum { GT_OWN_NONE = GT_N_CHOSEN_MODES, GT_OWN_GSL };
enum gt_mode gt_taken_modes (const char *list, unsigned char of[GT_N_TAKEN]);
/* "fast", "gsl" and so on.  */
extern const char *const gt_taken_mode_names[GT_OWN_GSL + 1];

/* The first word of such a list that would be ignored, or for which the list would be; its
   length is in *LENGTH, and in *OF_MODE whether it is the mode that is unknown.  Or null.  */
const char *gt_taken_unknown_mode (const char *list, size_t *length, int *of_mode);

/* Tells of these words, where the value of GSLTUNE_LOG wants notices; of modes that are
   unknown the library does.  */
void gt_taken_notice (const char *list, const char *mode, const char *log);

#endif
