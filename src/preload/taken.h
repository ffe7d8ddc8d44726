/* The functions of GSL that the preloaded object can intercept, and those that the user
   selects.
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
  GT_LAST_FUNCTION = GT_FIRST_PROCEDURE - 1, /* so that the next one has its number */
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
  const char *name;   /* the statistic or operation, e.g. mean; for BLAS with its letters */
  const char *type;   /* the part of GSL's name for the type, e.g. _float; "" for double */
  unsigned char symbol_length, family_length, name_length;
  char same_bits;     /* 1 if the answer is always GSL's, bit for bit */
  enum
  {
    GT_SIGNS_SAME,
    GT_SIGNS_DIFFER, /* signs of vectors, or the order of values, may differ from GSL's */
    GT_SIGNS_CANCEL  /* the same, but the differences cancel if GSL itself is the caller */
  } signs;
  enum gt_element_type element;
};

extern const struct gt_taken gt_taken[GT_N_TAKEN];

/* Returns whether NAME, which includes gsl_, is a function that can be intercepted.  */
int gt_taken_has (const char *name);

/* The numbers of a function that is not selected, and of one whose exact results may take
   longer than GSL's, so that it is intercepted only if a word selects it.  Both are larger
   than any number of elements.  */
#define GT_TAKEN_NEVER UINT32_MAX
#define GT_TAKEN_SLOWER (UINT32_MAX - 1)

/* The number of a function whose signs may differ from GSL's, which is intercepted only in
   fast modes; and a bit that is added to the number of one that is intercepted only if GSL
   itself is the caller.  */
#define GT_TAKEN_SIGNS (UINT32_MAX - 2)
#define GT_TAKEN_INSIDE ((uint32_t) 1 << 31)

/* A bit that is added to the number of a dot product, or of an update of BLAS level 1, that is
   intercepted only if the program's CBLAS is GSL's.  */
#define GT_TAKEN_UNBOUND ((uint32_t) 1 << 30)

/* Sets FROM to the number of elements (for matrices, of multiplications) from which on each
   function is intercepted.  LIST is the value of GSLTUNE_PRELOAD, or null for all functions.
   Its words are separated by commas or white space.  A word is
     a symbol   gsl_stats_float_mean or stats_float_mean
     a name     mean, sum, ddot, dot (a name of BLAS may lack its letters)
     a family   vector, blas, stats, matrix, sort, linalg, eigen
   and selects the functions that it names, or excludes them if it begins with a minus sign.
   If no word selects a function, all functions are selected that no word names.  The last word
   that names a function applies.  All other words are ignored.

   MODE is the value of GSLTUNE_MODE, or null.  If the mode of a product of matrices is neither
   auto nor fast, it is exact, and the product is intercepted if exact products are faster than
   GSL's, if a word or exact-all selects it, or if it has a mode of its own.  Factorisations
   are intercepted in the modes auto and fast; those whose signs may differ from GSL's only in
   the mode fast, or if a word selects them.  In these modes dot products and
   updates of BLAS level 1 stay with the CBLAS that the program is bound to if that is not
   GSL's, unless a word selects them.

   Calls of fewer elements are left to GSL, because ours would take as long or longer; the
   numbers are the same on every machine.  The word exact-all includes these calls, too: then
   the number is 0, otherwise it is a power of two.  */
void gt_taken_choose (const char *list, const char *mode, uint32_t from[GT_N_TAKEN]);

/* Returns the first word of LIST that would be ignored, and stores its length in *LENGTH, or
   returns null.  */
const char *gt_taken_unknown (const char *list, size_t *length);

/* Reads a list of modes, the value of GSLTUNE_MODE, or null.  Its words are the mode of all
   functions, or FUNCTION=MODE, where FUNCTION is a word as in GSLTUNE_PRELOAD.  The mode gsl
   leaves a function to GSL unless our result always has GSL's bits.  The last word that names
   a function applies.  A list with an unknown mode is ignored; an unknown function is ignored.

   Sets OF, and returns the mode of all functions, which is auto unless the list contains
   another.  */
enum { GT_OWN_NONE = GT_N_CHOSEN_MODES, GT_OWN_GSL };
enum gt_mode gt_taken_modes (const char *list, unsigned char of[GT_N_TAKEN]);
/* The names of the modes.  */
extern const char *const gt_taken_mode_names[GT_OWN_GSL + 1];

/* Returns the first word of such a list that would be ignored, or that would make the whole
   list ignored, or null.  Stores its length in *LENGTH, and in *OF_MODE whether its mode is
   unknown.  */
const char *gt_taken_unknown_mode (const char *list, size_t *length, int *of_mode);

/* Reports these words if LOG, the value of GSLTUNE_LOG, requests notices; the library itself
   reports unknown modes.  */
void gt_taken_notice (const char *list, const char *mode, const char *log);

#endif
