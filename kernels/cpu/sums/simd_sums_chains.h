/* The accumulators of several sums at once: for each sum some vectors, chains
   of additions that do not wait for one another.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_SIMD_SUMS_CHAINS_H
#define GT_KERNELS_CPU_SIMD_SUMS_CHAINS_H

/* Vectors that a loop takes in a turn, each to chains of its own: as many as
   hide the latency of an addition, and as have registers, of which SSE and
   AVX2 have 16.  Compensated steps have so many operations that few chains
   keep the adders busy, and so many numbers on the way, above all where
   factors are split, that there are registers for few.  */
#define MOST_CHAINS 8u
#if defined __AVX512F__ || defined __aarch64__
#define REGISTERS 32u
#else
#define REGISTERS 16u
#endif
#if defined FUSED
#define MOST_COMPENSATED 4u
#else
#define MOST_COMPENSATED 2u
#endif
#define FAST_CHAINS(sums) \
  ((sums) == 1 ? MOST_CHAINS : (sums) == 2 ? MOST_CHAINS / 2 : REGISTERS / 8)
#define COMPENSATED_CHAINS(sums) \
  ((sums) == 1 ? MOST_COMPENSATED : (sums) == 2 ? REGISTERS / 16 : 1u)
#define CHAINS                                            \
  (mode == GT_MODE_FAST ? FAST_CHAINS (sums_of (reduction)) \
                        : COMPENSATED_CHAINS (sums_of (reduction)))
/* Elements apart take so long to load that half as many chains will do.  */
#define TURN(apart) ((apart) ? (CHAINS + 1) / 2 : CHAINS)

/* Chains of scalars, and what one of them becomes with X and Y.  */
#define SCATTERED_CHAINS 4u

INLINE double
add_scalar (double s, double x, double y, const enum gt_reduction reduction)
{
  if (reduction == GT_TOTAL)
    return s + x;
  if (reduction == GT_SUMSQ)
    y = x;
#if defined __FMA__
  return __builtin_fma (x, y, s);
#else
  return x * y + s;
#endif
}

struct sum
{
  doubles s[MOST_CHAINS], c[MOST_CHAINS];
};

struct chains
{
  struct sum of[GT_MOST_SUMS];
};

/* Adds terms to chains I.  */
INLINE void
add_terms (struct chains *chains, const unsigned i,
           const struct terms_of_vector *t, FOR)
{
  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    add_term_vector (&chains->of[k].s[i], &chains->of[k].c[i], t, k, FOR_IT);
}

/* Adds the terms of X and Y to chains I.  */
INLINE void
add_vector (struct chains *chains, const unsigned i, doubles x, doubles y,
            const struct parameters_vector *by, FOR)
{
  struct terms_of_vector t;

  make_terms_vector (&t, x, y, by, FOR_IT);
  add_terms (chains, i, &t, FOR_IT);
}

/* The same of the first COUNT lanes: the factors and the terms of the others
   are zero.  */
INLINE void
add_first (struct chains *chains, doubles x, doubles y, size_t count,
           const struct parameters_vector *by, FOR)
{
  const words mask = first_words (count);
  struct terms_of_vector t;

  make_terms_vector (&t, x, y, by, FOR_IT);
  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    if (k < sums_of (reduction))
      {
        t.p[k] = (doubles) ((words) t.p[k] & mask);
        t.q[k] = (doubles) ((words) t.q[k] & mask);
        if (mode == GT_MODE_COMPENSATED
            && (has_differences (reduction) || has_doubled_terms (reduction)))
          t.extra[k] = (doubles) ((words) t.extra[k] & mask);
      }
  add_terms (chains, 0, &t, FOR_IT);
}

INLINE void
clear_chains (struct sum *sum, const unsigned from, const unsigned count)
{
  UNROLL
  for (unsigned i = from; i < count; i++)
    sum->s[i] = sum->c[i] = (doubles) {0};
}

/* Adds up the chains of a sum in its first one.  */
INLINE void
join_chains (struct sum *sum, const unsigned count, const enum gt_mode mode)
{
  halve_f64 (sum->s, sum->c, 4, count, mode);
  halve_f64 (sum->s, sum->c, 2, count, mode);
  halve_f64 (sum->s, sum->c, 1, count, mode);
}

#endif
