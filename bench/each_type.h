/* Includes BENCH_TEMPLATE, extremes_of.h or products_of.h, for each of the types that
   tables beside GSL have, by GSL and by the library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define LIBRARY gsl
#include "bench/each_type_of.h"
#undef LIBRARY
#define LIBRARY gsltune
#include "bench/each_type_of.h"
#undef LIBRARY
#undef BENCH_TEMPLATE
