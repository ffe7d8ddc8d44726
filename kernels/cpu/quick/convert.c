/* Elements of any type as sums of two doubles, less a shift and scaled.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/wide/two_sum.h"

/* What all elements have in common, and what has been seen of them.  */
struct conversion
{
  vector shift, scale, back; /* 1 / scale */
  int shifted, scaled;
  words rested, lost;
};

/* Stores LANES elements H + L, L being zero unless they are WIDE.  */
INLINE void
put (struct conversion *c, vector h, vector l, const int wide, double *x, double *rest)
{
  vector e = {0}, lost = {0};

  if (c->shifted)
    GT_TWO_SUM (vector, h, e, -c->shift);
  if (wide)
    {
      GT_TWO_SUM (vector, e, lost, l);
      l = h;
      h = l + e;
      e = e - (h - l);
      c->lost |= (words) (lost != 0);
    }
  if (c->scaled)
    {
      l = h * c->scale;
      c->lost |= (words) (l * c->back != h);
      h = l;
      l = e * c->scale;
      c->lost |= (words) (l * c->back != e);
      e = l;
    }
  c->rested |= (words) e & ~SIGN;
  store_doubles (x, h);
  if (rest)
    store_doubles (rest, e);
}

/* N elements of a type from X on.  */
#define TEMPLATE(name, ctype, wide)                                                   \
  INLINE void                                                                         \
  convert_apart_##name (struct conversion *all, const ctype *x, const size_t stride,  \
                        size_t n, double *to, double *rest)                           \
  {                                                                                   \
    struct conversion c = *all;                                                       \
                                                                                      \
    for (size_t i = 0; i < n; i += LANES)                                             \
      {                                                                               \
        vector h = {0}, l = {0};                                                      \
                                                                                      \
        if (n - i >= LANES)                                                           \
          h = (vector) {GT_PASTE (EVERY, LANES) (x + i * stride, stride)};            \
        else                                                                          \
          for (size_t k = 0; k < n - i; k++)                                          \
            h[k] = (double) x[(i + k) * stride];                                      \
        for (size_t k = 0; wide && k < LANES && k < n - i; k++)                       \
          l[k] = (double) ((__int128) x[(i + k) * stride] - (__int128) h[k]);         \
        put (&c, h, l, wide, to + i, rest ? rest + i : NULL);                         \
      }                                                                               \
    *all = c;                                                                         \
  }                                                                                   \
  static void                                                                         \
  convert_##name (struct conversion *c, const void *x, size_t stride, size_t n,       \
                  double *to, double *rest)                                           \
  {                                                                                   \
    if (stride == 1)                                                                  \
      convert_apart_##name (c, x, 1, n, to, rest);                                    \
    else                                                                              \
      convert_apart_##name (c, x, stride, n, to, rest);                               \
  }
TEMPLATE (f64, double, 0)
TEMPLATE (f32, float, 0)
TEMPLATE (u64, uint64_t, 1)
TEMPLATE (i64, int64_t, 1)
TEMPLATE (u32, uint32_t, 0)
TEMPLATE (i32, int32_t, 0)
TEMPLATE (u16, uint16_t, 0)
TEMPLATE (i16, int16_t, 0)
TEMPLATE (u8, uint8_t, 0)
TEMPLATE (i8, int8_t, 0)

int
GT_FOR_ISA (gt_quick_convert) (enum gt_arithmetic arithmetic, const struct gt_operand *operand,
                               size_t begin, size_t n, double shift, double scale, double *x,
                               double *rest, int *rested)
{
  static const struct
  {
    void (*convert) (struct conversion *, const void *, size_t, size_t, double *, double *);
    size_t size;
  } of[GT_N_ARITHMETICS] = {
    [GT_F64] = {convert_f64, 8}, [GT_F32] = {convert_f32, 4},
    [GT_U64] = {convert_u64, 8}, [GT_I64] = {convert_i64, 8},
    [GT_U32] = {convert_u32, 4}, [GT_I32] = {convert_i32, 4},
    [GT_U16] = {convert_u16, 2}, [GT_I16] = {convert_i16, 2},
    [GT_U8] = {convert_u8, 1},   [GT_I8] = {convert_i8, 1}};
  struct conversion c = {(vector) {0} + shift, (vector) {0} + scale, (vector) {0} + 1 / scale,
                         shift != 0, scale != 1, {0}, {0}};

  if (of[arithmetic].convert == NULL)
    return 0;
  of[arithmetic].convert (
    &c, (const char *) operand->data + begin * operand->stride * of[arithmetic].size,
    operand->stride, n, x, rest);
  *rested |= FOLD (LANES, words, |, c.rested) != 0;
  return FOLD (LANES, words, |, c.lost) == 0;
}
