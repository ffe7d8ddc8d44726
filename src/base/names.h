/* Names of types, modes and layouts, and back.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_NAMES_H
#define GT_NAMES_H

#include "kernels/reductions.h"
#include "src/base/mode.h"

struct gt_type_info
{
  const char *name;              /* "double", "long_double", ... */
  enum gt_arithmetic arithmetic;
  size_t size;                   /* bytes of an element */
};
extern const struct gt_type_info gt_types[GT_N_TYPES];

/* The arithmetics of the types, as constants.  */
enum
{
#define X(id, name, infix, ctype, arithmetic) \
  GT_ARITHMETIC_OF_##id = GT_##arithmetic,
  GT_ELEMENT_TYPES (X)
  GT_COMPLEX_TYPES (X)
#undef X
};

struct gt_arithmetic_info
{
  const char *name;  /* "f64", ... */
  const char *types; /* the element types with this arithmetic: "char, uchar" */
  size_t size;       /* bytes of an element */
  int real;          /* has modes */
  int gpu;           /* GPUs have it */
};
extern const struct gt_arithmetic_info gt_arithmetics[GT_N_ARITHMETICS];

extern const char *const gt_mode_names[GT_N_CHOSEN_MODES];
extern const char *const gt_layout_names[GT_N_LAYOUTS]; /* "contiguous", ... */

/* Returns whether elements are doubles or floats.  */
static inline int
gt_is_double_or_float (enum gt_arithmetic arithmetic)
{
  return arithmetic == GT_F64 || arithmetic == GT_F32;
}

/* Each returns the number, or -1 for an unknown name.  A type may also be
   written with a space or hyphen for the underscore.  */
int gt_type_from_name (const char *name);
int gt_arithmetic_from_name (const char *name);
int gt_mode_from_name (const char *name);
int gt_layout_from_name (const char *name);

/* Returns the index of NAME among the COUNT NAMES, or -1.  */
int gt_name_find (const char *const *names, int count, const char *name);

/* Stores the bytes from the first of N elements (at least 1) to the end of the last; they are
   STRIDE elements apart.  Returns 0, or -1 if that is too large for any memory.  */
int gt_span (enum gt_arithmetic arithmetic, size_t n, size_t stride,
             size_t *bytes);

/* Returns the element types that REDUCTION computes in ARITHMETIC, as text: "int, uint".  */
const char *gt_types_of (enum gt_reduction reduction,
                         enum gt_arithmetic arithmetic);

#endif
