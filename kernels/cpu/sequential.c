/* One chain of additions, in the order of the elements: what GSL does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/combine.h"

#define X(id, name, ctype, real)                                       \
  static void                                                          \
  fast_##name (const void *data, size_t n, size_t stride,              \
               union gt_value *sum)                                      \
  {                                                                    \
    const ctype *x = data;                                             \
    ctype s = 0;                                                       \
    for (size_t i = 0; i < n; i++)                                     \
      s = (ctype) (s + x[i * stride]);                                 \
    sum->name[0] = s;                                                  \
    sum->name[1] = 0;                                                  \
  }
GT_ARITHMETICS (X)
#undef X

#define X(id, name, ctype, real)                                       \
  static void                                                          \
  compensated_##name (const void *data, size_t n, size_t stride,       \
                      union gt_value *sum)                               \
  {                                                                    \
    const ctype *x = data;                                             \
    ctype s = 0, c = 0;                                                \
    for (size_t i = 0; i < n; i++)                                     \
      GT_TWO_SUM (ctype, s, c, x[i * stride]);                         \
    sum->name[0] = s;                                                  \
    sum->name[1] = c;                                                  \
  }
GT_REAL_ARITHMETICS (X)
#undef X

#define FUNCTIONS(mode, name)                                              \
  [mode] = {[GT_CONTIGUOUS] = {name}, [GT_STRIDED] = {name}}

const struct gt_cpu_functions gt_cpu_sequential = {
  .sum = {
#define X(id, name, ctype, real)                                           \
    [GT_##id] = {FUNCTIONS (GT_MODE_FAST, fast_##name),                    \
                 FUNCTIONS (GT_MODE_COMPENSATED, compensated_##name)},
    GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                           \
    [GT_##id] = {FUNCTIONS (GT_MODE_FAST, fast_##name)},
    GT_INTEGER_ARITHMETICS (X)
#undef X
  }
};
