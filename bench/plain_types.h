/* The plain loops of one instruction set; included by plain.c with ISA, TARGET
   and BYTES defined.  Integers are added as unsigned ones, which wrap.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define PASTE_(word, type, isa) word##_##type##_##isa
#define PASTE(word, type, isa) PASTE_ (word, type, isa)

#define ELEMENT double
#define VALUE double
#define VECTOR gsl_vector
#define NAME(word) PASTE (word, f64, ISA)
#include "bench/plain_loop.h"

#define ELEMENT float
#define VALUE float
#define VECTOR gsl_vector_float
#define NAME(word) PASTE (word, f32, ISA)
#include "bench/plain_loop.h"

#define ELEMENT unsigned
#define VALUE int
#define VECTOR gsl_vector_int
#define NAME(word) PASTE (word, u32, ISA)
#include "bench/plain_loop.h"

static const struct gt_plain PASTE (plain, sums, ISA)
  = {PASTE (plain, f64, ISA), PASTE (plain, f32, ISA), PASTE (plain, u32, ISA)};

#undef PASTE
#undef PASTE_
#undef ISA
#undef TARGET
#undef BYTES
