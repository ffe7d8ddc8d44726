/* Shared by the tests of device vectors.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_DEVICE_VECTORS_H
#define GT_TEST_DEVICE_VECTORS_H

#include <gsl/gsl_errno.h>

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/scenario.h"

/* A setting that changes nothing.  */
#define NOTHING "GSLTUNE_LOG=quiet"
/* Scratch memory that is hardly enough for an H200 to be used at all.  */
#define LITTLE_SCRATCH "GSLTUNE_SCRATCH=45000"

/* Whether CALL reports CODE, once, and returns it.  */
#define REPORTS(call, code)                                            \
  (handler_calls = 0, gsl_set_error_handler (note_error),              \
   (call) == (code) && handler_calls == 1 && handler_code == (code))

/* Host elements STRIDE apart, amid poison.  */
static inline void *
new_elements (enum gt_arithmetic arithmetic, size_t n, size_t stride)
{
  void *elements = malloc ((n * stride + 1) * gt_arithmetics[arithmetic].size);

  CHECK (elements);
  fill_poison (arithmetic, elements, n * stride + 1);
  return elements;
}

#define VIEW(data, n, stride) ((gsl_vector) {n, stride, data, NULL, 0})

#endif
