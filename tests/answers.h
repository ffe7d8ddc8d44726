/* Comparing what functions of src/functions.def answer, bit for bit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_ANSWERS_H
#define GT_TESTS_ANSWERS_H

#include <float.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/listed.h"

/* Whatever a function returns or stores.  */
static inline void
clear_answer (struct gt_answer *a)
{
  memset (a, 0x5a, sizeof *a);
}

/* A long double has other bytes than those that hold its number.  */
static inline int
same_answers (enum gt_element_type type, const struct gt_answer *a, const struct gt_answer *b)
{
  const size_t size = gt_types[type].size;
  const size_t bytes
    = type == GT_TYPE_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : size;

  return memcmp (a->value, b->value, bytes) == 0
         && memcmp (a->value + size, b->value + size, bytes) == 0
         && memcmp (a->index, b->index, sizeof a->index) == 0;
}

/* The function of the host that a function of device vectors has its name from: of
   arrays a statistic, else of vectors; null of one of BLAS.  */
static inline const struct gt_listed *
on_host (const struct gt_listed *f)
{
  const enum gt_family family
    = f->answers == GT_ANSWERS_NUMBER ? GT_OF_STATS : GT_OF_VECTOR;
  const struct gt_listed *g = gt_listed[f->type].function;

  for (size_t k = 0; k < gt_listed[f->type].count; k++)
    if (g[k].family == family && strcmp (g[k].name, f->name) == 0)
      return &g[k];
  return NULL;
}

#endif
