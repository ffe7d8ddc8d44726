/* Updates of vectors, element by element, for one instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/updates.h"

#include <stdint.h>

#include "kernels/inline.h"

/* A register of 64 bytes would cross a line of the cache each time, since elements are
   aligned to 8 or 16 bytes as a rule.  */
#if GT_VECTOR_BYTES < 32
#define BYTES 16
#define LANES_64 2
#define LANES_32 4
#else
#define BYTES 32
#define LANES_64 4
#define LANES_32 8
#endif
#define PAIRS_2 1, 0
#define PAIRS_4 1, 0, 3, 2
#define PAIRS_8 1, 0, 3, 2, 5, 4, 7, 6

#define NAME f64
#define TYPE double
#define LANE int64_t
#define LANES LANES_64
#include "kernels/cpu/matrix/updates.inc"

#define NAME f32
#define TYPE float
#define LANE int32_t
#define LANES LANES_32
#include "kernels/cpu/matrix/updates.inc"

extern const struct gt_updates GT_FOR_ISA (gt_updates);
const struct gt_updates GT_FOR_ISA (gt_updates) = {
  axpy_f64, scal_f64, swap_f64, rot_f64, axpy_complex_f64, scal_complex_f64,
  axpy_f32, scal_f32, swap_f32, rot_f32, axpy_complex_f32, scal_complex_f32,
};
