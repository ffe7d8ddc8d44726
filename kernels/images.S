/* The fat binaries of the CUDA kernels, as read-only data of the library: for
   each line of the catalogue gt_image_NAME.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define STRING_(x) #x
#define STRING(x) STRING_ (x)

#define CPU_KERNEL(name, layouts, arithmetics, modes, tunables, summary)
#define CUDA_KERNEL(name, layouts, arithmetics, modes, tunables, shape, \
                    shared, summary)                                    \
        .balign 64;                                                     \
        .globl gt_image_##name;                                         \
        .hidden gt_image_##name;                                        \
gt_image_##name:                                                        \
        .incbin STRING (kernels/cuda/name.fatbin);

        .section .rodata
#include "kernels/catalog.def"

        .section .note.GNU-stack, "", %progbits
