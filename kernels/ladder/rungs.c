/* The table of the rungs of the reduction ladder: ladder.def, with the images that the build
   makes for each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/ladder/rungs.h"

#include <string.h>

#include "kernels/words.h"

#define LADDER_TYPES (F64 | F32 | U32)

#if defined HAVE_CUDA && HAVE_CUDA
#define BYTES(family) &gt_image_bytes_##family
#else
#define BYTES(family) NULL
#endif

#define RUNG(name, family, rung, tunables, shape, shared, summary, removes) \
  extern const unsigned char gt_image_##family[];                           \
  extern const uint64_t gt_image_bytes_##family;
#define LIBRARY_RUNG(name, rung, removes)
#include "kernels/ladder/ladder.def"
#undef RUNG
#undef LIBRARY_RUNG

const struct gt_ladder_kernel gt_ladder_catalog[] = {
#define RUNG(name, family, rung, tunables, shape, shared, summary, removes)    \
  {&(const struct gt_kernel) {#name, GT_CUDA, GT_SHAPE_RUNG, SUM,              \
                              GT_LAYOUTS_ANY, LADDER_TYPES, FAST,              \
                              TUNABLES (tunables), UNROLLS (tunables), shared, \
                              0, summary, {NULL}, IMAGE (family), 0},          \
   rung, GT_RUNG_##shape, removes, BYTES (family)},
#define LIBRARY_RUNG(name, rung, removes) \
  {&gt_catalog[GT_AT_##name], rung, GT_RUNG_LIBRARY, removes, NULL},
#include "kernels/ladder/ladder.def"
#undef RUNG
#undef LIBRARY_RUNG
};

const unsigned gt_ladder_catalog_size
  = sizeof gt_ladder_catalog / sizeof gt_ladder_catalog[0];

const struct gt_ladder_kernel *
gt_ladder_find (const char *name)
{
  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (strcmp (gt_ladder_catalog[i].kernel->name, name) == 0)
      return &gt_ladder_catalog[i];
  return NULL;
}

const struct gt_ladder_kernel *
gt_ladder_of (const struct gt_kernel *kernel)
{
  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (gt_ladder_catalog[i].kernel == kernel)
      return &gt_ladder_catalog[i];
  return NULL;
}
