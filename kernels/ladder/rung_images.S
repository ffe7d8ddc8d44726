/* The fat binaries of the ladder's rungs, as read-only data of the command: for
   each family of ladder.def gt_image_FAMILY, and gt_image_bytes_FAMILY with its
   size in 64 bits.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#define STRING_(x) #x
#define STRING(x) STRING_ (x)

#define LIBRARY_RUNG(name, rung, removes)
/* Several rungs of a family share one image.  */
#define RUNG(name, family, rung, tunables, shape, shared, summary, removes) \
        .ifndef gt_image_##family;                                          \
        .balign 64;                                                         \
        .globl gt_image_##family;                                           \
        .hidden gt_image_##family;                                          \
gt_image_##family:                                                          \
        .incbin STRING (kernels/ladder/family.fatbin);                      \
1:                                                                          \
        .balign 8;                                                          \
        .globl gt_image_bytes_##family;                                     \
        .hidden gt_image_bytes_##family;                                    \
gt_image_bytes_##family:                                                    \
        .8byte 1b - gt_image_##family;                                      \
        .endif;

        .section .rodata
#include "kernels/ladder/ladder.def"

        .section .note.GNU-stack, "", %progbits
