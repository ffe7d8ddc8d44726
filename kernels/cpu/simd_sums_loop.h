/* Several sums at once of elements of one type.  Included by simd_sums.c with
   TYPE and NAME, after simd_sums_chains.h.

   APART is a constant: if it is zero, elements are neighbours.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Elements not yet added.  */
#define REST NAMED (rest)
struct REST
{
  const TYPE *x, *y;
  size_t n, x_stride, y_stride;
};

INLINE void
NAMED (pass) (struct REST *rest, size_t count, const int apart)
{
  rest->x += apart ? count * rest->x_stride : count;
  rest->y += apart ? count * rest->y_stride : count;
  rest->n -= count;
}

/* Elements from X on, as many as a vector has.  */
INLINE doubles
NAMED (take) (const TYPE *x, size_t stride, const int apart)
{
  return apart ? EVERY (x, stride) : NAMED (load) (x);
}

/* COUNT elements, and anything in the other lanes.  */
INLINE doubles
NAMED (take_first) (const TYPE *x, size_t stride, size_t count,
                    const int apart)
{
  TYPE some[DOUBLES];

  if (!apart)
    return NAMED (load_first) (x, count);
  UNROLL
  for (size_t k = 0; k < DOUBLES; k++)
    some[k] = x[k < count ? k * stride : 0];
  return EVERY (some, 1);
}

/* Vector I from the beginning of REST on.  */
INLINE void
NAMED (add_whole) (struct chains *chains, const unsigned chain,
                   const struct REST *rest, const unsigned i,
                   const struct parameters_vector *by, const int apart, FOR)
{
  const size_t x = i * DOUBLES * (apart ? rest->x_stride : 1);
  const size_t y = i * DOUBLES * (apart ? rest->y_stride : 1);

  add_vector (chains, chain,
              NAMED (take) (rest->x + x, rest->x_stride, apart),
              NAMED (take) (rest->y + y, rest->y_stride, apart), by, FOR_IT);
}

/* COUNT elements, fewer than a vector has.  */
INLINE void
NAMED (add_few) (struct chains *chains, struct REST *rest, size_t count,
                 const struct parameters_vector *by, const int apart, FOR)
{
  if (count)
    add_first (chains,
               NAMED (take_first) (rest->x, rest->x_stride, count, apart),
               NAMED (take_first) (rest->y, rest->y_stride, count, apart),
               count, by, FOR_IT);
  NAMED (pass) (rest, count, apart);
}

/* Whole turns, of a vector for each chain; neighbours aligned if there are
   many, but Y lies as it may.  */
INLINE void
NAMED (add_turns) (struct chains *chains, struct REST *rest,
                   const struct parameters_vector *by, const int apart, FOR)
{
  const unsigned turn = TURN (apart);

  if (!apart && rest->n >= ALIGNED_FROM * DOUBLES)
    NAMED (add_few) (chains, rest,
                     -((uintptr_t) rest->x / sizeof (TYPE)) & (DOUBLES - 1),
                     by, 0, FOR_IT);
  for (; rest->n >= turn * DOUBLES;
       NAMED (pass) (rest, turn * DOUBLES, apart))
    {
      UNROLL
      for (unsigned i = 0; i < turn; i++)
        NAMED (add_whole) (chains, i, rest, i, by, apart, FOR_IT);
    }
}

/* Elements apart, one by one: a product and an addition take less time than to put the
   factors into lanes, and few loads in turn are what a processor recognizes as strides
   that it reads ahead.  */
INLINE void
NAMED (add_scattered) (const struct REST *rest, const enum gt_reduction reduction,
                       struct gt_sums *sums)
{
  const size_t xs = rest->x_stride, ys = rest->y_stride;
  const TYPE *x = rest->x, *y = rest->y;
  double s[SCATTERED_CHAINS] = {0};
  size_t n = rest->n;

  for (; n >= SCATTERED_CHAINS; n -= SCATTERED_CHAINS)
    {
      UNROLL
      for (unsigned k = 0; k < SCATTERED_CHAINS; k++, x += xs, y += ys)
        s[k] = add_scalar (s[k], (double) *x, (double) *y, reduction);
    }
  for (; n > 0; n--, x += xs, y += ys)
    s[0] = add_scalar (s[0], (double) *x, (double) *y, reduction);
  sums->s[0] = (s[0] + s[1]) + (s[2] + s[3]);
  sums->c[0] = 0;
}

INLINE void
NAMED (add_all) (const struct gt_task *task, const int apart, FOR,
                 struct gt_sums *sums)
{
  const struct parameters_vector by = {all_lanes (task->shift[0]),
                                       all_lanes (task->shift[1]),
                                       all_lanes (task->scale),
                                       all_lanes (task->rest)};
  const struct gt_operand *y
    = inputs_of (reduction) == 2 ? &task->y : &task->x;
  struct REST rest = {task->x.data, y->data, task->problem.n,
                      task->x.stride, y->stride};
  struct chains chains;

  if (apart && mode == GT_MODE_FAST && sums_of (reduction) == 1
      && !has_terms (reduction))
    {
      NAMED (add_scattered) (&rest, reduction, sums);
      return;
    }
  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    clear_chains (&chains.of[k], 0, 1);
  if (rest.n >= TURN (apart) * DOUBLES)
    {
      UNROLL
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        clear_chains (&chains.of[k], 1, TURN (apart));
      NAMED (add_turns) (&chains, &rest, &by, apart, FOR_IT);
      UNROLL
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        join_chains (&chains.of[k], TURN (apart), mode);
    }
  for (; rest.n >= DOUBLES; NAMED (pass) (&rest, DOUBLES, apart))
    NAMED (add_whole) (&chains, 0, &rest, 0, &by, apart, FOR_IT);
  NAMED (add_few) (&chains, &rest, rest.n, &by, apart, FOR_IT);
  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    if (k < sums_of (reduction))
      {
        double sum[2];

        fold_f64 (chains.of[k].s[0], chains.of[k].c[0], mode, sum);
        sums->s[k] = sum[0];
        sums->c[k] = mode == GT_MODE_COMPENSATED ? sum[1] : 0;
      }
}
