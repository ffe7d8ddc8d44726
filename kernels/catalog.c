/* The catalogue as data: catalog.def, with the functions and images that the
   build makes for each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"

#include <stdio.h>
#include <string.h>

#include "kernels/hashes.h"
#include "kernels/words.h"

#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary) \
  extern const struct gt_cpu_functions GT_OF_EACH_ISA (, gt_cpu_##name);
#define CUDA_KERNEL(name, family, layouts, arithmetics, modes, tunables,     \
                    shape, shared, since, summary)                           \
  extern const unsigned char gt_image_##family[];
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL

const struct gt_kernel gt_catalog[] = {
#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary)  \
  {#name, GT_CPU, GT_SHAPE_CPU, GT_LAYOUTS_##layouts, arithmetics, modes, \
   TUNABLES (tunables), UNROLLS (tunables), 0, 0, summary,                \
   {GT_OF_EACH_ISA (&, gt_cpu_##name)}, NULL, GT_HASH_##name},
#define CUDA_KERNEL(name, family, layouts, arithmetics, modes, tunables,     \
                    shape, shared, since, summary)                           \
  {#name, GT_CUDA, GT_SHAPE_##shape, GT_LAYOUTS_##layouts, arithmetics,      \
   modes, TUNABLES (tunables), UNROLLS (tunables), shared, since, summary,   \
   {NULL}, IMAGE (family), GT_HASH_##name},
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

gt_cpu_function *
gt_kernel_function (const struct gt_kernel *kernel,
                    enum gt_arithmetic arithmetic, enum gt_mode mode,
                    enum gt_layout layout, unsigned unroll)
{
  return kernel->cpu[gt_isa ()]->sum[arithmetic][mode][layout]
                                    [__builtin_ctz (unroll)];
}

int
gt_kernel_available (const struct gt_kernel *kernel, int cc, char *why,
                     size_t size)
{
  if (cc >= kernel->since)
    return 0;
  snprintf (why, size, "needs a GPU of compute capability %d.%d or later",
            kernel->since / 10, kernel->since % 10);
  return -1;
}

int
gt_kernel_symbol (const struct gt_kernel *kernel,
                  enum gt_arithmetic arithmetic, enum gt_mode mode,
                  enum gt_layout layout, unsigned unroll, unsigned block,
                  char *buffer, size_t size)
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
  char unrolled[16] = "", fixed[16] = "";

  if (kernel->tunables & GT_TUNE_UNROLL)
    snprintf (unrolled, sizeof unrolled, "_u%u", unroll);
  if (kernel->tunables & GT_TUNE_STATIC)
    snprintf (fixed, sizeof fixed, "_b%u", block);
  return snprintf (buffer, size, "sum_%s%s%s_%s%s%s", kernel->name,
                   kernel->layouts == GT_LAYOUTS_BOTH && layout == GT_STRIDED
                     ? "_strided" : "",
                   mode == GT_MODE_FAST ? "" : modes[mode],
                   names[arithmetic], unrolled, fixed);
}
