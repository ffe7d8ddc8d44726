/* Calls the function of tests/hacking/.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <math.h>
#include <stdio.h>

#include "src/gsltune.h"

/* All zero, but for VALUE in the place AT; of N elements.  */
#define X(infix, type)                                              \
  static int                                                        \
  answer##infix (size_t n, size_t stride, size_t at, type value)    \
  {                                                                 \
    static type x[300];                                             \
    const gsl_vector##infix v = {n, stride, x, NULL, 0};            \
    int answer;                                                     \
                                                                    \
    x[at * stride] = value;                                         \
    answer = gsltune_vector##infix##_isnull (&v);                   \
    x[at * stride] = 0;                                             \
    return answer;                                                  \
  }
X (, double)
X (_float, float)
X (_long_double, long double)
X (_int, int)
X (_uint, unsigned int)
X (_long, long)
X (_ulong, unsigned long)
X (_short, short)
X (_ushort, unsigned short)
X (_char, char)
X (_uchar, unsigned char)
#undef X

static int
right (size_t n, size_t stride)
{
  int wrong = 0;

#define X(infix)                                                    \
  wrong |= answer##infix (n, stride, 0, 0) != 1;                    \
  for (size_t at = 0; at < n; at++)                                 \
    wrong |= answer##infix (n, stride, at, 1) != 0;
  X () X (_float) X (_long_double) X (_int) X (_uint) X (_long)
  X (_ulong) X (_short) X (_ushort) X (_char) X (_uchar)
#undef X
  if (n > 0)
    wrong |= answer (n, stride, n - 1, -0.0) != 1
             || answer (n, stride, n - 1, -1) != 0
             || answer (n, stride, n - 1, NAN) != 0
             || answer_float (n, stride, 0, NAN) != 0
             || answer_long_double (n, stride, n / 2, NAN) != 0;
  return !wrong;
}

int
main (void)
{
  for (size_t n = 0; n <= 100; n++)
    if (!right (n, 1) || !right (n, 3))
      {
        printf ("wrong of %zu elements\n", n);
        return 1;
      }
  return 0;
}
