/* Products of vectors of WIDTH lanes.  Included by two_products.h for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define NAMED(stem) GT_PASTE (stem, WIDTH)
#define NUMBER NAMED (vector)
#define SPLITTER 0x8000001p0
#undef FUSED
#ifdef FUSED_1
#define FUSED(p, q, s) NAMED (FUSED) (p, q, s)
#endif
#include "kernels/cpu/two_product.h"
#undef NAMED
#undef NUMBER
#undef SPLITTER
#undef FUSED
#undef WIDTH
