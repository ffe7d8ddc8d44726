/* Sums of integers in words of 64 bits, the lowest first, in two's complement
   (struct gt_integer_sums), for the CPU's kernels.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_WIDE_INTEGERS_H
#define GT_KERNELS_CPU_WIDE_INTEGERS_H

#include "kernels/inline.h"
#include "kernels/types.h"

__extension__ typedef unsigned __int128 wide;

/* Adds X, modulo 2^128.  */
INLINE void
add_integer (uint64_t sum[2], wide x)
{
  const wide s = ((wide) sum[1] << 64 | sum[0]) + x;

  sum[0] = (uint64_t) s;
  sum[1] = (uint64_t) (s >> 64);
}

/* Adds X and TOP 2^128, modulo 2^192.  */
INLINE void
add_long (uint64_t sum[3], wide x, uint64_t top)
{
  const wide s = ((wide) sum[1] << 64 | sum[0]) + x;

  sum[2] += top + (s < x);
  sum[0] = (uint64_t) s;
  sum[1] = (uint64_t) (s >> 64);
}

/* Adds X 2^SHIFT, which is above 0 and below 128, modulo 2^192; or takes it
   away.  */
INLINE void
add_shifted (uint64_t sum[3], wide x, unsigned shift)
{
  add_long (sum, x << shift, (uint64_t) (x >> (128 - shift)));
}

INLINE void
subtract_shifted (uint64_t sum[3], wide x, unsigned shift)
{
  const wide shifted = x << shift;

  add_long (sum, -shifted,
            -(uint64_t) (x >> (128 - shift)) - (shifted != 0));
}

#endif
