/* Finishes results that stay on the device, as kernels/cpu/finish does on the host: exact sums
   become whole numbers, and the sum, mean, root or spread is computed from these and rounded
   once.  Nothing is estimated first, so every result is decided here.

   One thread works, on the words that are not zero; for numbers of similar size they are
   few.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_FINISH_CUH
#define GT_KERNELS_CUDA_FINISH_CUH

/* The functions of whole numbers are the device's.  */
#define GT_ON_DEVICE

#include "kernels/cuda/reduce.cuh"
#include "kernels/whole.inc"

namespace gt
{

/* Stores RATIO rounded once, in SIZE bytes.  */
static __device__ GT_COLD void store_ratio (void *to, uint32_t size, const struct gt_ratio *ratio)
{
  if (size == 8)
    *static_cast<double *> (to) = gt_ratio_round (ratio);
  else
    *static_cast<float *> (to) = gt_ratio_round_float (ratio);
}

/* Sums as whole numbers, and rooms for what finishing makes of them, in shared memory.  */
struct numbers
{
  static constexpr int plain_words = GT_SUPER_WORDS / 2 + 3, product_words = GT_PRODUCT_WORDS / 2 + 8;
  struct gt_finish how;
  struct gt_whole plain[2], product, count, over, under;
  struct gt_ratio ratio;
  uint64_t plain_room[2][plain_words], product_room[product_words], more[product_words], other[product_words], divisor[2];

  /* A number of WORDS, without a sign.  */
  static __device__ __forceinline__ struct gt_whole whole_of (uint64_t *room, const uint64_t (&words)[3])
  {
    const uint64_t word[4] = {words[0], words[1], words[2], 0};

    return gt_whole_from_words (room, word, 4);
  }
  /* Makes OVER of the sums of N elements.  A spread is N times the sum of squares about the mean, or of
     products: n sum (x y) - sum (x) sum (y).  The sums of REALS are in units of 2^GT_SUPER_LOWEST.  */
  __device__ GT_COLD void make_over (uint64_t n, int plain_sums, int products, bool reals)
  {
    count = gt_whole_from_count (divisor, n);
    over = products ? product : plain[0];
    if (how.as == GT_FINISH_MEAN && how.unbias)
      {
        under = gt_whole_from_count (other, n);
        gt_whole_shift (&under, static_cast<int> (how.unbias - 1));
        over = gt_whole_difference (more, &plain[0], &under);
      }
    if (how.as < GT_FINISH_TSS)
      return;
    over = gt_whole_product (more, &product, &count);
    under = gt_whole_product (other, &plain[0], &plain[plain_sums - 1]);
    if (reals)
      gt_whole_shift (&under, 2 * GT_SUPER_LOWEST - GT_PRODUCT_LOWEST);
    over = gt_whole_difference (product_room, &over, &under);
  }
  __device__ GT_COLD void make_under (uint64_t n)
  {
    under = count;
    if (how.as < GT_FINISH_VARIANCE)
      return;
    under = gt_whole_from_count (divisor + 1, how.as >= GT_FINISH_POPULATION_VARIANCE ? n : n - 1);
    under = gt_whole_product (more, &count, &under);
  }
  /* Stores the result for N elements.  FLAGS are those of exact sums of real numbers.  */
  __device__ GT_COLD void finish (uint64_t n, uint32_t flags, int plain_sums, int products, bool reals)
  {
    const double infinite = __hiloint2double (0x7ff00000, 0);

    if (flags != 0)
      {
        store_real (how, how.as >= GT_FINISH_TSS || gt_super_is_nan (flags) ? infinite - infinite
                         : flags == GT_SUPER_PLUS_INFINITY ? infinite : -infinite);
        return;
      }
    make_over (n, plain_sums, products, reals);
    make_under (n);
    if (under.n == 0)
      {
        store_real (how, __hiloint2double (0x7ff80000, 0));
        return;
      }
    ratio.over = &over;
    ratio.under = how.as >= GT_FINISH_TSS || how.as == GT_FINISH_MEAN ? &under : nullptr;
    ratio.unit = !reals ? 0 : products ? GT_PRODUCT_LOWEST : GT_SUPER_LOWEST;
    ratio.root = how.as == GT_FINISH_ROOT || how.as == GT_FINISH_SD || how.as == GT_FINISH_POPULATION_SD;
    ratio.negative = over.negative;
    store_ratio (how.to[0], how.size, &ratio);
  }
};

} /* namespace gt */

#endif
