/* Explains by what a sort would be done, and why: gsltune explain --function.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXPLAIN_SORT_H
#define GT_EXPLAIN_SORT_H

#include <stdint.h>

/* Whether FUNCTION, e.g. gsl_sort_float or sort_float, is one that gt_explain_sort knows.  */
int gt_explains_sort (const char *function);

/* Prints the answer for N elements; returns the exit status.  */
int gt_explain_sort (const char *function, uint64_t n, int json);

#endif
