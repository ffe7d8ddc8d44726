/* Tests of tuning/crossover.c: from which length on the GPU pays.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuning/crossover.h"

static void
crossovers (void **state)
{
  static const uint64_t lengths[] = {10, 20, 40, 80, 160};
  static const struct
  {
    int wins[5];
    unsigned n;
    uint64_t from;
  } cases[] = {{{0, 0, 0, 0, 0}, 5, GT_NEVER}, /* never */
               {{1, 1, 1, 1, 1}, 5, 10},       /* always */
               {{0, 0, 1, 1, 1}, 5, 40},
               {{0, 0, 0, 0, 1}, 5, 160},
               {{0, 1, 0, 0, 0}, 5, GT_NEVER}, /* an isolated win */
               {{1, 1, 1, 1, 0}, 5, GT_NEVER}, /* lost at last */
               {{1, 0, 1, 0, 1}, 5, 160},
               {{0, 1, 1, 0, 1}, 5, 160},
               {{0, 1, 1, 0, 1}, 3, 20},       /* the rest was not compared */
               {{1}, 1, 10},
               {{0}, 1, GT_NEVER},
               {{1, 1, 1, 1, 1}, 0, GT_NEVER}};

  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_true (gt_crossover_of (lengths, cases[i].wins, cases[i].n)
                 == cases[i].from);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (crossovers),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}
