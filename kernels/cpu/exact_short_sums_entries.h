/* The functions of exact_short_sums.c for elements of TYPE, whose arithmetic is NAME
   and which are loaded as FORM says.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static int
NAMED (product) (const TYPE *x, size_t x_stride, const TYPE *y,
                 size_t y_stride, size_t n, TYPE alpha, TYPE *to)
{
  const struct pair_of_vectors v = {x, y, x_stride, y_stride};

  return x_stride == 1 && y_stride == 1
           ? NAMED (dot) (&v, n, alpha, FORM | CONTIGUOUS, to)
           : NAMED (dot) (&v, n, alpha, FORM | STRIDED, to);
}

static int
NAMED (norm) (const TYPE *x, size_t stride, size_t n, TYPE *to)
{
  const struct pair_of_vectors v = {x, x, stride, stride};
  struct interval of;

  if (!(stride == 1 ? norm (&v, n, FORM | CONTIGUOUS, &of)
                    : norm (&v, n, FORM | STRIDED, &of)))
    return 0;
  *to = (TYPE) of.h;
  return !(fabs (of.h) <= DBL_MAX) || NAMED (settle_as) (of, to);
}

static int
NAMED (mean) (const TYPE *x, size_t stride, size_t n, double *to)
{
  return stride == 1 ? mean (x, 1, n, FORM | CONTIGUOUS, to)
                     : mean (x, stride, n, FORM | STRIDED, to);
}

/* What differs is little beside the loops, which are one text.  */
static int
NAMED (spread) (const struct pair_of_vectors *v, size_t n,
                enum spread what, double *to)
{
  return v->x_stride == 1 && v->y_stride == 1
           ? spread (v, n, FORM | CONTIGUOUS, what, to)
           : spread (v, n, FORM | STRIDED, what, to);
}

static int
NAMED (tss) (const TYPE *x, size_t stride, size_t n, double *to)
{
  return NAMED (spread) (&(struct pair_of_vectors) {x, x, stride, stride}, n,
                         TSS, to);
}

static int
NAMED (variance) (const TYPE *x, size_t stride, size_t n, double *to)
{
  return NAMED (spread) (&(struct pair_of_vectors) {x, x, stride, stride}, n,
                         VARIANCE, to);
}

static int
NAMED (sd) (const TYPE *x, size_t stride, size_t n, double *to)
{
  return NAMED (spread) (&(struct pair_of_vectors) {x, x, stride, stride}, n,
                         SD, to);
}

static int
NAMED (covariance) (const TYPE *x, size_t x_stride, const TYPE *y,
                    size_t y_stride, size_t n, double *to)
{
  return NAMED (spread) (
    &(struct pair_of_vectors) {x, y, x_stride, y_stride}, n, VARIANCE, to);
}

#undef NAME
#undef TYPE
#undef FORM
