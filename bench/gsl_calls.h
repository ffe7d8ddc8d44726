/* Shared by the tables "run" and "systems" of the benchmark and the programs that they start:
   how many functions each calls, of the first the greatest length, of the powers of 4.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_GSL_CALLS_H
#define GT_BENCH_GSL_CALLS_H

#define GT_CALLS_FUNCTIONS 4
#define GT_CALLS_LONGEST 256
#define GT_SYSTEMS_FUNCTIONS 5

#endif
