/* The functions of sequential_order.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/order_scalar.h"

ENTRY (max, GT_MAX)
ENTRY (min, GT_MIN)
ENTRY (minmax, GT_MINMAX)
#if REAL && VECTORS
ENTRY (amax, GT_AMAX)
#endif

#undef BEST
