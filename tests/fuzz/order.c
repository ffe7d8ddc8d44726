/* Fuzz target: functions that sort and select, with elements of any bits, NaN and
   zeros of both signs among them.  What they return and what they leave in arrays is GSL's,
   bit for bit.  An input is the type, the function, the stride, a rank and the elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include "kernels/types.h"
#include "src/gsltune.h"

enum { SORT, SORT2, INDEX, SELECT, MEDIAN, MAD0, N_CALLS };

/* One call.  */
struct call
{
  unsigned what;
  size_t n, stride, k;
  unsigned whole; /* whether elements are any bits, and not of a byte each */
};

#define GT_TEMPLATE "tests/fuzz/order_of.inc"
#include "src/public/each_type.h"

int
gt_fuzz_order (const uint8_t *data, size_t size)
{
  static void (*const of_type[]) (struct call c, struct gt_fuzz_bytes bytes) = {
#define X(id, name, infix, ctype, arithmetic) agree##infix,
    GT_ELEMENT_TYPES (X)
#undef X
  };
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t type = gt_fuzz_byte (&bytes), what = gt_fuzz_byte (&bytes),
                stride = gt_fuzz_byte (&bytes), rank = gt_fuzz_byte (&bytes);
  const struct call c = {.what = what % N_CALLS, .stride = 1 + stride % 3,
                         .k = rank, .whole = stride / 4 % 2};
  gsl_error_handler_t *const handler = gsl_set_error_handler_off ();

  of_type[type % (sizeof of_type / sizeof *of_type)](c, bytes);
  gsl_set_error_handler (handler);
  return 0;
}
