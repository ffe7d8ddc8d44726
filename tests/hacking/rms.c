/* The root mean square of tests/hacking/statistic.md: of arrays of all types, and of moments, it
   is what the oracle says of a deviation from zero, but for some units of the last place in fast mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tests/oracle.h"

/* The units that fast mode may be off, which are those of tests/test_truth where nothing cancels and
   GSL is right.  */
#define MOST_OFF 12

enum { MOST = 3000 };
static struct oracle oracle;
static mpfr_t exact;
static int wrong;

static void
expect (const char *name, enum gt_element_type type, const void *x, const void *y, size_t n,
        size_t stride)
{
  oracle_load (&oracle, type, x, stride, y, stride, n, (const double[]) {0, 0});
  oracle_value (exact, &oracle, name, 0);
}

static void
compare (double x, int off, const char *what)
{
  const struct oracle_format *const format = &oracle_formats[GT_TYPE_DOUBLE];

  if (oracle_error (x, exact, format) <= off)
    return;
  printf ("%s: %a instead of %a\n", what, x, (double) oracle_rounded (exact, format));
  wrong = 1;
}

#define GT_TEMPLATE "tests/hacking/rms.inc"
#include "src/each_type.h"

int
main (void)
{
  static const size_t lengths[] = {0, 1, 2, 3, 16, 17, 100, MOST};
  static const int ranges[] = {2, 30, 440};
  static const double specials[] = {0, 0, 0, NAN, INFINITY, -INFINITY};

  oracle_begin (&oracle);
  mpfr_init (exact);
  for (int mode = 0; mode < 2; mode++)
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths * 18; k++)
      {
        gsltune_set_mode (mode ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_FAST);
#define X(id, name, infix, ctype, arithmetic) \
        try##infix (lengths[k / 18], 1 + k % 2, ranges[k % 3], specials[k % 18 / 3], \
                    mode ? 0 : MOST_OFF);
        GT_ELEMENT_TYPES (X)
      }
  mpfr_clear (exact);
  oracle_end (&oracle);
  return wrong;
}
