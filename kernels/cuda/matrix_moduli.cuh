/* The moduli of exact products of matrices, and constants that are derived from them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CUDA_MATRIX_MODULI_CUH
#define GT_KERNELS_CUDA_MATRIX_MODULI_CUH

#include "kernels/args.h"

namespace gt
{

constexpr unsigned residue_digits = 3; /* words with four digits to base 256 each */
constexpr int share_bits = 22;

/* A whole number of WORDS words, the lowest first.  */
template <unsigned Words>
struct natural
{
  uint32_t word[Words];

  constexpr void multiply (uint32_t by)
  {
    uint64_t carry = 0;

    for (unsigned k = 0; k < Words; k++)
      {
        carry += static_cast<uint64_t> (word[k]) * by;
        word[k] = static_cast<uint32_t> (carry);
        carry >>= 32;
      }
  }
  /* Divides by BY and returns the remainder.  */
  constexpr uint32_t divide (uint32_t by)
  {
    uint64_t rest = 0;

    for (unsigned k = Words; k-- > 0;)
      {
        rest = rest << 32 | word[k];
        word[k] = static_cast<uint32_t> (rest / by);
        rest %= by;
      }
    return static_cast<uint32_t> (rest);
  }
  constexpr unsigned bits () const
  {
    unsigned n = 32 * Words;

    while (n > 0 && !(word[(n - 1) / 32] >> (n - 1) % 32 & 1))
      n--;
    return n;
  }
};

constexpr bool are_coprime (uint32_t a, uint32_t b)
{
  while (b != 0)
    {
      const uint32_t rest = a % b;

      a = b;
      b = rest;
    }
  return a == 1;
}

/* Returns the B with A B = 1 modulo M.  */
constexpr uint32_t inverse_of (uint32_t a, uint32_t m)
{
  uint32_t b = 1;

  while (a * b % m != 1)
    b++;
  return b;
}

/* Stores C, 256 C, 256^2 C, ... modulo M as numbers from -128 to 127, four in a word.  */
constexpr void make_powers (int32_t *word, uint32_t c, uint32_t m)
{
  for (unsigned k = 0; k < residue_digits; k++)
    {
      uint32_t four = 0;

      for (unsigned i = 0; i < 4; i++)
        {
          four |= (c > 127 ? (c - m) & 255 : c) << 8 * i;
          c = c * 256 % m;
        }
      word[k] = static_cast<int32_t> (four);
    }
}

/* The N largest pairwise coprime numbers up to 256; their product has WORDS words, and the
   product of all but one OTHERS words.  */
template <unsigned N, unsigned Words, unsigned Others>
struct moduli
{
  static constexpr unsigned count = N, words = Words, others = Others;

  int32_t modulus[N];
  float inverse[N];
  int32_t magic[N];  /* 2^32 divided by the modulus, rounded down */
  int32_t share[N];  /* 2^share_bits divided by the modulus, rounded */
  int32_t power[2][N][residue_digits]; /* powers of 256; for the first factor multiplied by the
                                          inverse of the product of the others */
  uint32_t rest[N][Others]; /* the product of the other moduli */
  natural<Words> product;

  constexpr moduli () : modulus (), inverse (), magic (), share (), power (), rest (), product ()
  {
    unsigned n = 0;

    product.word[0] = 1;
    for (uint32_t m = 256; n < N; m--)
      {
        bool fits = true;

        for (unsigned i = 0; i < n; i++)
          fits = fits && are_coprime (m, static_cast<uint32_t> (modulus[i]));
        if (!fits)
          continue;
        product.multiply (m);
        modulus[n++] = static_cast<int32_t> (m);
      }
    for (unsigned i = 0; i < N; i++)
      take (i, static_cast<uint32_t> (modulus[i]));
  }

private:
  constexpr void take (unsigned i, uint32_t m)
  {
    natural<Words> others = product, copy = product;

    others.divide (m);
    copy = others;
    inverse[i] = 1.0f / static_cast<float> (m);
    magic[i] = static_cast<int32_t> ((static_cast<uint64_t> (1) << 32) / m);
    share[i] = static_cast<int32_t> (((1u << share_bits) + m / 2) / m);
    make_powers (power[0][i], inverse_of (copy.divide (m), m), m);
    make_powers (power[1][i], 1, m);
    for (unsigned k = 0; k < Others; k++)
      rest[i][k] = others.word[k];
  }
};

typedef moduli<GT_RESIDUES_F64, 6, 5> moduli_f64;
typedef moduli<GT_RESIDUES_F32, 4, 4> moduli_f32;

static_assert (moduli_f64 ().product.bits () > GT_RESIDUE_BITS_F64, "the bits of products of doubles");
static_assert (moduli_f32 ().product.bits () > GT_RESIDUE_BITS_F32, "the bits of products of floats");

/* The moduli for products of T.  */
template <class T> struct moduli_of;
template <> struct moduli_of<double> { typedef moduli_f64 type; };
template <> struct moduli_of<float> { typedef moduli_f32 type; };

} /* namespace gt */

#endif
