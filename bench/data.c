/* The data that the peers sum.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/bench.h"

int
gt_bench_data (struct gt_data *data, enum gt_arithmetic arithmetic)
{
  double *element;

  if (gt_data_init (data, arithmetic, GT_DATA_WHOLE))
    return -1;
  if (arithmetic != GT_F64)
    return 0;
  element = data->pattern;
  for (size_t i = 0; i < data->period; i++)
    element[i] = element[i] < 0 ? -element[i] : element[i] + 1;
  return 0;
}
