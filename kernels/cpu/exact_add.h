/* Exact sums of elements of TYPE, whose arithmetic is NAME.  ADD_ONE adds an
   element to a superaccumulator; most data need FIRST_LEVELS levels.  Included
   by exact_add.c for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static unsigned
NAMED (try) (struct gt_exact_run *run, const TYPE *x, size_t n,
             unsigned levels)
{
  run->window.levels = levels;
  return run->isa->NAMED (add)[run->unroll_index] (x, n, &run->window);
}

/* Takes note of what is not finite.  */
static void
NAMED (note_special) (struct gt_exact_run *run, const TYPE *x, size_t n,
                      size_t stride)
{
  run->acc->flags |= run->isa->NAMED (special) (
    x, stride, run->isa->magnitudes ? x : NULL, stride, n);
}

/* Tries windows as they are, or as the numbers at hand want them.  */
static int
NAMED (fits) (struct gt_exact_run *run, const TYPE *x, size_t n)
{
  const unsigned before = run->window.levels;
  unsigned needed;
  double m;

  if (before && NAMED (try) (run, x, n, before))
    return note_block (run);
  if (before && n > TRIAL)
    return 0;
  m = run->isa->NAMED (magnitude) (x, n);
  if (!(m < GT_WINDOW_TOO_LARGE))
    {
      NAMED (note_special) (run, x, n, 1);
      return 0;
    }
  flush_window (run);
  if (before == 0)
    {
      run->window.top = gt_window_top (m * run->growth);
      if (NAMED (try) (run, x, n, FIRST_LEVELS))
        return note_block (run);
    }
  run->window.top = gt_window_top (m * SLACK);
  needed = NAMED (try) (run, x, n, GT_WINDOW_LEVELS);
  run->window.levels = needed ? needed : before;
  return needed ? note_block (run) : 0;
}

/* Adds from element I on.  Where bins are needed and there are none it stops
   and returns the element.  */
static size_t
NAMED (pass) (struct gt_exact_run *run, const TYPE *x, size_t n, size_t stride,
              size_t i)
{
  struct NAMED (gt_bins) *const bins = run->bins;
  const int gather = stride != 1 || n < GT_WINDOW_LANES;
  TYPE copy[GT_WINDOW_LANES + GATHERED];

  memset (copy, 0, GT_WINDOW_LANES * sizeof *copy);
  while (i < n)
    {
      const TYPE *part = x + i;
      const size_t count = next_count (run, n - i, gather);

      if (run->acc->flags)
        {
          NAMED (note_special) (run, x + i * stride, n - i, stride);
          return n;
        }
      if (gather)
        {
          part = copy + GT_WINDOW_LANES;
          _Pragma ("GCC unroll 4")
          for (size_t k = 0; k < count; k++)
            copy[GT_WINDOW_LANES + k] = x[(i + k) * stride];
        }
      if (run->left_to_bins == 0)
        {
          const int fits = NAMED (fits) (run, part, count);

          i += fits ? count : 0;
          adapt (run, fits, count);
          continue;
        }
      if (bins == NULL)
        return i;
      run->isa->NAMED (bins_add) (bins, part, count,
                           run->isa->NAMED (surplus) (part, count), run->acc);
      run->left_to_bins -= count;
      i += count;
    }
  return n;
}

/* Adds the elements from I on, with bins if there is memory for them.  */
static void
NAMED (add_any) (struct gt_exact_run *run, const TYPE *x, size_t n,
                 size_t stride, size_t i)
{
  if (n - i > FEW)
    run->bins = calloc (1, sizeof (struct NAMED (gt_bins)));
  if (run->bins)
    {
      NAMED (pass) (run, x, n, stride, i);
      return;
    }
  for (; i < n; i++)
    ADD_ONE (run->acc, run->isa->magnitudes ? NAMED (MAGNITUDE) (x[i * stride])
                                            : x[i * stride]);
}

void
NAMED (gt_exact_run_add) (struct gt_exact_run *run, const TYPE *x, size_t n,
                          size_t stride)
{
  const size_t i = NAMED (pass) (run, x, n, stride, 0);

  if (i < n)
    NAMED (add_any) (run, x, n, stride, i);
}

void
NAMED (gt_exact_run_end) (struct gt_exact_run *run)
{
  if (run->bins)
    run->isa->NAMED (bins_flush) (run->bins, run->acc);
  free (run->bins);
  flush_window (run);
}

void
NAMED (gt_exact_add) (const struct gt_exact_isa *isa, unsigned unroll_index,
                      const TYPE *x, size_t n, size_t stride,
                      struct gt_superaccumulator *acc)
{
  struct gt_exact_run run;

  gt_exact_run_begin (&run, isa, unroll_index, acc);
  NAMED (gt_exact_run_add) (&run, x, n, stride);
  NAMED (gt_exact_run_end) (&run);
}

#undef NAME
#undef TYPE
#undef ADD_ONE
#undef FIRST_LEVELS
