/* The words of the tables, catalog.def, ladder/ladder.def and reductions.def, for
   the files that make data of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_WORDS_H
#define GT_KERNELS_WORDS_H

#include "kernels/catalog.h"

enum
{
#define X(id, name, ctype, real) id = 1 << GT_##id,
  GT_ARITHMETICS (X)
  GT_COMPLEX_ARITHMETICS (X)
#undef X
  REALS = F64 | F32 | LDBL,
  SIGNLESS = REALS | U64 | U32 | U16 | U8,
  ALL = SIGNLESS | I64 | I32 | I16 | I8,
  GPU = F64 | F32 | U64 | U32 | I64 | I32,
#define REDUCTION(id, name, ...) id = 1 << GT_##id,
#include "kernels/reductions.def"
#undef REDUCTION
  SUMS = 0
#define REDUCTION(id, name, algebra, ...) \
  + (GT_ALGEBRA_##algebra == GT_ALGEBRA_MOMENTS) * id
#include "kernels/reductions.def"
#undef REDUCTION
  ,
#define X(id, name) id = 1 << GT_MODE_##id,
  GT_MODES (X)
#undef X
  /* Tunables, and above them the unroll factors.  */
  NOTHING = GT_TUNE_NOTHING,
  THREADS = GT_TUNE_THREADS,
  BLOCK = GT_TUNE_BLOCK,
  STATIC_BLOCK = GT_TUNE_BLOCK | GT_TUNE_STATIC,
  GRID = GT_TUNE_GRID,
  FACTORS = 8, /* bits below */
  UNROLL = GT_TUNE_UNROLL | (1 | 2 | 4 | 8 | 16) << FACTORS,
  FOLD = GT_TUNE_UNROLL | (2 | 4 | 8) << FACTORS,
  PAIR = GT_TUNE_UNROLL | 2 << FACTORS,
  FOURFOLD = GT_TUNE_UNROLL | 4 << FACTORS,
  FOUR = GT_TUNE_UNROLL | (1 | 2 | 4 | 8) << FACTORS,
  THREE = GT_TUNE_UNROLL | (1 | 2 | 4) << FACTORS
};

#define TUNABLES(words) ((words) & ((1 << FACTORS) - 1))
#define UNROLLS(words) ((words) >> FACTORS ? (words) >> FACTORS : 1)

/* A kernel that is not built has no image.  */
#if defined HAVE_CUDA && HAVE_CUDA
#define IMAGE(file) gt_image_##file
#else
#define IMAGE(file) NULL
#endif

#endif
