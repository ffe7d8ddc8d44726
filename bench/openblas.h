/* OpenBLAS, opened at run time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_OPENBLAS_H
#define GT_OPENBLAS_H

/* The sum of |x[i * stride]|.  */
typedef double gt_dasum (int n, const double *x, int stride);

struct gt_openblas
{
  gt_dasum *dasum;      /* null when OpenBLAS was not found */
  int threads;
  char description[512]; /* for people; why not, when it was not found */
};

void gt_openblas_open (struct gt_openblas *openblas);

#endif
