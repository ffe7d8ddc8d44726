/* Plain sums of products (kernels/cpu/matrix/plain.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/matrix/plain.h"

#include <stdint.h>
#include <string.h>

#include "kernels/cpu/wide/fused.h"
#include "kernels/inline.h"

/* A tile's sums, a term's vectors and a number of each row fill the registers: 32, or 16.  Each
   load of a row's number serves all vectors, and each vector all rows.  */
#if GT_VECTOR_BYTES == 64
#define ROWS 8
#define VECTORS 3
#elif GT_VECTOR_BYTES == 32
#define ROWS 4
#define VECTORS 3
#else
#define ROWS 4
#define VECTORS 2
#endif
/* Bytes of packed numbers: of a tile's lanes, of a slab of lanes, and of a block of rows.  */
#define PANEL_BYTES (30 << 10)
#define SLAB_BYTES (768 << 10)
#define BLOCK_BYTES (240 << 10)
#define UNROLL_ALL _Pragma ("GCC unroll 32")


#ifdef __clang__
#define FOUR(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define FOUR(a, b, ...) __builtin_shuffle (a, b, (NAMED (places)) {__VA_ARGS__})
#endif

#define NAME f64
#define TYPE double
#define PLACE int64_t
#ifdef FUSED
#define SUM(p, q, s) FUSED (p, q, s)
#else
#define SUM(p, q, s) ((s) + (p) * (q))
#endif
#include "kernels/cpu/matrix/plain.inc"

#define NAME f32
#define TYPE float
#define PLACE int32_t
#ifdef FUSED
#define SUM(p, q, s) FUSED_FLOATS (p, q, s)
#else
#define SUM(p, q, s) ((s) + (p) * (q))
#endif
#include "kernels/cpu/matrix/plain.inc"
