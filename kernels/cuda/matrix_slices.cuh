/* Exact products of matrices on an engine that multiplies integers of 8 bits (K. Ozaki,
   T. Ogita, S. Oishi and S. M. Rump, "Error-free transformations of matrix multiplication
   by using fast routines of matrix multiplication and its applications", 2012; of integers
   H. Ootomo, K. Ozaki and R. Yokota, "DGEMM on integer matrix multiplication unit", 2024).

   Every line is cut into S slices, digits from -128 to 127 to base 256 of whole numbers below
   2^(8 S - 2): their first unit is the power of two above the line's largest element, the
   last one takes the rest, rounded.  Products of slices s and t with s + t = d are one
   product of matrices of (d + 1) times as many terms, since slices lie side by side, the
   second factor's in reverse.  Those of d < S make an integer of 128 bits; the others, and
   what rounding has cost, are less than 65 S for each term in units of it:
   (S - 1) 2^14 256^(S - 2) (1 + 1/256 + ...) of products and 2^(8 S - 2) of roundings, over
   256^(S - 1).  Where all digits of both lines are there nothing is left out.  */

#ifndef GT_KERNELS_CUDA_MATRIX_SLICES_CUH
#define GT_KERNELS_CUDA_MATRIX_SLICES_CUH

#include "kernels/cuda/matrix.cuh"

namespace gt
{

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

constexpr uint32_t exponent_special = 0x7ff;
constexpr unsigned cut_lines = 32, cut_terms = 32; /* of a block */

__device__ __forceinline__ const struct gt_matrix_operand &operand_of (const struct gt_matrix_args &m)
{
  return m.slices.side == 0 ? m.a : m.b;
}

/* The lines of a factor, and from one to the next, from one term to the next.  */
struct lines
{
  const void *data;
  uint64_t count, line, term;

  __device__ __forceinline__ explicit lines (const struct gt_matrix_args &m)
    : data (operand_of (m).data), count (m.slices.side == 0 ? m.rows : m.columns),
      line (m.slices.side == 0 ? m.a.row : m.b.column), term (m.slices.side == 0 ? m.a.column : m.b.row)
  {
  }
  template <class T>
  __device__ __forceinline__ double at (uint64_t i, uint64_t k) const
  {
    return static_cast<double> (__ldg (static_cast<const T *> (data) + (i * line + k * term)));
  }
};

__device__ __forceinline__ uint32_t exponent_of (double x)
{
  return static_cast<uint32_t> (__double2hiint (x)) >> 20 & 0x7ff;
}

/* Of all elements, not of a panel's alone.  Zeros have exponent 0, what is subnormal 1.
   Threads that follow one another read what lies side by side.  */
template <class T>
__device__ __forceinline__ void measure (const struct gt_matrix_args &m)
{
  const struct lines of (m);
  const bool across = of.line == 1;
  const uint64_t groups = (of.count + cut_lines - 1) / cut_lines;
  const unsigned fast = threadIdx.x % warp, slow = threadIdx.x / warp, rows = blockDim.x / warp;
  const uint64_t first = blockIdx.x % groups * cut_lines;
  const uint64_t chunk = blockIdx.x / groups, chunks = gridDim.x / groups;

  for (unsigned l = across ? fast : slow; l < cut_lines && first + l < of.count; l += across ? cut_lines : rows)
    {
      uint32_t largest = 0;

      for (uint64_t k = (across ? slow : fast) + chunk * (across ? rows : warp); k < m.terms;
           k += chunks * (across ? rows : warp))
        {
          const double x = of.at<T> (first + l, k);
          const uint32_t e = x != 0 && exponent_of (x) == 0 ? 1 : exponent_of (x);

          largest = largest < e ? e : largest;
        }
      atomicMax (m.slices.line[m.slices.side] + 2 * (first + l), largest);
    }
}

/* X as a whole number of BITS bits in a line of exponent E, and whether all of it.  */
__device__ __forceinline__ int128 whole_of (double x, uint32_t e, int bits, bool &all)
{
  const uint32_t high = static_cast<uint32_t> (__double2hiint (x)), low = static_cast<uint32_t> (__double2loint (x));
  const uint32_t own = high >> 20 & 0x7ff, normal = own != 0;
  const uint64_t significand = static_cast<uint64_t> ((high & 0xfffff) | normal << 20) << 32 | low;
  const int by = static_cast<int> (own - normal) - static_cast<int> (e) + bits - 52;
  int128 whole;

  if (by >= 0)
    whole = static_cast<int128> (significand) << by;
  else if (by < -54)
    {
      whole = 0;
      all = all && significand == 0;
    }
  else
    {
      whole = static_cast<int128> ((significand + (static_cast<uint64_t> (1) << (-by - 1))) >> -by);
      all = all && (significand & ((static_cast<uint64_t> (1) << -by) - 1)) == 0;
    }
  return high >> 31 ? -whole : whole;
}

/* Cuts the panel's terms of cut_lines lines; threads that follow one another cut four
   terms each of one line.  */
template <class T>
__device__ __forceinline__ void cut_slices (const struct gt_matrix_args &m)
{
  __shared__ double x[cut_lines][cut_terms + 1];
  const struct gt_matrix_slices &s = m.slices;
  const struct lines of (m);
  const bool across = of.line == 1;
  const uint64_t groups = (of.count + cut_lines - 1) / cut_lines, first = blockIdx.x % groups * cut_lines;
  const uint64_t chunk = blockIdx.x / groups, chunks = gridDim.x / groups;
  const unsigned l = threadIdx.x / (cut_terms / 4), t = threadIdx.x % (cut_terms / 4) * 4;
  const int bits = static_cast<int> (8 * s.slices) - 2;
  const bool there = first + l < of.count;
  uint32_t *const line = s.line[s.side] + 2 * (first + l);
  const uint32_t e = there ? line[0] : 0;
  uint32_t used = 0;
  bool all = true;

  for (uint64_t k = chunk * cut_terms; k < s.padded; k += chunks * cut_terms)
    {
      __syncthreads ();
      for (unsigned n = threadIdx.x; n < cut_lines * cut_terms; n += blockDim.x)
        {
          const unsigned i = across ? n % cut_lines : n / cut_terms, j = across ? n / cut_lines : n % cut_terms;

          x[i][j] = first + i < of.count && k + j < s.panel ? of.at<T> (first + i, s.first + k + j) : 0;
        }
      __syncthreads ();
      if (!there || k + t >= s.padded)
        continue;
      int128 whole[4];
#pragma unroll
      for (unsigned i = 0; i < 4; i++)
        whole[i] = e == exponent_special ? 0 : whole_of (x[l][t + i], e, bits, all);
      for (unsigned d = s.slices; d-- > 0;)
        {
          uint32_t four = 0;

#pragma unroll
          for (unsigned i = 0; i < 4; i++)
            {
              const int digit = static_cast<int> (static_cast<uint32_t> (static_cast<uint64_t> (whole[i])) & 255u);
              const int balanced = digit < 128 ? digit : digit - 256;

              four |= static_cast<uint32_t> (digit) << 8 * i;
              whole[i] = (whole[i] - balanced) >> 8;
            }
          if (four && used < d + 1)
            used = d + 1;
          memcpy (s.digit[s.side] + ((first + l) * s.slices + (s.side == 0 ? d : s.slices - 1 - d)) * s.padded + k + t, &four,
                  sizeof four);
        }
    }
  if (there)
    atomicMax (line + 1, all ? used : 2 * s.slices);
}

/* TotalS as an enclosed number; the low word in two halves, so that all are doubles.  */
__device__ __forceinline__ struct enclosed enclosed_of (int128 total, double error)
{
  const uint64_t low = static_cast<uint64_t> (total);
  const double a = static_cast<double> (static_cast<int64_t> (total >> 64)) * 0x1p64;
  const double b = static_cast<double> (static_cast<uint32_t> (low >> 32)) * 0x1p32;
  const double c = static_cast<double> (static_cast<uint32_t> (low)), s = a + b, t = s + c;

  return {t, error_of_sum (a, b, s) + error_of_sum (s, c, t), error + 4 * unit_squared * fabs (t)};
}

/* 2^BY of a BY that is moderate.  */
__device__ __forceinline__ double power_of_two (int by)
{
  return __hiloint2double ((1023 + by) << 20, 0);
}

template <class T>
__device__ __forceinline__ void round_element (const struct gt_matrix_args &m, int128 total, uint64_t i, uint64_t j)
{
  const struct gt_matrix_slices &s = m.slices;
  const uint32_t *const a = s.line[0] + 2 * i, *const b = s.line[1] + 2 * j;
  const int by = static_cast<int> (a[0] + b[0]) - 2 * 1022 - static_cast<int> (8 * s.slices) - 4;
  const bool all = a[1] + b[1] <= s.slices + 1;
  T *const to = const_cast<T *> (element_of<T> (m.c, i, j));
  struct enclosed x = {0, 0, 0};
  T rounded;

  if (a[0] == exponent_special || b[0] == exponent_special || (total != 0 && (by < -800 || by > 800)))
    {
      note_undecided (m, i, j);
      return;
    }
  if (a[0] != 0 && b[0] != 0)
    {
      const double scale = power_of_two (by < -800 ? -800 : by > 800 ? 800 : by);

      x = enclosed_of (total, all ? 0 : 65.0 * s.slices * static_cast<double> (m.terms));
      x.high *= scale;
      x.low *= scale;
      x.error *= scale;
    }
  if (round_once (m, x, to, rounded))
    *to = rounded;
  else
    note_undecided (m, i, j);
}

/* Puts the products of slices together, and rounds them after the last panel.  */
template <class T>
__device__ __forceinline__ void gather_slices (const struct gt_matrix_args &m)
{
  const struct gt_matrix_slices &s = m.slices;
  int128 *const sums = static_cast<int128 *> (s.sum);
  const uint64_t n = m.rows * m.columns, step = static_cast<uint64_t> (gridDim.x) * blockDim.x;

  for (uint64_t e = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x; e < n; e += step)
    {
      const uint64_t i = e / m.columns, j = e % m.columns;
      const int32_t *const plane = s.plane + (i * s.across + j);
      int128 total = 0;

      for (unsigned d = 0; d < s.slices; d++)
        total = total * 256 + __ldcs (plane + d * s.plane_size);
      if (s.first > 0)
        total += sums[e];
      if (s.first + s.panel < m.terms)
        sums[e] = total;
      else
        round_element<T> (m, total, i, j);
    }
}

} /* namespace gt */

#endif
