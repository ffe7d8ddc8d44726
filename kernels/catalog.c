/* The catalogue as data: catalog.def, with the functions and images that the
   build makes for each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"

#include <stdio.h>
#include <string.h>

#include "kernels/words.h"

#define CPU_KERNEL(name, file, ...) \
  extern gt_cpu_finder GT_OF_EACH_ISA (, gt_cpu_##file);
#define CUDA_KERNEL(name, file, ...) \
  extern const unsigned char gt_image_##file[];
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL

const struct gt_kernel gt_catalog[] = {
#define CPU_KERNEL(name, file, version, reductions, layouts, arithmetics,     \
                   modes, tunables, summary)                                 \
  {#name, GT_CPU, GT_SHAPE_CPU, reductions, GT_LAYOUTS_##layouts,            \
   arithmetics, modes, TUNABLES (tunables), UNROLLS (tunables), 0, 0,        \
   summary, {GT_OF_EACH_ISA (, gt_cpu_##file)}, NULL, version},
#define CUDA_KERNEL(name, file, version, reductions, layouts, arithmetics,    \
                    modes, tunables, shape, shared, since, summary)          \
  {#name, GT_CUDA, GT_SHAPE_##shape, reductions, GT_LAYOUTS_##layouts,       \
   arithmetics, modes, TUNABLES (tunables), UNROLLS (tunables), shared,      \
   since, summary, {NULL}, IMAGE (file), version},
#include "kernels/catalog.def"
#undef CPU_KERNEL
#undef CUDA_KERNEL
};

const unsigned gt_catalog_size = sizeof gt_catalog / sizeof gt_catalog[0];

const struct gt_kernel *
gt_catalog_find (const char *name, enum gt_reduction reduction)
{
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].reductions & 1u << reduction
        && strcmp (gt_catalog[i].name, name) == 0)
      return &gt_catalog[i];
  return NULL;
}

int
gt_kernel_serves (const struct gt_kernel *kernel,
                  const struct gt_problem *p)
{
  return gt_reduction_has (p->reduction, p->arithmetic)
         && gt_mode_for (p->reduction, p->arithmetic, p->mode) == p->mode
         && (kernel->reductions & 1u << p->reduction) != 0
         && (kernel->arithmetics & 1u << p->arithmetic) != 0
         && (kernel->modes & 1u << p->mode) != 0
         && (kernel->layouts & 1u << p->layout) != 0;
}

int
gt_device_computes (enum gt_device_kind device, const struct gt_problem *problem)
{
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == device && gt_kernel_serves (&gt_catalog[i], problem))
      return 1;
  return 0;
}

unsigned
gt_kernel_unroll (const struct gt_kernel *kernel, unsigned unroll)
{
  while (unroll > 1 && !(kernel->unrolls & unroll))
    unroll /= 2;
  return kernel->unrolls & unroll ? unroll
                                  : kernel->unrolls & -kernel->unrolls;
}

gt_cpu_function *
gt_kernel_function (const struct gt_kernel *kernel,
                    const struct gt_problem *problem, unsigned unroll)
{
  return kernel->find[gt_isa ()](problem, unroll);
}

size_t
gt_kernel_shared (const struct gt_kernel *kernel,
                  const struct gt_problem *problem)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  const unsigned of_products = problem->arithmetic == GT_F64 ? 2 : 1;

  return gt_reduction_sums (problem->reduction)
           ? kernel->shared * sizeof (double)
               * (info->plain + info->products * of_products)
           : kernel->shared * gt_element_size (problem->arithmetic);
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

/* PROBLEM as an entry point has it: least elements, magnitudes and the signs of
   integers are a matter of masks (struct gt_order of kernels/args.h).  Exact
   kernels have entry points of their own.  */
static struct gt_problem
of_entry_point (const struct gt_problem *problem)
{
  struct gt_problem p = *problem;
  const enum gt_algebra algebra = gt_reductions[p.reduction].algebra;

  if (p.mode == GT_MODE_EXACT || algebra == GT_ALGEBRA_ADD)
    return p;
  if (algebra == GT_ALGEBRA_ORDER && p.reduction != GT_MINMAX)
    p.reduction = GT_MAX;
  if (gt_is_signed_integer (p.arithmetic))
    p.arithmetic = (enum gt_arithmetic) (p.arithmetic - GT_I64 + GT_U64);
  return p;
}

int
gt_kernel_symbol (const struct gt_kernel *kernel,
                  const struct gt_problem *problem, unsigned unroll,
                  unsigned block, char *buffer, size_t size)
{
  const struct gt_problem p = of_entry_point (problem);
  static const char *const names[] = {
#define X(id, name, ctype, real) #name,
    GT_ARITHMETICS (X)
    GT_COMPLEX_ARITHMETICS (X)
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
  return snprintf (buffer, size, "%s_%s%s%s_%s%s%s",
                   gt_reductions[p.reduction].name, kernel->name,
                   kernel->layouts == GT_LAYOUTS_BOTH
                     && p.layout == GT_STRIDED ? "_strided" : "",
                   p.mode == GT_MODE_FAST ? "" : modes[p.mode],
                   names[p.arithmetic], unrolled, fixed);
}
