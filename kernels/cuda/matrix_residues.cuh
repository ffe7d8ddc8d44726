/* Exact products of matrices by an engine that multiplies integers of 8 bits (K. Ozaki, Y.
   Uchino and T. Imamura, "Ozaki Scheme II: A GEMM-oriented emulation of floating-point matrix
   multiplication using an integer modular technique", 2025).

   The elements of each line become integers of B bits, in units that depend on the line's
   largest element.  Their residues, for each of some moduli, are numbers from -128 to 127, and
   the engine's products of these are residues of the elements of the product.  Together they
   determine the elements (the Chinese remainder theorem), which are below a quarter of the
   product of all moduli.  So the only error is that of rounding elements to B bits: half a
   unit of each, times an element of the other line, which is at most 2^B units; the sum of the
   magnitudes bounds all of them together.  */

#ifndef GT_KERNELS_CUDA_MATRIX_RESIDUES_CUH
#define GT_KERNELS_CUDA_MATRIX_RESIDUES_CUH

#include "kernels/cuda/matrix.cuh"
#include "kernels/cuda/matrix_moduli.cuh"

namespace gt
{

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

constexpr uint32_t exponent_special = 0x7ff;
constexpr unsigned cut_lines = 32, cut_terms = 64; /* of a block */
constexpr unsigned cut_at_once = 8;                /* of a thread */
constexpr unsigned engine_multiple = 16;           /* the engine's dimensions are multiples of
                                                      this */
constexpr int size_bits = 20;

__device__ __forceinline__ const struct gt_matrix_operand &operand_of (const struct gt_matrix_args &m)
{
  return m.residues.side == 0 ? m.a : m.b;
}

/* The lines of a factor, with the distances of lines and of terms.  */
struct lines
{
  const void *data;
  uint64_t count, line, term;

  __device__ __forceinline__ explicit lines (const struct gt_matrix_args &m)
    : data (operand_of (m).data), count (m.residues.side == 0 ? m.rows : m.columns),
      line (m.residues.side == 0 ? m.a.row : m.b.column), term (m.residues.side == 0 ? m.a.column : m.b.row)
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

/* Stores the largest exponent of each line, over all elements, not only a panel's.  Zeros have
   the exponent 0, subnormals 1.  Consecutive threads read adjacent elements.  */
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

#pragma unroll 4
      for (uint64_t k = (across ? slow : fast) + chunk * (across ? rows : warp); k < m.terms;
           k += chunks * (across ? rows : warp))
        {
          const double x = of.at<T> (first + l, k);
          const uint32_t e = x != 0 && exponent_of (x) == 0 ? 1 : exponent_of (x);

          largest = largest < e ? e : largest;
        }
      atomicMax (&m.residues.line[m.residues.side][first + l].largest, largest);
    }
}

/* ------------------------------------------------------------------ Residues */

/* A thread's findings about a line: the number of rounded elements, and the sum of
   magnitudes.  */
struct seen
{
  unsigned long long inexact, size;
};

/* Returns X as an integer of BITS bits in a line with the exponent E.  */
__device__ __forceinline__ int128 whole_of (double x, uint32_t e, int bits, struct seen &seen)
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
      seen.inexact += significand != 0;
    }
  else
    {
      whole = static_cast<int128> ((significand + (static_cast<uint64_t> (1) << (-by - 1))) >> -by);
      seen.inexact += (significand & ((static_cast<uint64_t> (1) << -by) - 1)) != 0;
    }
  seen.size += static_cast<uint64_t> ((whole + ((static_cast<int128> (1) << (bits - size_bits)) - 1)) >> (bits - size_bits));
  return high >> 31 ? -whole : whole;
}

/* An integer as digits from -128 to 127 to base 256, four in a word.  */
struct digits
{
  int32_t word[residue_digits];

  __device__ __forceinline__ void take (int128 whole)
  {
    constexpr uint32_t half = 0x80808080u;
    const uint128 low = static_cast<uint128> (static_cast<uint64_t> (half) << 32 | half);
    const uint128 up = static_cast<uint128> (whole) + (static_cast<uint128> (half) << 64 | low);

    for (unsigned k = 0; k < residue_digits; k++)
      word[k] = static_cast<int32_t> (static_cast<uint32_t> (up >> 32 * k) ^ half);
  }
};

/* 1.5 * 2^23: adding an integer below 2^22 to it is exact, and the integer is in the last bits
   of the sum; its lowest 8 bits are unchanged.  */
constexpr float magic = 12582912.0f;
constexpr uint32_t magic_bits = 0x4b400000u;

/* Returns a word whose lowest 8 bits are the residue, from -128 to 127, of D times the
   constant of POWER.  Sums of products of digits are below 2^18, so that the quotient is the
   nearest integer, except for ties, where either is correct.  */
__device__ __forceinline__ uint32_t residue_of (const struct digits &d, const int32_t *power, int32_t modulus, float inverse)
{
  int32_t sum = static_cast<int32_t> (magic_bits);

#pragma unroll
  for (unsigned k = 0; k < residue_digits; k++)
    sum = __dp4a (d.word[k], power[k], sum);
  const float x = __uint_as_float (static_cast<uint32_t> (sum)) - magic;
  const uint32_t quotient = __float_as_uint (__fmaf_rn (x, inverse, magic));

  return static_cast<uint32_t> (sum) - quotient * static_cast<uint32_t> (modulus);
}

/* Writes the residues of consecutive terms of a line to TO.  */
template <class T>
__device__ __forceinline__ void write_residues (const struct digits *d, unsigned side, int8_t *to, uint64_t step)
{
  constexpr typename moduli_of<T>::type of;

#pragma unroll
  for (unsigned n = 0; n < of.count; n++)
    {
      uint32_t word[2];

#pragma unroll
      for (unsigned k = 0; k < 2; k++)
        {
          word[k] = 0;
#pragma unroll
          for (unsigned i = 0; i < 4; i++)
            word[k] |= (residue_of (d[4 * k + i], of.power[side][n], of.modulus[n], of.inverse[n]) & 255u) << 8 * i;
        }
      *reinterpret_cast<uint64_t *> (to + n * step) = static_cast<uint64_t> (word[1]) << 32 | word[0];
    }
}

/* Converts the panel's terms of cut_lines lines, which X buffers.  */
template <class T, unsigned Side>
__device__ __forceinline__ void cut_lines_of (const struct gt_matrix_args &m, double (*x)[cut_terms + 1])
{
  const struct gt_matrix_residues &s = m.residues;
  const struct lines of (m);
  const bool across = of.line == 1;
  const uint64_t groups = (of.count + cut_lines - 1) / cut_lines, first = blockIdx.x % groups * cut_lines;
  const uint64_t chunk = blockIdx.x / groups, chunks = gridDim.x / groups;
  const uint64_t padded = (of.count + engine_multiple - 1) / engine_multiple * engine_multiple;
  const unsigned l = threadIdx.x / (cut_terms / cut_at_once), t = threadIdx.x % (cut_terms / cut_at_once) * cut_at_once;
  const bool there = first + l < of.count;
  const uint32_t e = there ? s.line[Side][first + l].largest : 0;
  struct seen seen = {0, 0};

  for (uint64_t k = chunk * cut_terms; k < s.padded; k += chunks * cut_terms)
    {
      __syncthreads ();
      for (unsigned n = threadIdx.x; n < cut_lines * cut_terms; n += blockDim.x)
        {
          const unsigned i = across ? n % cut_lines : n / cut_terms, j = across ? n / cut_lines : n % cut_terms;

          x[i][j] = first + i < of.count && k + j < s.panel ? of.at<T> (first + i, s.first + k + j) : 0;
        }
      __syncthreads ();
      if (first + l >= padded || k + t >= s.padded)
        continue;
      struct digits d[cut_at_once];
#pragma unroll
      for (unsigned i = 0; i < cut_at_once; i++)
        d[i].take (e == exponent_special ? 0 : whole_of (x[l][t + i], e, static_cast<int> (s.bits), seen));
      write_residues<T> (d, Side, s.digit[Side] + ((first + l) * s.padded + k + t), padded * s.padded);
    }
  if (there)
    {
      if (seen.inexact)
        atomicAdd (&s.line[Side][first + l].inexact, seen.inexact);
      atomicAdd (&s.line[Side][first + l].size, seen.size);
    }
}

template <class T>
__device__ __forceinline__ void cut_residues (const struct gt_matrix_args &m)
{
  __shared__ double x[cut_lines][cut_terms + 1];

  if (m.residues.side == 0)
    cut_lines_of<T, 0> (m, x);
  else
    cut_lines_of<T, 1> (m, x);
}

/* ------------------------------------------------------------------ Elements */

/* A signed integer below a quarter of the moduli's product.  */
template <class T>
struct total
{
  static constexpr unsigned words = moduli_of<T>::type::words;
  uint32_t word[words];

  /* Computes the number from its residues.  Each residue becomes a number from m/2 to 5/2 m.
     Multiplied by the products of the other moduli, these add up to the number plus a multiple
     of the product of all moduli.  The sum of shares determines the multiple: its fraction is
     the number divided by the product, from -1/4 to 1/4.  */
  __device__ __forceinline__ void find (const int32_t *plane, uint64_t step)
  {
    constexpr typename moduli_of<T>::type of;
    unsigned long long column[words] = {0};
    int32_t shares = 1 << (share_bits - 1);
    int64_t carry = 0;

#pragma unroll
    for (unsigned n = 0; n < of.count; n++)
      {
        const int32_t r = __ldcs (plane + n * step);
        const int32_t quotient = static_cast<int32_t> (static_cast<int64_t> (r) * of.magic[n] >> 32);
        const int32_t y = r - (quotient - 1) * of.modulus[n];

        shares += y * of.share[n];
#pragma unroll
        for (unsigned k = 0; k < of.others; k++)
          column[k] += static_cast<unsigned long long> (static_cast<uint32_t> (y)) * of.rest[n][k];
      }
    const uint32_t times = static_cast<uint32_t> (shares >> share_bits);
#pragma unroll
    for (unsigned k = 0; k < words; k++)
      {
        carry += static_cast<int64_t> (column[k] - static_cast<unsigned long long> (times) * of.product.word[k]);
        word[k] = static_cast<uint32_t> (static_cast<uint64_t> (carry));
        carry >>= 32;
      }
  }
  __device__ __forceinline__ void add (const uint32_t *other)
  {
    uint64_t carry = 0;

#pragma unroll
    for (unsigned k = 0; k < words; k++)
      {
        carry += static_cast<uint64_t> (word[k]) + other[k];
        word[k] = static_cast<uint32_t> (carry);
        carry >>= 32;
      }
  }
  /* Returns the number with its error bound: adds word by word from the highest, and the
     errors of these additions.  If the first words cancel, nothing is lost; afterwards sums
     are at most twice the number, so that the errors are below 4 units of it, and so are those
     of 10 additions of them.  */
  __device__ __forceinline__ struct enclosed enclose (double error) const
  {
    double s = static_cast<double> (static_cast<int32_t> (word[words - 1])), lost = 0;

#pragma unroll
    for (unsigned k = words - 1; k-- > 0;)
      {
        const double high = s * 0x1p32, low = static_cast<double> (word[k]), t = high + low;

        lost = lost * 0x1p32 + error_of_sum (high, low, t);
        s = t;
      }
    return {s, lost, error + 64 * unit_squared * fabs (s)};
  }
  __device__ __forceinline__ bool is_zero () const
  {
    uint32_t any = 0;

#pragma unroll
    for (unsigned k = 0; k < words; k++)
      any |= word[k];
    return any == 0;
  }
};

/* Returns 2^BY; BY must be moderate.  */
__device__ __forceinline__ double power_of_two (int by)
{
  return __hiloint2double ((1023 + by) << 20, 0);
}

/* Returns the largest error that rounding the elements of one line may cause in a product with
   another line, in units of 2^(bits - size_bits) / 2.  */
__device__ __forceinline__ double cost_of (const struct gt_matrix_line &rounded, const struct gt_matrix_line &other)
{
  const double all = static_cast<double> (rounded.inexact) * (1 << size_bits), size = static_cast<double> (other.size);

  return all < size ? all : size;
}

template <class T>
__device__ __forceinline__ void round_element (const struct gt_matrix_args &m, const struct total<T> &total, uint64_t i,
                                               uint64_t j)
{
  const struct gt_matrix_residues &s = m.residues;
  const struct gt_matrix_line a = s.line[0][i], b = s.line[1][j];
  const int bits = static_cast<int> (s.bits), by = static_cast<int> (a.largest + b.largest) - 2 * 1022 - 2 * bits;
  const bool zero = total.is_zero () && a.inexact == 0 && b.inexact == 0;
  T *const to = const_cast<T *> (element_of<T> (m.c, i, j));
  struct enclosed x = {0, 0, 0};
  T rounded;

  if (a.largest == exponent_special || b.largest == exponent_special || (!zero && (by < -800 || by > 800)))
    {
      note_undecided (m, i, j);
      return;
    }
  if (a.largest != 0 && b.largest != 0)
    {
      const double unit = power_of_two (by < -800 ? -800 : by > 800 ? 800 : by);

      x = total.enclose ((cost_of (a, b) + cost_of (b, a)) * power_of_two (bits - size_bits - 1)
                         + static_cast<double> (a.inexact < b.inexact ? a.inexact : b.inexact));
      x.high *= unit;
      x.low *= unit;
      x.error *= unit;
    }
  if (round_once (m.alpha, m.beta, x, to, rounded))
    *to = rounded;
  else
    note_undecided (m, i, j);
}

/* Computes the elements of the product, and rounds them after the last panel.  */
template <class T>
__device__ __forceinline__ void gather_residues (const struct gt_matrix_args &m)
{
  const struct gt_matrix_residues &s = m.residues;
  const uint64_t n = m.rows * m.columns, step = static_cast<uint64_t> (gridDim.x) * blockDim.x;

  for (uint64_t e = static_cast<uint64_t> (blockIdx.x) * blockDim.x + threadIdx.x; e < n; e += step)
    {
      const uint64_t i = e / m.columns, j = e % m.columns;
      uint32_t *const before = s.sum + e * total<T>::words;
      struct total<T> all;

      all.find (s.plane + (i * s.across + j), s.plane_size);
      if (s.first > 0)
        all.add (before);
      if (s.first + s.panel >= m.terms)
        round_element<T> (m, all, i, j);
      else
        memcpy (before, all.word, sizeof all.word);
    }
}

} /* namespace gt */

#endif
