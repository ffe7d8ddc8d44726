/* Statistics that want the mean of all elements before they look at the first one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/kept.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"

#define FIRST_CAPACITY ((size_t) 1 << 15) /* elements */

void
gt_kept_init (struct gt_kept *kept, enum gt_element_type type)
{
  memset (kept, 0, sizeof *kept);
  kept->type = type;
}

void
gt_kept_clear (struct gt_kept *kept)
{
  free (kept->data);
  gt_kept_init (kept, kept->type);
}

/* Makes room for N elements, and for as many again as there are, so that a long
   vector is not copied often.  */
static int
reserve (struct gt_kept *kept, size_t n)
{
  const size_t size = gt_types[kept->type].size;
  size_t capacity = FIRST_CAPACITY;
  void *data;

  if (n <= kept->capacity)
    return 0;
  while (capacity < n && capacity <= PTRDIFF_MAX / size)
    capacity *= 2;
  data = capacity <= PTRDIFF_MAX / size
           ? realloc (kept->data, capacity * size) : NULL;
  if (data == NULL)
    return -1;
  kept->data = data;
  kept->capacity = capacity;
  return 0;
}

int
gt_kept_add (struct gt_kept *kept, const void *data, size_t n,
              size_t stride)
{
  const size_t size = gt_types[kept->type].size;
  const char *from = data;
  char *to;

  if (reserve (kept, kept->n + n))
    return -1;
  to = (char *) kept->data + kept->n * size;
  if (stride == 1)
    memcpy (to, from, n * size);
  else
    for (size_t i = 0; i < n; i++)
      memcpy (to + i * size, from + i * stride * size, size);
  kept->n += n;
  return 0;
}

struct statistics
{
  double absdev, skew, kurtosis, lag1;
};

/* statistics_of_float and so on: of N elements.  */
#define X(id, name, infix, ctype, arithmetic)                             \
  static struct statistics                                                \
  statistics_of##infix (const void *data, size_t n)                       \
  {                                                                       \
    return (struct statistics) {                                          \
      gsltune_stats##infix##_absdev (data, 1, n),                         \
      gsltune_stats##infix##_skew (data, 1, n),                           \
      gsltune_stats##infix##_kurtosis (data, 1, n),                       \
      gsltune_stats##infix##_lag1_autocorrelation (data, 1, n)            \
    };                                                                    \
  }
GT_ELEMENT_TYPES (X)
#undef X

static struct statistics (*const functions[GT_N_ELEMENT_TYPES]) (
  const void *data, size_t n)
  = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = statistics_of##infix,
    GT_ELEMENT_TYPES (X)
#undef X
};

void
gt_kept_finish (struct gt_kept *kept)
{
  const struct statistics all = functions[kept->type](kept->data, kept->n);

  kept->absdev = gt_number_of (GT_TYPE_DOUBLE, &all.absdev);
  kept->skew = gt_number_of (GT_TYPE_DOUBLE, &all.skew);
  kept->kurtosis = gt_number_of (GT_TYPE_DOUBLE, &all.kurtosis);
  kept->lag1 = gt_number_of (GT_TYPE_DOUBLE, &all.lag1);
}
