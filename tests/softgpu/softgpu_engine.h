/* The engine: runs one launch on the calling thread.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_ENGINE_H
#define GT_SOFTGPU_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/args.h"

namespace softgpu
{
typedef void kernel_function (struct gt_kernel_args args);

struct launch
{
  const char *name;
  kernel_function *kernel;
  struct gt_kernel_args args;
  unsigned grid[3], block[3];
  size_t dynamic_shared; /* bytes */
  uint64_t seed;         /* of the order of blocks, warps and lanes */
  unsigned cluster;      /* blocks; 0: launched without clusters */
  size_t opted_in;       /* bytes of dynamic_shared asked leave for */
  bool overlaps;         /* launched before the stream has come to it: each thread waits */
};

/* Runs one grid.  0, or the driver's error code, with the reason on standard
   error.  One call at a time.  */
int run (const launch &l);

/* Fills every __shared__ variable of this library with poison, before a block of
   KERNEL.  */
void poison_shared (kernel_function *kernel);
/* The variables one after the other, as bytes: how many; to a copy, which was
   poison, and back from it, but those that the kernel has not written; poison in a copy that
   another kernel had; and where in it the variable lies that another block is to write SIZE
   bytes of at ADDRESS; -1 when none does.  */
size_t shared_bytes ();
void save_shared (unsigned char *copy);
void load_shared (const unsigned char *copy);
void poison_copy (kernel_function *kernel, unsigned char *copy);
ptrdiff_t shared_offset (const void *address, size_t size);

/* Blocks in a cluster of KERNEL; 0 for a kernel without GT_CLUSTER_DIMS.  */
unsigned cluster_size (kernel_function *kernel);
enum
{
  max_cluster = 8 /* blocks: what every device with clusters can run */
};

/* Finds the allocation that a kernel may read at ADDRESS.  */
bool find_readable (uintptr_t address, size_t size, uintptr_t *begin,
                    uintptr_t *end);
}

#endif
