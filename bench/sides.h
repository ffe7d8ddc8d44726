/* The sides that compute a drawn problem, and their operands.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_SIDES_H
#define GT_BENCH_SIDES_H

#include "bench/bench.h"
#include "bench/cublas.h"
#include "bench/draw.h"

enum gt_side
{
  GT_SIDE_OURS,
  GT_SIDE_EXACT,   /* ours in exact mode, where the problem's is fast */
  GT_SIDE_GSL,
  GT_SIDE_LOOP,    /* over our function of one vector */
  GT_SIDE_PLAIN,   /* a loop without calls */
  GT_SIDE_CPU,     /* ours by the CPU alone, of host data where there is a GPU */
  GT_SIDE_GPU,     /* CUB or cuBLAS */
  GT_SIDE_LIBRARY, /* a BLAS of the system, as it is found */
  GT_SIDE_CORE,    /* the same, told which processor this is */
  GT_N_SIDES
};

struct gt_sides
{
  const struct gt_drawn *drawn;
  struct gt_bench_gpu *gpu; /* or null */
  struct gt_cublas *cublas; /* or null */
  void *memory;             /* of all operands */
  size_t bytes;
  size_t *offsets;
  struct gt_operands operands;
  struct gt_line_call lines;
  struct gt_procedure_call call;
  struct gt_sort_data sort;
};

/* Makes the operands of D.  Returns 0, or -1 when memory is short.  */
int gt_sides_begin (struct gt_sides *s, const struct gt_drawn *d);
void gt_sides_end (struct gt_sides *s);

/* A set of 1 << side: those that compute it in this process, but the libraries.  */
unsigned gt_sides_there (const struct gt_sides *s);

/* Calls SIDE as often as CALLS says; returns the seconds of all calls.  */
double gt_side_time (const struct gt_sides *s, enum gt_side side, unsigned calls);

/* Whether the BLAS of the system, which is opened at the first call, has D's function.  */
int gt_library_has (const struct gt_drawn *d);
void gt_library_call (const struct gt_sides *s);
/* The processor that it computes for, as it says, or "".  */
const char *gt_library_core (void);

#endif
