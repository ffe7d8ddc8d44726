/* Fuzz target: rows, columns and segments of any shape.  Each answer is that of the function
   of one vector, in exact mode bit for bit.  An input is the type, the mode, the way, the
   shape, the ends of segments and the elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "kernels/cutoffs.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/lines_of.h"

#define MOST_LINES 64

/* The functions to ask for.  */
struct lines
{
  enum way way;
  size_t rows, columns, tda, stride, lines;
  size_t offsets[MOST_LINES + 1];
};

/* From the first element of the matrix to its last.  */
static size_t
span_of (const struct lines *l)
{
  return l->rows && l->columns ? (l->rows - 1) * l->tda + l->columns : 0;
}

#define GT_TEMPLATE "tests/fuzz/lines_of.inc"
#include "src/public/each_type.h"

int
gt_fuzz_lines (const uint8_t *data, size_t size)
{
  static void (*const of_type[]) (const struct lines *l, struct gt_fuzz_bytes bytes) = {
#define X(id, name, infix, ctype, arithmetic) agree##infix,
    GT_ELEMENT_TYPES (X)
#undef X
  };
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t type = gt_fuzz_byte (&bytes), how = gt_fuzz_byte (&bytes),
                steps = gt_fuzz_byte (&bytes);
  struct lines l = {.way = (enum way) (how / GT_N_MODES % N_WAYS),
                    .rows = gt_fuzz_byte (&bytes) % (MOST_LINES + 1),
                    .columns = gt_fuzz_byte (&bytes) % (MOST_LINES + 1)};
  const gsltune_mode before = gsltune_get_mode ();
  gsl_error_handler_t *const handler = gsl_set_error_handler_off ();
  size_t elements;

  l.tda = l.columns + steps % 4;
  l.stride = 1 + steps / 4 % 3;
  l.lines = l.way == COLUMNS ? l.columns : l.rows;
  elements = (span_of (&l) + l.stride - 1) / l.stride;
  for (size_t i = 0; i <= l.lines && l.way == SEGMENTS; i++)
    {
      const size_t next = (i ? l.offsets[i - 1] : 0) + gt_fuzz_byte (&bytes) % 32;

      l.offsets[i] = next < elements ? next : elements;
    }
  gsltune_set_mode ((gsltune_mode) (how % GT_N_MODES));
  of_type[type % (sizeof of_type / sizeof *of_type)](&l, bytes);
  gsltune_set_mode (before);
  gsl_set_error_handler (handler);
  return 0;
}
