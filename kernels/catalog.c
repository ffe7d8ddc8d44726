/* The catalogue as data: catalog.def, with the functions and images that the
   build makes for each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"

#include <stdio.h>
#include <string.h>

#include "kernels/hashes.h"

/* The words of catalog.def.  */
enum
{
#define X(id, name, ctype, real) id = 1 << GT_##id,
  GT_ARITHMETICS (X)
#undef X
  REALS = F64 | F32 | LDBL,
  INTEGERS = U64 | U32 | U16 | U8,
  ALL = REALS | INTEGERS,
  GPU = ALL & ~LDBL,
#define X(id, name) id = 1 << GT_MODE_##id,
  GT_MODES (X)
#undef X
  NOTHING = GT_TUNE_NOTHING,
  THREADS = GT_TUNE_THREADS,
  UNROLL = GT_TUNE_UNROLL,
  BLOCK = GT_TUNE_BLOCK,
  GRID = GT_TUNE_GRID
};

#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary) \
  extern const struct gt_cpu_functions gt_cpu_##name;
#define CUDA_KERNEL(name, layouts, arithmetics, modes, tunables, shape, \
                    shared, summary)                                    \
  extern const unsigned char gt_image_##name[];
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL

#if HAVE_CUDA
#define IMAGE(name) gt_image_##name
#else
#define IMAGE(name) NULL
#endif

const struct gt_kernel gt_catalog[] = {
#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary)  \
  {#name, GT_CPU, GT_SHAPE_CPU, GT_LAYOUTS_##layouts, arithmetics, modes, \
   tunables, 0, summary, &gt_cpu_##name, NULL, GT_HASH_##name},
#define CUDA_KERNEL(name, layouts, arithmetics, modes, tunables, shape,      \
                    shared, summary)                                         \
  {#name, GT_CUDA, GT_SHAPE_##shape, GT_LAYOUTS_##layouts, arithmetics,      \
   modes, tunables, shared, summary, NULL, IMAGE (name), GT_HASH_##name},
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL
};

const unsigned gt_catalog_size = sizeof gt_catalog / sizeof gt_catalog[0];

const struct gt_kernel *
gt_catalog_find (const char *name)
{
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (strcmp (gt_catalog[i].name, name) == 0)
      return &gt_catalog[i];
  return NULL;
}

int
gt_kernel_serves (const struct gt_kernel *kernel,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  enum gt_layout layout)
{
  /* Integers have one mode.  */
  if (mode != GT_MODE_FAST && !(REALS & 1u << arithmetic))
    return 0;
  return (kernel->arithmetics & 1u << arithmetic) != 0
         && (kernel->modes & 1u << mode) != 0
         && (kernel->layouts & 1u << layout) != 0;
}

int
gt_kernel_symbol (const struct gt_kernel *kernel,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  enum gt_layout layout, unsigned unroll, char *buffer,
                  size_t size)
{
  static const char *const names[] = {
#define X(id, name, ctype, real) #name,
    GT_ARITHMETICS (X)
#undef X
  };
  static const char *const modes[] = {
#define X(id, name) "_" name,
    GT_MODES (X)
#undef X
  };
  char suffix[8] = "";

  if (kernel->tunables & GT_TUNE_UNROLL)
    snprintf (suffix, sizeof suffix, "_u%u", unroll);
  return snprintf (buffer, size, "sum_%s%s%s_%s%s", kernel->name,
                   kernel->layouts == GT_LAYOUTS_BOTH && layout == GT_STRIDED
                     ? "_strided" : "",
                   mode == GT_MODE_FAST ? "" : modes[mode],
                   names[arithmetic], suffix);
}
