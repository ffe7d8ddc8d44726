/* Every statistic of src/functions.def of the same elements, by our functions and by
   GSL's.

   As it stands: STATISTIC_NAME for each, and their names.  As a template of
   src/public/each_type.h, where GT_STATS_ALL is defined: the functions of a type.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_STATS_ALL_H
#define GT_TESTS_STATS_ALL_H

#define OF_STATS_VALUE(name)
#define OF_STATS_VALUES(name)
#define OF_STATS_INDEX(name)
#define OF_STATS_INDEXES(name)
#define OF_FAMILY_STATS(name, result) OF_STATS_##result (name)
#define OF_FAMILY_VECTOR(...)
#define OF_FAMILY_BLAS(...)
#define OF_FAMILY_MATRIX(...)
#define OF_FAMILY_DEVICE_VECTOR(...)
#define FUNCTION(family, name, reduction, result, ...) \
  OF_FAMILY_##family (name, result)

#define ROW(name) STATISTIC_##name,
#define OF_STATS_DOUBLE ROW
#define OF_STATS_DOUBLE_M ROW
#define OF_STATS_DOUBLE_M_SD ROW
#define OF_STATS_PAIR ROW
#define OF_STATS_PAIR_M ROW
#define OF_STATS_WEIGHTED ROW
#define OF_STATS_WEIGHTED_M ROW
#define OF_STATS_WEIGHTED_M_SD ROW
enum statistic
{
#include "src/functions.def"
  N_STATISTICS
};
#undef ROW
#define ROW(name) #name,
static const char *const statistic_names[] = {
#include "src/functions.def"
};
#undef ROW
#undef OF_STATS_DOUBLE
#undef OF_STATS_DOUBLE_M
#undef OF_STATS_DOUBLE_M_SD
#undef OF_STATS_PAIR
#undef OF_STATS_PAIR_M
#undef OF_STATS_WEIGHTED
#undef OF_STATS_WEIGHTED_M
#undef OF_STATS_WEIGHTED_M_SD
#undef FUNCTION

/* Integers have none of the weighted ones.  */
static inline int
is_weighted (int statistic)
{
  return statistic >= STATISTIC_wmean;
}

#endif

#ifdef GT_STATS_ALL
/* Stores the statistics in OURS and in GSL's, of X, which are the weights too, and of Y;
   those that want a mean and a deviation are given these, pairs one of them for each.  */
static void
NAMED (statistics, ) (const TYPE *x, size_t xs, const TYPE *y, size_t ys, size_t n,
                      double mean, double sd, double *ours, double *gsl)
{
#define SET(name, ...)                                                             \
  ours[STATISTIC_##name] = NAMED (gsltune_stats, _##name) (__VA_ARGS__);           \
  if (gsl)                                                                         \
    gsl[STATISTIC_##name] = NAMED (gsl_stats, _##name) (__VA_ARGS__);
#define OF_STATS_DOUBLE(name) SET (name, x, xs, n)
#define OF_STATS_DOUBLE_M(name) SET (name, x, xs, n, mean)
#define OF_STATS_DOUBLE_M_SD(name) SET (name, x, xs, n, mean, sd)
#define OF_STATS_PAIR(name) SET (name, x, xs, y, ys, n)
#define OF_STATS_PAIR_M(name) SET (name, x, xs, y, ys, n, mean, sd)
#if REAL
#define OF_STATS_WEIGHTED(name) SET (name, x, xs, y, ys, n)
#define OF_STATS_WEIGHTED_M(name) SET (name, x, xs, y, ys, n, mean)
#define OF_STATS_WEIGHTED_M_SD(name) SET (name, x, xs, y, ys, n, mean, sd)
#else
#define OF_STATS_WEIGHTED(name) ours[STATISTIC_##name] = 0;
#define OF_STATS_WEIGHTED_M(name) ours[STATISTIC_##name] = 0;
#define OF_STATS_WEIGHTED_M_SD(name) ours[STATISTIC_##name] = 0;
#endif
#define FUNCTION(family, name, reduction, result, ...) \
  OF_FAMILY_##family (name, result)
#include "src/functions.def"
#undef SET
#undef OF_STATS_DOUBLE
#undef OF_STATS_DOUBLE_M
#undef OF_STATS_DOUBLE_M_SD
#undef OF_STATS_PAIR
#undef OF_STATS_PAIR_M
#undef OF_STATS_WEIGHTED
#undef OF_STATS_WEIGHTED_M
#undef OF_STATS_WEIGHTED_M_SD
}
#endif
