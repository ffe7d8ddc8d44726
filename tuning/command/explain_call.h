/* Explains how a product of matrices, a solve or a sort would be computed, and why.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXPLAIN_CALL_H
#define GT_EXPLAIN_CALL_H

#include <stdint.h>

#include "src/plan/plan.h"
#include "tuning/text/record.h"

/* The question.  Sides that are not given are 0 and equal N.  */
struct gt_call_question
{
  const char *function; /* gsl_blas_dgemm, dgemm, gsl_sort_float, ... */
  uint64_t m, n, k;     /* N is UINT64_MAX if it is not given */
  const char *trans;    /* a letter N, T or C for each matrix that can be transposed; null: N */
  int right;            /* whether the symmetric or triangular matrix is on the right */
  int mode;             /* enum gt_mode; -1: the function's mode according to GSLTUNE_MODE */
  int json;
};

/* Returns NAME without the prefixes gsl_ and gsltune_.  */
const char *gt_bare_name (const char *name);

/* Adds STEPS, which may be null, as field KEY; for people, marks the step for SIZE.  */
void gt_explain_steps (const struct gt_record *record, const char *key,
                       const struct gt_plans *plans, const struct gt_step *steps,
                       uint64_t size);

/* Prints the answer.  Returns the exit status.  */
int gt_explain_call (const struct gt_call_question *question);

#endif
