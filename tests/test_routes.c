/* Tests of tuning/search/routes.c: the sequence of routes that findings lead to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tuning/search/routes.h"

#define MOST 6

/* The routes by letter: which one each length found, 'c' the CPU.  */
static struct gt_route
route_of (char letter)
{
  static const struct gt_route routes[] = {
    ['c'] = {GT_WAY_CPU, 0, 0, 0},
    ['d'] = {GT_WAY_DIRECT, 100, 0, 0},
    ['p'] = {GT_WAY_COPY, 100, 0, 4096},
    ['s'] = {GT_WAY_COPY, 25, 0, 4096},
    ['t'] = {GT_WAY_STAGED, 100, 8, 1024},
  };

  return routes[(unsigned char) letter];
}

TEST (sequences)
{
  /* WINS: comparisons won, '0' to '2'; FOUND: the GPU's best route; EXPECTED: a
     letter for each length from the second on, the route in force there.  */
  static const struct
  {
    const char *wins, *found, *expected;
  } cases[] = {{"", "", ""},
               {"0", "d", "c"},
               {"00000", "ddddd", "ccccc"},
               {"11111", "ddddd", "ddddd"},
               {"00111", "dddpp", "ccdpp"},
               {"00111", "ttttt", "ccttt"},
               {"01000", "ddddd", "ccccc"}, /* an isolated win */
               {"10000", "ddddd", "ccccc"},
               {"01010", "ddddd", "ccccc"}, /* two of them */
               {"00001", "ddddd", "ccccc"}, /* at the end, not repeated */
               {"00002", "dddds", "cccc" "s"}, /* repeated */
               {"2", "s", "s"},
               {"1", "s", "c"},
               {"11011", "ddsss", "ddcss"}, /* lost between */
               {"11110", "ddddd", "ddddc"}, /* lost at last */
               {"01102", "ddpps", "cdpcs"},
               {"011112", "ddppss", "cdppss"}};

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct gt_route_finding finding[MOST];
      struct gt_route_step sequence[MOST + 1];
      unsigned n = (unsigned) strlen (cases[i].wins), length, at = 0;

      for (unsigned k = 0; k < n; k++)
        finding[k] = (struct gt_route_finding) {
          10u << k, route_of (cases[i].found[k]), 1 + k, 2 + k,
          (unsigned) (cases[i].wins[k] - '0')};
      memset (sequence, 0xcb, sizeof sequence);
      length = gt_routes_sequence (finding, n, sequence);
      assert_in_range (length, 1, n + 1);
      assert_true (sequence[0].from == 0);
      assert_int_equal (sequence[0].route.way, GT_WAY_CPU);
      for (unsigned k = 0; k < n; k++)
        {
          struct gt_route expected = route_of (cases[i].expected[k]);

          while (at + 1 < length && sequence[at + 1].from <= finding[k].n)
            at++;
          assert_memory_equal (&sequence[at].route, &expected,
                               sizeof expected);
          if (sequence[at].from == finding[k].n)
            {
              assert_true (sequence[at].measured.cpu_seconds == 2 + k);
              assert_true (sequence[at].measured.seconds
                           == (cases[i].expected[k] == 'c' ? 2 : 1) + k);
            }
        }
      assert_int_equal (at, length - 1); /* no crossover but these */
      for (unsigned k = 1; k < length; k++)
        {
          assert_true (sequence[k].from > sequence[k - 1].from);
          assert_true (memcmp (&sequence[k].route, &sequence[k - 1].route,
                               sizeof sequence[k].route) != 0);
        }
    }
}

RUN_TESTS (NULL, NULL)
