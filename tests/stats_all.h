/* Every statistic of src/functions.def: STATISTIC_NAME for each, their names, and all of
   the same elements, by our functions and by GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_STATS_ALL_H
#define GT_TESTS_STATS_ALL_H

#include <string.h>

#include "src/prototypes.h"
#include "tuning/measure/listed.h"

enum statistic
{
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, STATISTIC_##name,)
#include "src/rows.inc"
  N_STATISTICS
};

static const char *const statistic_names[] = {
#define STATS_ROW(name, reduction, result, ...) GT_IF_NUMBER (STATS_##result, #name,)
#include "src/rows.inc"
};

/* Integers have none of the weighted ones.  */
static inline int
is_weighted (int statistic)
{
  return statistic_names[statistic][0] == 'w';
}

/* Stores the statistics of O that FAMILY has in OURS and, if GSL is not null, those of GSL's
   functions there; leaves the others as they are.  Returns how many it stored.  */
static inline int
statistics_of (enum gt_family family, enum gt_element_type type,
               const struct gt_operands *o, double *ours, double *gsl)
{
  const struct gt_listed *f = gt_listed[type].function;
  struct gt_answer a;
  int s = 0, stored = 0;

  for (size_t k = 0; k < gt_listed[type].count; k++)
    if (f[k].family == family && f[k].answers == GT_ANSWERS_NUMBER)
      {
        while (strcmp (statistic_names[s], f[k].name) != 0)
          s++;
        f[k].call (f[k].ours, o, &a);
        ours[s] = (double) gt_answer_value (&f[k], &a, 0);
        stored++;
        if (gsl == NULL)
          continue;
        f[k].call (f[k].gsl, o, &a);
        gsl[s] = (double) gt_answer_value (&f[k], &a, 0);
      }
  return stored;
}

/* The same of arrays, of X, which are the weights too, and of Y; those that want a mean and a
   deviation are given these, pairs one of them for each.  */
static inline void
statistics (enum gt_element_type type, const void *x, size_t xs, const void *y, size_t ys,
            size_t n, double mean, double sd, double *ours, double *gsl)
{
  const struct gt_operands o
    = {.x = x, .y = y, .n = n, .stride = {xs, ys}, .given = {mean, sd}};

  memset (ours, 0, N_STATISTICS * sizeof *ours);
  statistics_of (GT_OF_STATS, type, &o, ours, gsl);
}

#endif
