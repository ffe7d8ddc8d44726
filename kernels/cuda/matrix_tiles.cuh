/* Products of matrices by tiles, for products that no other engine computes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_TILES_CUH
#define GT_KERNELS_CUDA_MATRIX_TILES_CUH

#include "kernels/cuda/matrix.cuh"

namespace gt
{

constexpr unsigned tile = 32, tile_terms = 16; /* tile^2 / 4 threads compute 2 x 2 elements
                                                  each */

/* Copies COUNT lines from FIRST on, and terms from K on, to TO, with zeros beyond the ends.
   LINE and TERM are the operand's strides; consecutive threads read adjacent elements.  */
template <class T>
__device__ __forceinline__ void load_tile (T (*to)[tile + 1], const void *data, uint64_t line, uint64_t term, uint64_t first,
                                           uint64_t lines, uint64_t k, uint64_t terms)
{
  for (unsigned e = threadIdx.x; e < tile * tile_terms; e += blockDim.x)
    {
      const unsigned i = line == 1 ? e % tile : e / tile_terms, t = line == 1 ? e / tile : e % tile_terms;

      to[t][i] = first + i < lines && k + t < terms
                   ? __ldg (static_cast<const T *> (data) + ((first + i) * line + (k + t) * term)) : static_cast<T> (0);
    }
}

template <class Sum, class T>
__device__ __forceinline__ void finish_element (const Sum &sum, const struct gt_matrix_args &m, uint64_t i, uint64_t j)
{
  const double terms = static_cast<double> (m.terms);
  T *const to = const_cast<T *> (element_of<T> (m.c, i, j));
  T x;

  if (sum.result (m.alpha, m.beta, terms, terms, to, x))
    *to = x;
  else
    note_undecided (m, i, j);
}

template <class Sum, class T>
__device__ __forceinline__ void tiles (const struct gt_matrix_args &m)
{
  __shared__ T a[tile_terms][tile + 1], b[tile_terms][tile + 1];
  const uint64_t tiles_across = (m.columns + tile - 1) / tile;
  const uint64_t row = blockIdx.x / tiles_across * tile, column = blockIdx.x % tiles_across * tile;
  const unsigned x = threadIdx.x % (tile / 2), y = threadIdx.x / (tile / 2);
  Sum sum[2][2];

  for (unsigned e = 0; e < 4; e++)
    sum[e / 2][e % 2].clear ();
  for (uint64_t k = 0; k < m.terms; k += tile_terms)
    {
      load_tile (a, m.a.data, m.a.row, m.a.column, row, m.rows, k, m.terms);
      load_tile (b, m.b.data, m.b.column, m.b.row, column, m.columns, k, m.terms);
      __syncthreads ();
#pragma unroll
      for (unsigned t = 0; t < tile_terms; t++)
#pragma unroll
        for (unsigned e = 0; e < 4; e++)
          if (k + t < m.terms)
            sum[e / 2][e % 2].add (a[t][y + e / 2 * (tile / 2)], b[t][x + e % 2 * (tile / 2)]);
      __syncthreads ();
    }
  for (unsigned e = 0; e < 4; e++)
    {
      const uint64_t i = row + y + e / 2 * (tile / 2), j = column + x + e % 2 * (tile / 2);

      if (i < m.rows && j < m.columns)
        finish_element<Sum, T> (sum[e / 2][e % 2], m, i, j);
    }
}

} /* namespace gt */

#endif
