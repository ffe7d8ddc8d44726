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
  GT_SHAPE_RUNG /* not the library's to launch: kernels/ladder/rungs.h */
};
#define GT_CLUSTER 8 /* blocks */

enum
{
  GT_TUNE_NOTHING = 0,
  GT_TUNE_THREADS = 1,
  GT_TUNE_UNROLL = 2,
  GT_TUNE_BLOCK = 4,
  GT_TUNE_GRID = 8,
  GT_TUNE_STATIC = 16 /* the block size is the compiler's */
};
#define GT_MIN_STATIC_BLOCK 64

enum
{
  GT_LAYOUTS_CONTIGUOUS = 1 << GT_CONTIGUOUS,
  GT_LAYOUTS_STRIDED = 1 << GT_STRIDED,
  GT_LAYOUTS_BOTH = GT_LAYOUTS_CONTIGUOUS | GT_LAYOUTS_STRIDED,
  GT_LAYOUTS_ANY = GT_LAYOUTS_BOTH | 4 /* one entry point for both */
};

/* Computes TASK on the calling thread.  VALUE receives what types.h says: of
   additions the sum and the compensation (zero in fast mode), or in exact mode a
   superaccumulator; of long double, the rounded sum.  Never fails.  The task may
   be empty, if it is one of additions.  */
typedef void gt_cpu_function (const struct gt_task *task,
                              union gt_value *value);

/* The export of kernels/cpu/FILE.c, as GT_FOR_ISA (gt_cpu_FILE): it is compiled once
   for each instruction set.  Returns its function for problems like PROBLEM,
   whatever their length; a null pointer when there is none.  UNROLL is 1 where
   that is not tuned.  */
typedef gt_cpu_function *gt_cpu_finder (const struct gt_problem *problem,
                                        unsigned unroll);

struct gt_kernel
{
  const char *name;     /* not this row's alone */
  enum gt_device_kind device;
  enum gt_shape shape;
  unsigned reductions;  /* 1 << GT_SUM | ... */
  unsigned layouts;     /* GT_LAYOUTS_... */
  unsigned arithmetics; /* 1 << GT_F64 | ... */
  unsigned modes;       /* 1 << GT_MODE_FAST | ... */
  unsigned tunables;    /* GT_TUNE_... */
  unsigned unrolls;     /* the unroll factors there are, or-ed; 1: none */
  unsigned shared;      /* elements of dynamic shared memory a thread */
  int since;            /* compute capability needed, times ten; 0: any */
  const char *summary;
  gt_cpu_finder *find[GT_N_ISAS]; /* GT_CPU */
  const void *image;    /* GT_CUDA: fat binary; null when built without CUDA */
  unsigned version;     /* winners of another one are not its; 0: of a rung */
};

/* Where a file's row stands in the catalogue, and how many there are.  */
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

/* The row of that name for a reduction; null when there is none.  */
const struct gt_kernel *gt_catalog_find (const char *name,
                                         enum gt_reduction reduction);

/* Whether some kernel of DEVICE computes problems like PROBLEM, of any length; whether
   KERNEL does.  */
int gt_device_computes (enum gt_device_kind device, const struct gt_problem *problem);
int gt_kernel_serves (const struct gt_kernel *kernel,
                      const struct gt_problem *problem);

/* The largest unroll factor of KERNEL that is not above UNROLL, else its
   smallest.  */
unsigned gt_kernel_unroll (const struct gt_kernel *kernel, unsigned unroll);

/* KERNEL's function, GT_CPU, for the instruction set in use; null where there is
   none.  */
gt_cpu_function *gt_kernel_function (const struct gt_kernel *kernel,
                                     const struct gt_problem *problem,
                                     unsigned unroll);

/* Bytes of dynamic shared memory that a thread of KERNEL needs for PROBLEM: the
   catalogue's `shared' elements.  Several sums at once are sums of doubles, whatever
   the elements are, and need as many for each; one of products of doubles, which are
   twice as wide, needs twice as many.  */
size_t gt_kernel_shared (const struct gt_kernel *kernel,
                         const struct gt_problem *problem);

/* Whether a GPU of compute capability CC (times ten) can run KERNEL: 0, or -1
   with WHY.  */
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
