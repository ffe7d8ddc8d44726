/* Exact sums of doubles and floats on one thread: the engines.

   An engine adds numbers to a superaccumulator (kernels/superaccumulator.h)
   without rounding, much faster than one by one.  There are two: windows, for
   numbers of similar size (kernels/cpu/exact/exact_window.c), and bins, for any
   (kernels/cpu/exact/exact_bins.c); kernels/cpu/exact/exact_add.c takes for each block of
   a vector the one that suits.  They decide what sums in twice the precision
   (kernels/cpu/quick) leave in doubt.

   All of them want rounding to nearest, subnormals kept and no traps
   (src/base/fpenv.h).  They are compiled for each
   instruction set, but for exact_add.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_H
#define GT_KERNELS_CPU_EXACT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cutoffs.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/reductions.h"
#include "kernels/superaccumulator.h"
#include "kernels/types.h"

/* X (name, C type) */
#define GT_EXACT_TYPES(X) \
  X (f64, double)         \
  X (f32, float)

/* --------------------------------------------------------------- Windows */

#define GT_WINDOW_LEVELS 4  /* at most */
#define GT_WINDOW_STEP 46   /* bits from one level to the next */
#define GT_WINDOW_LENGTH 64 /* numbers that one accumulator takes */
#define GT_WINDOW_LANES 8   /* at most */
#define GT_WINDOW_UNROLLS 3 /* unroll factors: 1, 2, 4 */

/* The top is the binary exponent of the first level's accumulators.  With this
   one the unit of the fourth level is 2^-1074, and nothing is smaller.  */
#define GT_WINDOW_LOWEST (-1022 + (GT_WINDOW_LEVELS - 1) * GT_WINDOW_STEP)

/* Sums of magnitudes from here on are too near to overflow.  */
#define GT_WINDOW_TOO_LARGE 0x1p1000

/* From smaller sums that are not zero levels would take subnormal parts.  Differences
   of normal numbers that are subnormal take many processors a hundred cycles; bins have
   none.  */
#define GT_WINDOW_TOO_SMALL 0x1p-960

/* Where level L counts in units of: 2 to this power.  */
#define GT_WINDOW_UNIT(top, l) ((top) - (int) (l) * GT_WINDOW_STEP - 52)

/* The top for numbers whose magnitudes add up to less than
   GT_WINDOW_TOO_LARGE, in each lane to less than M.  */
static inline int
gt_window_top (double m)
{
  uint64_t bits;
  int top;

  memcpy (&bits, &m, sizeof bits);
  top = (int) (bits >> 52) - 1023 + 2;
  return top < GT_WINDOW_LOWEST ? GT_WINDOW_LOWEST : top;
}

struct gt_window
{
  /* The sum of what was added is that of total[l][lane] over lanes, which are signed,
     in units of level l.  A call of unroll factor u changes each by 2^51 u at
     most.  */
  _Alignas (64) uint64_t total[GT_WINDOW_LEVELS][GT_WINDOW_LANES];
  int top;
  unsigned levels; /* 1 to GT_WINDOW_LEVELS */
};

/* Moves the TOTAL of each of LEVELS, of which the first counts in units of 2^UNIT and each
   other in units of 2^STEP less, to ACC.  Returns whether the last of them
   was used.  */
int gt_window_flush (struct gt_superaccumulator *acc,
                     uint64_t (*total)[GT_WINDOW_LANES], unsigned levels,
                     int unit, int step);

/* Adds N numbers to the window and returns how many levels they needed (a
   bound, unless all four were there); or, when they do not fit, returns 0 and
   has changed nothing.  N is gt_window_block () at most.
   If N is not a multiple of the lanes, memory must be readable from
   GT_WINDOW_LANES elements before the end.  */
#define X(name, ctype)                                            \
  typedef unsigned gt_window_function_##name (                    \
    const ctype *x, size_t n, struct gt_window *window);
GT_EXACT_TYPES (X)
#undef X

#define X(name, ctype)                                                        \
  typedef uint32_t gt_exact_special_function_##name (                         \
    const ctype *x, size_t x_stride, const ctype *y, size_t y_stride,         \
    size_t n);
GT_EXACT_TYPES (X)
#undef X

#define GT_BINS_f64 (1 << 12) /* a bin for each sign and exponent */
#define GT_BINS_f32 (1 << 9)

#define X(name, ctype)               \
  struct gt_bins_##name              \
  {                                  \
    uint64_t sum[2][GT_BINS_##name]; \
  };
GT_EXACT_TYPES (X)
#undef X

/* The functions for one instruction set, of windows and bins: of numbers
   or of their magnitudes.  */
struct gt_exact_isa
{
  unsigned lanes;
  int magnitudes; /* a number stands for its magnitude in what is said here */
#define X(name, ctype)                                                       \
  /* By binary logarithm of the unroll factor.  */                           \
  gt_window_function_##name *add_##name[GT_WINDOW_UNROLLS];                  \
  /* The sum of magnitudes, rounded, or something absurd if not all are      \
     finite.  Reads as the above.  */                                        \
  double (*magnitude_##name) (const ctype *x, size_t n);                     \
  /* How many numbers are +0 or positive and subnormal, less how many are -0 \
     or negative and subnormal.  */                                          \
  int64_t (*surplus_##name) (const ctype *x, size_t n);                      \
  /* BINS begin all zero.  Adds N numbers, N < 2^32, to BINS or now and then \
     to ACC; SURPLUS is theirs, see above.  */                               \
  void (*bins_add_##name) (struct gt_bins_##name *bins, const ctype *x,      \
                           size_t n, int64_t surplus,                        \
                           struct gt_superaccumulator *acc);                 \
  /* Adds what BINS hold to ACC; BINS must not be used afterwards.  */       \
  void (*bins_flush_##name) (struct gt_bins_##name *bins,                    \
                             struct gt_superaccumulator *acc);             \
  /* The flags of those of N elements that are not finite, or, unless Y is   \
     null, of those of N products that have such a factor; after a NaN maybe \
     not of all.  */                                                         \
  gt_exact_special_function_##name *special_##name;
  GT_EXACT_TYPES (X)
#undef X
};

/* How many numbers a call may add: up to an unroll factor's number of vectors,
   less than a whole turn, is left for one accumulator at the end.  */
static inline size_t
gt_window_block (const struct gt_exact_isa *isa, unsigned unroll_index)
{
  const size_t u = GT_UNROLL (unroll_index);

  return (GT_WINDOW_LENGTH - u) * u * isa->lanes;
}

#ifdef GT_ISA
#define X(name, ctype)                                                       \
  void GT_FOR_ISA (gt_bins_add_##name) (                                     \
    struct gt_bins_##name *bins, const ctype *x, size_t n, int64_t surplus,  \
    struct gt_superaccumulator *acc);                                        \
  void GT_FOR_ISA (gt_bins_add_magnitudes_##name) (                          \
    struct gt_bins_##name *bins, const ctype *x, size_t n, int64_t surplus,  \
    struct gt_superaccumulator *acc);                                        \
  void GT_FOR_ISA (gt_bins_flush_##name) (struct gt_bins_##name *bins,       \
                                          struct gt_superaccumulator *acc);  \
  gt_exact_special_function_##name GT_FOR_ISA (gt_exact_special_##name);
GT_EXACT_TYPES (X)
#undef X
#endif

/* By instruction set, of numbers and of magnitudes.  */
extern const struct gt_exact_isa *const gt_exact_isas[GT_N_ISAS];
extern const struct gt_exact_isa *const gt_exact_magnitude_isas[GT_N_ISAS];

/* REDUCTION is GT_SUM or GT_ASUM.  */
static inline const struct gt_exact_isa *
gt_exact_isa (enum gt_reduction reduction)
{
  return reduction == GT_SUM ? gt_exact_isas[gt_isa ()]
                             : gt_exact_magnitude_isas[gt_isa ()];
}

/* ------------------------------------------------------------------ Sums */

/* A sum of one type on its way, to which elements are added call by call.  The
   elements of one call are the first guess for those of the next.
   kernels/cpu/exact/exact_add.c tells how.  */
struct gt_exact_run
{
  const struct gt_exact_isa *isa;
  unsigned unroll_index;
  size_t block;        /* elements */
  struct gt_window window;
  unsigned full;       /* window.total may take so many blocks more */
  size_t reach;        /* elements that windows are tried on next */
  size_t retreat;      /* elements that bins get when even few do not fit */
  size_t left_to_bins;
  double growth; /* about the sum of magnitudes in an accumulator that takes its
                    share of a block, estimated from TRIAL elements */
  void *bins;    /* struct gt_bins_..., from the heap, once they are needed */
  struct gt_superaccumulator *acc;
};

/* ACC has the whole sum when the run ends, and before that only a part.  */
void gt_exact_run_begin (struct gt_exact_run *run,
                         const struct gt_exact_isa *isa, unsigned unroll_index,
                         struct gt_superaccumulator *acc);
#define X(name, ctype)                                                       \
  void gt_exact_run_add_##name (struct gt_exact_run *run, const ctype *x,    \
                                size_t n, size_t stride);                    \
  void gt_exact_run_end_##name (struct gt_exact_run *run);
GT_EXACT_TYPES (X)
#undef X

/* Adds N elements that lie STRIDE apart to ACC, exactly, with the functions of
   ISA: a run of one call.  */
#define X(name, ctype)                                                       \
  void gt_exact_add_##name (const struct gt_exact_isa *isa,                  \
                            unsigned unroll_index, const ctype *x, size_t n, \
                            size_t stride, struct gt_superaccumulator *acc);
GT_EXACT_TYPES (X)
#undef X

#endif
