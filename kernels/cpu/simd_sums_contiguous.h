/* Several sums at once of neighbouring elements of one type.  Included by
   simd_sums.c with TYPE and NAME, after simd_sums_chains.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Elements not yet added.  */
#define REST NAMED (rest)
struct REST
{
  const TYPE *x, *y;
  size_t n;
};

INLINE void
NAMED (pass) (struct REST *rest, size_t count)
{
  rest->x += count;
  rest->y += count;
  rest->n -= count;
}

/* Whole turns, of a vector for each chain, aligned if there are many; Y lies as it
   may.  */
INLINE void
NAMED (add_turns) (struct chains *chains, struct REST *rest,
                   const struct parameters_vector *by, FOR)
{
  const unsigned count = CHAINS;

  if (rest->n >= ALIGNED_FROM * DOUBLES)
    {
      const size_t head = (-(uintptr_t) rest->x / sizeof (TYPE))
                          & (DOUBLES - 1);

      if (head)
        add_first (chains, NAMED (load_first) (rest->x, head),
                   NAMED (load_first) (rest->y, head), head, by, FOR_IT);
      NAMED (pass) (rest, head);
    }
  for (; rest->n >= count * DOUBLES; NAMED (pass) (rest, count * DOUBLES))
    {
      UNROLL
      for (unsigned i = 0; i < count; i++)
        add_vector (chains, i, NAMED (load) (rest->x + i * DOUBLES),
                    NAMED (load) (rest->y + i * DOUBLES), by, FOR_IT);
    }
}

INLINE void
NAMED (contiguous) (const struct gt_task *task, FOR, struct gt_sums *sums)
{
  const struct parameters_vector by = {all_lanes (task->shift[0]),
                                       all_lanes (task->shift[1]),
                                       all_lanes (task->scale)};
  struct REST rest
    = {task->x.data,
       inputs_of (reduction) == 2 ? task->y.data : task->x.data,
       task->problem.n};
  struct chains chains;

  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    clear_chains (&chains.of[k], 0, 1);
  if (rest.n >= CHAINS * DOUBLES)
    {
      UNROLL
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        clear_chains (&chains.of[k], 1, CHAINS);
      NAMED (add_turns) (&chains, &rest, &by, FOR_IT);
      UNROLL
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        join_chains (&chains.of[k], CHAINS, mode);
    }
  for (; rest.n >= DOUBLES; NAMED (pass) (&rest, DOUBLES))
    add_vector (&chains, 0, NAMED (load) (rest.x), NAMED (load) (rest.y), &by,
                FOR_IT);
  if (rest.n)
    add_first (&chains, NAMED (load_first) (rest.x, rest.n),
               NAMED (load_first) (rest.y, rest.n), rest.n, &by, FOR_IT);
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
