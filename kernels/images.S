/* The fat binaries of the CUDA kernels, as read-only data of the library: for
   each row of the catalogue, and of images.def, gt_image_FILE.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#define STRING_(x) #x
#define STRING(x) STRING_ (x)

#define CPU_KERNEL(name, file, ...)
#define CUDA_KERNEL(name, file, ...) IMAGE (file)
#define IMAGE(file)                                                        \
        .balign 64;                                                        \
        .globl gt_image_##file;                                            \
        .hidden gt_image_##file;                                           \
gt_image_##file:                                                           \
        .incbin STRING (kernels/cuda/file.fatbin);

        .section .rodata
#include "kernels/catalog.def"
#include "kernels/images.def"

        .section .note.GNU-stack, "", %progbits
