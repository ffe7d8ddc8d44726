/* Calls every function of one type: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static void
NAMED (each, ) (void)
{
  TYPE x[20] = {0}, y[20] = {0}, p[2];
  VECTOR vector = {5, 3, x, 0, 0}, *v = &vector;
  MATRIX matrix = {2, 3, 4, x, 0, 0}, *m = &matrix;
  size_t i[4];

  TWICE
    {
#include "src/preload/rows_of.h"
    }
}
