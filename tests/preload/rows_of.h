/* The rows of src/functions.def of one type: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if REAL
#define OF_STATS_REALS OF_STATS_ALL
#else
#define OF_STATS_REALS(...)
#endif
#include "src/functions.def"
#undef OF_STATS_REALS
