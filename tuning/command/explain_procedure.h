/* Explains how a call of a procedure would be computed, and why: gsltune explain --function.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_EXPLAIN_PROCEDURE_H
#define GT_EXPLAIN_PROCEDURE_H

#include <stdint.h>

#include "kernels/types.h"
#include "src/profile/profile.h"

/* The question.  Sides that are not given are 0, and stand for N; TRANS has a letter N, T or
   C for each matrix that can be transposed, or is null: N.  */
struct gt_procedure_question
{
  const char *function; /* gsl_blas_dgemm, blas_dgemm or dgemm */
  uint64_t m, n, k;
  const char *trans;
  int right; /* what is symmetric or triangular stands on the right */
  int mode;             /* enum gt_mode, or -1: that of the function, by GSLTUNE_MODE */
  int json;
};

/* Returns the figures behind STEPS, of the host's profiles, or the profile that has them.  */
const struct gt_profile *gt_explain_findings (const struct gt_step *steps);

/* Prints the answer; returns the exit status.  */
int gt_explain_procedure (const struct gt_procedure_question *question);

#endif
