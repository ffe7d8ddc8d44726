/* Sums of products and norms of a few elements of TYPE in vectors of VECTOR, which
   belongs to the arithmetic ID: added in double without a plan, in less time than it
   takes to look up how to do better.  In exact mode those of short vectors are
   rounded by DOT_EXACT, which is given ALPHA.  Included by blas.c for double and
   float.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static inline void
NAMED (sample) (struct gt_sample *sample, const VECTOR *x, const VECTOR *y)
{
  gt_sample_init (sample, NAMED (GT), (struct gt_operand) {x->data, x->stride},
                  (struct gt_operand) {y->data, y->stride}, x->size);
}

/* In two chains of additions.  */
static inline double
NAMED (dot_short) (const VECTOR *v, const VECTOR *w)
{
  const size_t xs = v->stride, ys = w->stride;
  const TYPE *x = v->data, *y = w->data;
  double s = 0, t = 0;
  size_t n = v->size;

  for (; n >= 2; n -= 2, x += 2 * xs, y += 2 * ys)
    {
      s += (double) x[0] * y[0];
      t += (double) x[xs] * y[ys];
    }
  if (n)
    s += (double) x[0] * y[0];
  return s + t;
}

static inline double
NAMED (dot) (const VECTOR *x, const VECTOR *y)
{
  struct gt_sample sample;
  double sum;

  if (LIKELY (are_few (x->size)))
    return NAMED (dot_short) (x, y);
  if (are_short (x->size)
      && gt_short ()->DOT_EXACT (x->data, x->stride, y->data, y->stride, x->size,
                                 ALPHA &sum))
    return sum;
  NAMED (sample) (&sample, x, y);
  return gt_dot (&sample);
}

/* The norm of a few elements, or of one in any mode.  Returns 0 when it must be
   computed otherwise.  */
static inline int
NAMED (norm_short) (const VECTOR *x, double *norm)
{
  double sum;

  if (x->size == 1)
    {
      *norm = __builtin_fabs ((double) x->data[0]);
      return 1;
    }
  if (UNLIKELY (!are_few (x->size)))
    return 0;
  sum = NAMED (dot_short) (x, x);
  *norm = sqrt (sum);
  return NAMED (GT) == GT_F32 || LIKELY (gt_in_range (sum));
}

#undef VECTOR
#undef DOT_EXACT
#undef ALPHA
