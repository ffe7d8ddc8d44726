/* Exact sums: the engine that suits each block of a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/cpu/exact.h"

/* A sum begins by trying windows on a few elements: first with the levels that
   most data need, then with all four.  If they fit, the next trial is on four
   times as many, until it is on as many as a call takes; the window stays as it
   is until a trial fails, which costs little, since the elements are in the
   first-level cache by then.  A failed trial of many elements is repeated on
   few, where the window is placed again; if even these do not fit, they go to
   bins, and twice as many the next time.  So data that suit windows but for a
   few places pay for these places alone, and data that never do are tried
   rarely.

   Elements that are not contiguous are copied together first, into the
   first-level cache.  */

#define GATHERED 1024      /* elements copied together from a strided vector */
#define TRIAL 128          /* elements that tell whether windows suit */
#define LONGEST_RETREAT (TRIAL << 8)
#define FEW 128            /* elements that bins do not pay for */
#define FULL 256           /* chains added to a total: less than 2^59 a lane */
#define SLACK 1.25         /* between sums of magnitudes of blocks alike */

/* A sum on its way.  */
struct run
{
  const struct gt_window_isa *isa;
  unsigned unroll_index;
  size_t block;        /* elements */
  struct gt_window window;
  unsigned full;       /* window.total may take so many blocks more */
  size_t reach;        /* elements that windows are tried on next */
  size_t retreat;      /* elements that bins get when even few do not fit */
  size_t left_to_bins;
  double growth; /* the sum of magnitudes in an accumulator that takes its share
                    of a block, by that of TRIAL elements, about */
  struct gt_superaccumulator *acc;
};

static void
begin (struct run *run, const struct gt_window_isa *isa, unsigned unroll_index,
       struct gt_superaccumulator *acc)
{
  memset (run, 0, sizeof *run);
  run->isa = isa;
  run->unroll_index = unroll_index;
  run->block = gt_window_block (isa, unroll_index);
  run->reach = TRIAL;
  run->retreat = TRIAL;
  run->growth = SLACK * (double) run->block
                / (double) (TRIAL * GT_UNROLL (unroll_index) * isa->lanes);
  run->acc = acc;
}

/* Moves what the window holds to the superaccumulator.  A level that was not
   used is given up.  */
static void
flush_window (struct run *run)
{
  struct gt_window *w = &run->window;
  uint64_t any = 0;

  for (unsigned l = 0; l < w->levels; l++)
    {
      uint64_t sum = 0;

      any = 0;
      for (unsigned i = 0; i < GT_WINDOW_LANES; i++)
        {
          sum += w->total[l][i];
          any |= w->total[l][i];
        }
      if (any)
        gt_super_add_scaled (run->acc, (int64_t) sum,
                             GT_WINDOW_UNIT (w->top, l));
    }
  if (any == 0 && w->levels > 1)
    w->levels--;
  memset (w->total, 0, sizeof w->total);
  run->full = FULL / GT_UNROLL (run->unroll_index);
}

/* Notes that the window took a block.  Returns 1.  */
static int
note_block (struct run *run)
{
  if (--run->full == 0)
    flush_window (run);
  return 1;
}

/* How many elements, of N, come next.  */
static size_t
next_count (const struct run *run, size_t n, int gather)
{
  size_t count = run->left_to_bins ? run->left_to_bins : run->reach;

  if (count > run->block)
    count = run->block;
  if (gather && count > GATHERED)
    count = GATHERED;
  return count < n ? count : n;
}

/* After a trial of windows on COUNT elements.  */
static void
adapt (struct run *run, int fits, size_t count)
{
  if (fits)
    {
      run->reach = 4 * run->reach < run->block ? 4 * run->reach : run->block;
      run->retreat = TRIAL;
    }
  else if (count > TRIAL)
    run->reach = TRIAL;
  else
    {
      run->left_to_bins = run->retreat;
      run->retreat *= run->retreat < LONGEST_RETREAT ? 2 : 1;
    }
}

#define SUM(name, ctype, add_one, first_levels)                               \
  static unsigned try_##name (struct run *run, const ctype *x, size_t n,      \
                              unsigned levels)                                \
  {                                                                           \
    run->window.levels = levels;                                              \
    return run->isa->add_##name[run->unroll_index] (x, n, &run->window);      \
  }                                                                           \
                                                                              \
  /* Tries windows as they are, or as the numbers at hand want them.  */      \
  static int fits_##name (struct run *run, const ctype *x, size_t n)          \
  {                                                                           \
    const unsigned before = run->window.levels;                               \
    unsigned needed;                                                          \
    double m;                                                                 \
                                                                              \
    if (before && try_##name (run, x, n, before))                             \
      return note_block (run);                                                \
    if (before && n > TRIAL)                                                  \
      return 0;                                                               \
    m = run->isa->magnitude_##name (x, n);                                    \
    if (!(m < GT_WINDOW_TOO_LARGE))                                           \
      return 0;                                                               \
    flush_window (run);                                                       \
    if (before == 0)                                                          \
      {                                                                       \
        run->window.top = gt_window_top (m * run->growth);                    \
        if (try_##name (run, x, n, first_levels))                             \
          return note_block (run);                                            \
      }                                                                       \
    run->window.top = gt_window_top (m * SLACK);                              \
    needed = try_##name (run, x, n, GT_WINDOW_LEVELS);                        \
    run->window.levels = needed ? needed : before;                            \
    return needed ? note_block (run) : 0;                                     \
  }                                                                           \
                                                                              \
  /* Adds from element I on.  Where bins are needed and there are none it stops \
     and returns the element.  */                                             \
  static size_t pass_##name (struct run *run, const ctype *x, size_t n,       \
                             size_t stride, size_t i,                         \
                             struct gt_bins_##name *bins)                     \
  {                                                                           \
    const int gather = stride != 1 || n < GT_WINDOW_LANES;                    \
    ctype copy[GT_WINDOW_LANES + GATHERED];                                   \
                                                                              \
    memset (copy, 0, GT_WINDOW_LANES * sizeof *copy);                         \
    while (i < n)                                                             \
      {                                                                       \
        const ctype *part = x + i;                                            \
        const size_t count = next_count (run, n - i, gather);                 \
                                                                              \
        if (gather)                                                           \
          {                                                                   \
            part = copy + GT_WINDOW_LANES;                                    \
            _Pragma ("GCC unroll 4")                                          \
            for (size_t k = 0; k < count; k++)                                \
              copy[GT_WINDOW_LANES + k] = x[(i + k) * stride];                \
          }                                                                   \
        if (run->left_to_bins == 0)                                           \
          {                                                                   \
            const int fits = fits_##name (run, part, count);                  \
                                                                              \
            i += fits ? count : 0;                                            \
            adapt (run, fits, count);                                         \
            continue;                                                         \
          }                                                                   \
        if (bins == NULL)                                                     \
          return i;                                                           \
        run->isa->bins_add_##name (bins, part, count,                         \
                                   run->isa->surplus_##name (part, count),    \
                                   run->acc);                                 \
        run->left_to_bins -= count;                                           \
        i += count;                                                           \
      }                                                                       \
    return n;                                                                 \
  }                                                                           \
                                                                              \
  /* By itself, so that other sums do not need so much of the stack.  */      \
  static void __attribute__ ((noinline))                                      \
  with_bins_##name (struct run *run, const ctype *x, size_t n, size_t stride, \
                    size_t i)                                                 \
  {                                                                           \
    struct gt_bins_##name bins;                                               \
                                                                              \
    memset (&bins, 0, sizeof bins);                                           \
    pass_##name (run, x, n, stride, i, &bins);                                \
    run->isa->bins_flush_##name (&bins, run->acc);                            \
  }                                                                           \
                                                                              \
  void gt_exact_add_##name (const struct gt_window_isa *isa,                  \
                            unsigned unroll_index, const ctype *x, size_t n,  \
                            size_t stride, struct gt_superaccumulator *acc)   \
  {                                                                           \
    struct run run;                                                           \
    size_t i;                                                                 \
                                                                              \
    begin (&run, isa, unroll_index, acc);                                     \
    i = pass_##name (&run, x, n, stride, 0, NULL);                            \
    if (n - i > FEW)                                                          \
      with_bins_##name (&run, x, n, stride, i);                               \
    else                                                                      \
      for (; i < n; i++)                                                      \
        add_one (acc, x[i * stride]);                                         \
    flush_window (&run);                                                      \
  }

SUM (f64, double, gt_super_add, 2)
SUM (f32, float, gt_super_add_float, 1)

#define ENTRY(name, ctype, u, index)                                          \
  static void add_##name##_u##u (const ctype *x, size_t n, size_t stride,     \
                                 struct gt_superaccumulator *acc)             \
  {                                                                           \
    gt_exact_add_##name (gt_window_isa (), index, x, n, stride, acc);         \
  }
#define ENTRIES(name, ctype)                                                  \
  ENTRY (name, ctype, 1, 0)                                                   \
  ENTRY (name, ctype, 2, 1)                                                   \
  ENTRY (name, ctype, 4, 2)                                                   \
  gt_exact_function_##name *const gt_exact_##name[GT_N_UNROLLS]               \
    = {add_##name##_u1, add_##name##_u2, add_##name##_u4};

GT_EXACT_TYPES (ENTRIES)
