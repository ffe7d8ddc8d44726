/* The catalogue as data.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CATALOG_H
#define GT_KERNELS_CATALOG_H

#include "kernels/cpu/isa/isa.h"
#include "kernels/task.h"

enum gt_device_kind
{
  GT_CPU,
  GT_CUDA
};

/* See catalog.def.  */
enum gt_shape
{
  GT_SHAPE_CPU,
  GT_SHAPE_SINGLE_PASS,
  GT_SHAPE_CLUSTER,
  GT_SHAPE_RUNG /* launched only by the ladder: kernels/ladder/rungs.h */
};
#define GT_CLUSTER 8 /* blocks */

enum
{
  GT_TUNE_NOTHING = 0,
  GT_TUNE_THREADS = 1,
  GT_TUNE_UNROLL = 2,
  GT_TUNE_BLOCK = 4,
  GT_TUNE_GRID = 8,
  GT_TUNE_STATIC = 16 /* the block size is a constant of the code */
};
#define GT_MIN_STATIC_BLOCK 64

enum
{
  GT_LAYOUTS_CONTIGUOUS = 1 << GT_CONTIGUOUS,
  GT_LAYOUTS_STRIDED = 1 << GT_STRIDED,
  GT_LAYOUTS_BOTH = GT_LAYOUTS_CONTIGUOUS | GT_LAYOUTS_STRIDED,
  GT_LAYOUTS_ANY = GT_LAYOUTS_BOTH | 4 /* one entry point for both */
};

/* Computes TASK on the calling thread.  VALUE receives the members that types.h defines: for
   additions the sum, or in exact mode a superaccumulator; for long double, the rounded sum.  Cannot fail.  A task of additions may
   be empty.  */
typedef void gt_cpu_function (const struct gt_task *task,
                              union gt_value *value);

/* The function that kernels/cpu/FILE.c exports as GT_FOR_ISA (gt_cpu_FILE), once for each
   instruction set.  Returns the kernel for problems like PROBLEM of any length, or null if
   there is none.  UNROLL is 1 if it is not tuned.  */
typedef gt_cpu_function *gt_cpu_finder (const struct gt_problem *problem,
                                        unsigned unroll);

struct gt_kernel
{
  const char *name;     /* rows may share a name */
  enum gt_device_kind device;
  enum gt_shape shape;
  unsigned reductions;  /* 1 << GT_SUM | ... */
  unsigned layouts;     /* GT_LAYOUTS_... */
  unsigned arithmetics; /* 1 << GT_F64 | ... */
  unsigned modes;       /* 1 << GT_MODE_FAST | ... */
  unsigned tunables;    /* GT_TUNE_... */
  unsigned unrolls;     /* all unroll factors, or-ed; 1: none */
  unsigned shared;      /* elements of dynamic shared memory a thread */
  int since;            /* minimum compute capability, times ten; 0: any */
  const char *summary;
  gt_cpu_finder *find[GT_N_ISAS]; /* GT_CPU */
  const void *image;    /* GT_CUDA: fat binary; null when built without CUDA */
  unsigned version;     /* steps of other versions are invalid; 0: a rung */
};

/* The index of each file's row in the catalogue, and the number of rows.  */
enum
{
#define CPU_KERNEL(name, file, ...) GT_AT_##file,
#define CUDA_KERNEL(name, file, ...) GT_AT_##file,
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL
  GT_N_KERNELS
};

extern const struct gt_kernel gt_catalog[];
extern const unsigned gt_catalog_size;

/* Returns the row of that name for a reduction; null if there is none.  */
const struct gt_kernel *gt_catalog_find (const char *name,
                                         enum gt_reduction reduction);

/* Check whether some kernel of DEVICE, or KERNEL, computes problems like PROBLEM, of any
   length.  */
int gt_device_computes (enum gt_device_kind device, const struct gt_problem *problem);
int gt_kernel_serves (const struct gt_kernel *kernel,
                      const struct gt_problem *problem);

/* Returns the largest unroll factor of KERNEL that does not exceed UNROLL, otherwise its
   smallest.  */
unsigned gt_kernel_unroll (const struct gt_kernel *kernel, unsigned unroll);

/* Returns the function of KERNEL, a CPU kernel, for the instruction set in use; null if there
   is none.  */
gt_cpu_function *gt_kernel_function (const struct gt_kernel *kernel,
                                     const struct gt_problem *problem,
                                     unsigned unroll);

/* Returns the bytes of dynamic shared memory that a thread of KERNEL needs for PROBLEM: the
   catalogue's `shared' elements.  Several sums are sums of doubles for every element type, and
   need that number for each sum; a sum of products of doubles, which are twice as wide, needs
   twice the number.  */
size_t gt_kernel_shared (const struct gt_kernel *kernel,
                         const struct gt_problem *problem);

/* Checks whether a GPU of compute capability CC (times ten) can run KERNEL.  Returns 0, or -1
   with the reason in WHY.  */
int gt_kernel_available (const struct gt_kernel *kernel, int cc, char *why,
                         size_t size);

/* Writes the entry point's name, e.g. "sum_grid_stride_strided_f64_u4" or
   "sum_interleaved_f64", and returns its length as snprintf does.  The form is
   REDUCTION_KERNEL[_strided][_MODE]_ARITHMETIC[_uUNROLL][_bBLOCK], the last
   for a block size that is the compiler's.  */
int gt_kernel_symbol (const struct gt_kernel *kernel,
                      const struct gt_problem *problem, unsigned unroll,
                      unsigned block, char *buffer, size_t size);

#endif
