/* What src/public/few.inc needs, the same for all element types.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FEW_H
#define GT_FEW_H

#include <float.h>
#include <math.h>

#include "kernels/inline.h"
#include "src/public/kinds.h"

#define FEW_MAGNITUDE(x) _Generic ((x), long double: fabsl, default: fabs) (x)
#define FEW_ROOT(x) _Generic ((x), long double: sqrtl, default: sqrt) (x)

#endif
