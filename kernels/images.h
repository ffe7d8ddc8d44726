/* The images of kernels/images.def, in this build.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_IMAGES_H
#define GT_KERNELS_IMAGES_H

enum gt_image
{
#define IMAGE(file) GT_IMAGE_##file,
#include "kernels/images.def"
#undef IMAGE
  GT_N_IMAGES
};

#define IMAGE(file) extern const unsigned char gt_image_##file[];
#include "kernels/images.def"
#undef IMAGE

#endif
