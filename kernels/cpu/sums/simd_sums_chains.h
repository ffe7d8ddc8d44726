/* The accumulators of several sums at once: for each sum some vectors, chains
   of additions that do not wait for one another.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_SIMD_SUMS_CHAINS_H
#define GT_KERNELS_CPU_SIMD_SUMS_CHAINS_H

/* How many vectors a loop takes in a turn, each to chains of its own: as many
   as hide the latency of an addition and fit into registers, of which SSE and
   AVX2 have 16.  Dot2 has so many operations that few chains keep the adders
   busy, and so many numbers on the way, above all where factors are split, that
   registers suffice only for few.  */
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
#define CHAINS \
  (mode == GT_MODE_FAST ? FAST_CHAINS (sums_of (reduction)) : MOST_COMPENSATED)
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

/* Adds the first COUNT lanes of X and Y to SUMS, and takes back what the others
   become.  */
INLINE void
add_first (struct some_sums_vector *sums, doubles x, doubles y, size_t count,
           const struct parameters_vector *by, FOR)
{
  const words mask = first_words (count);
  struct some_sums_vector added = *sums;

  add_terms_vector (&added, x, y, by, FOR_IT);
  UNROLL
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    {
      sums->s[k] = (doubles) (((words) added.s[k] & mask) | ((words) sums->s[k] & ~mask));
      sums->c[k] = (doubles) (((words) added.c[k] & mask) | ((words) sums->c[k] & ~mask));
    }
}

INLINE void
clear_chains (struct some_sums_vector *chains, const unsigned from, const unsigned count)
{
  UNROLL
  for (unsigned i = from; i < count; i++)
    {
      UNROLL
      for (unsigned k = 0; k < GT_MOST_SUMS; k++)
        chains[i].s[k] = chains[i].c[k] = (doubles) {0};
    }
}

/* Of 2 HALF chains, adds the latter half to the former.  */
INLINE void
halve_chains (struct some_sums_vector *chains, const unsigned half, FOR, const unsigned count)
{
  if (count < 2 * half)
    return;
  UNROLL
  for (unsigned i = 0; i < half; i++)
    {
      UNROLL
      for (unsigned k = 0; k < sums_of (reduction); k++)
        MERGE (doubles, chains[i].s[k], chains[i].c[k], chains[i + half].s[k],
               chains[i + half].c[k], mode);
    }
}

/* Adds up the chains in the first one.  */
INLINE void
join_chains (struct some_sums_vector *chains, const unsigned count, FOR)
{
  halve_chains (chains, 4, FOR_IT, count);
  halve_chains (chains, 2, FOR_IT, count);
  halve_chains (chains, 1, FOR_IT, count);
}

INLINE void
add_to_total (struct some_sums_vector *total, const struct some_sums_vector *chain,
              const enum gt_reduction reduction)
{
  UNROLL
  for (unsigned k = 0; k < sums_of (reduction); k++)
    ADD_TO_TOTAL (doubles, total->s[k], total->c[k], chain->s[k]);
}

/* Adds the first chain to the total, and leaves the whole in that chain; the
   compensation of an infinity counts as none.  */
INLINE void
take_total (struct some_sums_vector *chain, struct some_sums_vector *total,
            const enum gt_reduction reduction)
{
  UNROLL
  for (unsigned k = 0; k < sums_of (reduction); k++)
    {
      ADD_TO_TOTAL (doubles, total->s[k], total->c[k], chain->s[k]);
      chain->s[k]
        = total->s[k] + (doubles) ((words) total->c[k] & (words) (total->c[k] == total->c[k]));
    }
}

#endif
