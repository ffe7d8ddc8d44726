/* Exact sums: the engine that suits each block of a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/exact/exact.h"
#include "kernels/inline.h"

/* A sum begins by trying windows on a few elements: first with the levels that
   most data need, then with all four.  If they fit, the next trial is on four
   times as many, until it is on as many as a call takes; the window stays as it
   is until a trial fails, which costs little, since the elements are in the
   first-level cache by then.  A failed trial of many elements is repeated on
   few, where the window is placed again; if even these do not fit, they go to
   bins, and twice as many the next time.  So data that suit windows but for a
   few places pay for these places alone, and data that never do are tried
   rarely.

   From the first element on that is not finite, what is finite changes nothing.

   Elements that are not contiguous are copied together first, into the
   first-level cache.  */

#define GATHERED 256       /* elements copied together from a strided vector */
#define TRIAL 128          /* elements that tell whether windows suit */
#define LONGEST_RETREAT (TRIAL << 8)
#define FEW 128            /* elements that bins do not pay for */
#define FULL 256           /* chains added to a total: less than 2^59 a lane */
#define SLACK 1.25         /* between sums of magnitudes of blocks alike */

void
gt_exact_run_begin (struct gt_exact_run *run, const struct gt_exact_isa *isa,
                    unsigned unroll_index, struct gt_superaccumulator *acc)
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

int
gt_window_flush (struct gt_superaccumulator *acc,
                 uint64_t (*total)[GT_WINDOW_LANES], unsigned levels,
                 int unit, int step)
{
  uint64_t any = 0;

  for (unsigned l = 0; l < levels; l++)
    {
      uint64_t sum = 0;

      any = 0;
      for (unsigned i = 0; i < GT_WINDOW_LANES; i++)
        {
          sum += total[l][i];
          any |= total[l][i];
        }
      if (any)
        gt_super_add_scaled (acc, (int64_t) sum, unit - (int) l * step);
    }
  return any != 0;
}

/* Moves what the window holds to the superaccumulator.  A level that was not
   used is given up.  */
static void
flush_window (struct gt_exact_run *run)
{
  struct gt_window *w = &run->window;

  if (!gt_window_flush (run->acc, w->total, w->levels, GT_WINDOW_UNIT (w->top, 0),
                        GT_WINDOW_STEP)
      && w->levels > 1)
    w->levels--;
  memset (w->total, 0, sizeof w->total);
  run->full = FULL / GT_UNROLL (run->unroll_index);
}

/* Notes that the window took a block.  Returns 1.  */
static int
note_block (struct gt_exact_run *run)
{
  if (--run->full == 0)
    flush_window (run);
  return 1;
}

/* How many elements, of N, come next.  */
static size_t
next_count (const struct gt_exact_run *run, size_t n, int gather)
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
adapt (struct gt_exact_run *run, int fits, size_t count)
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

#define NAMED(stem) GT_PASTE (stem, NAME)

#define NAME f64
#define TYPE double
#define ADD_ONE gt_super_add
#define FIRST_LEVELS 2
#include "kernels/cpu/exact/exact_add.inc"

#define NAME f32
#define TYPE float
#define ADD_ONE gt_super_add_float
#define FIRST_LEVELS 1
#include "kernels/cpu/exact/exact_add.inc"

/* ------------------------------------------------------- Instruction sets */

extern const struct gt_exact_isa GT_OF_EACH_ISA (, gt_exact_isa);
extern const struct gt_exact_isa GT_OF_EACH_ISA (, gt_exact_magnitude_isa);

const struct gt_exact_isa *const gt_exact_isas[GT_N_ISAS]
  = {GT_OF_EACH_ISA (&, gt_exact_isa)};
const struct gt_exact_isa *const gt_exact_magnitude_isas[GT_N_ISAS]
  = {GT_OF_EACH_ISA (&, gt_exact_magnitude_isa)};
