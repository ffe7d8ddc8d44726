/* Sums of blocks of a sample's elements, by a team of threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/reduce/block_sums.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/cpu/quick/quick.h"
#include "kernels/types.h"
#include "src/cpu/parts.h"

_Static_assert (GT_MOST_SUMS <= (int) GT_N_MOMENTS, "most sums of a block");

struct blocks
{
  gt_block_function *take;
  const void *closure;
  unsigned count;
  size_t block;
  struct gt_parts parts;
  struct gt_ball *sums; /* the sums of all blocks, in their order */
  atomic_int failed;
};

static void
take_claimed (void *closure, unsigned member)
{
  struct blocks *b = closure;
  const unsigned own = gt_parts_of (&b->parts, member);
  unsigned at = own;
  struct gt_piece piece;

  while (!b->failed && gt_parts_claim (&b->parts, own, &at, &piece))
    if (!b->take (b->closure, piece.begin, piece.n,
                  b->sums + piece.begin / b->block * b->count))
      b->failed = 1;
}

static void
add (struct gt_ball *sums, const struct gt_ball *part, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    sums[i] = gt_ball_sum (sums[i], part[i]);
}

static int
sum_by_team (struct blocks *b, size_t n, unsigned threads, struct gt_ball *sums)
{
  const size_t blocks = (n - 1) / b->block + 1;
  int opened;

  b->sums = malloc (blocks * b->count * sizeof *b->sums);
  gt_parts_cut_blocks (&b->parts, n, b->block, threads);
  opened = b->sums && gt_parts_open (&b->parts) == 0;
  if (opened)
    {
      gt_team_run (b->parts.parts, take_claimed, b);
      gt_parts_close (&b->parts);
      for (unsigned i = 0; i < b->count && !b->failed; i++)
        sums[i] = b->sums[i];
      for (size_t k = 1; k < blocks && !b->failed; k++)
        add (sums, b->sums + k * b->count, b->count);
    }
  free (b->sums);
  return opened && !b->failed;
}

int
gt_blocks_sum (size_t n, size_t block, unsigned threads, gt_block_function *take,
               const void *closure, unsigned count, struct gt_ball *sums)
{
  struct blocks b = {.take = take, .closure = closure, .count = count, .block = block};
  struct gt_ball part[GT_N_MOMENTS];
  int told;

  if (threads > 1)
    return sum_by_team (&b, n, threads, sums);
  told = take (closure, 0, n < block ? n : block, sums);
  for (size_t begin = block; told && begin < n; begin += block)
    {
      told = take (closure, begin, n - begin < block ? n - begin : block, part);
      if (told)
        add (sums, part, count);
    }
  return told;
}
