/* The fat binaries of the CUDA kernels, as read-only data of the library: for
   each family of the catalogue gt_image_FAMILY.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#define STRING_(x) #x
#define STRING(x) STRING_ (x)

#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary)
#define CUDA_KERNEL(name, family, layouts, arithmetics, modes, tunables, \
                    shape, shared, since, summary)                       \
        IMAGE (family)

/* Several kernels of a family share one image.  */
#define IMAGE(family)                                                    \
        .ifndef gt_image_##family;                                       \
        .balign 64;                                                      \
        .globl gt_image_##family;                                        \
        .hidden gt_image_##family;                                       \
gt_image_##family:                                                       \
        .incbin STRING (kernels/cuda/family.fatbin);                     \
        .endif;

        .section .rodata
#include "kernels/catalog.def"

        .section .note.GNU-stack, "", %progbits
