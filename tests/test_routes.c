/* Tests of tuning/search/routes.c: the sequence of routes that findings lead to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/names.h"
#include "src/profile/step_kind.h"
#include "tests/unit.h"
#include "tuning/search/routes.h"

#define MOST 6
#define KIND "sum f64 fast pinned cuda-9.0-made-up"

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
      struct gt_profile profile;
      const struct gt_step *steps;
      unsigned n = (unsigned) strlen (cases[i].wins), length, at = 0;

      for (unsigned k = 0; k < n; k++)
        finding[k] = (struct gt_route_finding) {
          10u << k, route_of (cases[i].found[k]), 1 + k, 2 + k,
          (unsigned) (cases[i].wins[k] - '0')};
      gt_profile_empty (&profile);
      assert_int_equal (gt_routes_put (finding, n, KIND, &profile), 0);
      steps = gt_profile_steps (&profile, KIND, &length);
      assert_in_range (length, 1, n + 1);
      assert_true (steps[0].from == 0);
      assert_string_equal (steps[0].way, gt_way_names[GT_WAY_CPU]);
      for (unsigned k = 0; k < n; k++)
        {
          struct gt_route expected = route_of (cases[i].expected[k]), is;

          while (at + 1 < length && steps[at + 1].from <= finding[k].n)
            at++;
          is = gt_step_route (&steps[at]);
          assert_memory_equal (&is, &expected, sizeof expected);
          if (steps[at].from == finding[k].n)
            {
              const struct gt_measured *const m = gt_measured_of (&profile, &steps[at]);

              assert_true (m->cpu_seconds == 2 + k);
              assert_true (m->seconds == (cases[i].expected[k] == 'c' ? 2 : 1) + k);
            }
        }
      assert_int_equal (at, length - 1); /* no crossover but these */
      for (unsigned k = 1; k < length; k++)
        {
          const struct gt_route one = gt_step_route (&steps[k - 1]);
          const struct gt_route other = gt_step_route (&steps[k]);

          assert_true (steps[k].from > steps[k - 1].from);
          assert_true (memcmp (&one, &other, sizeof one) != 0);
        }
      gt_profile_clear (&profile);
    }
}

RUN_TESTS (NULL, NULL)
