/* Calls every function that is taken, and checks that what stands for libgsltune gets
   its arguments and that the answer comes back: see tests/preload/stand_in.h.  The
   argument is the path of that library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "tests/preload/stand_in.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "kernels/types.h"

static const struct note *note;
static int calls, failures;

static void
check (const char *name, int answered, struct note expected)
{
  if (answered && SAME_NOTES (expected, (*note)))
    return;
  failures++;
  printf ("%s: %s\n", name, answered ? "other arguments" : "another answer");
}

/* The arguments of all besides elements, by the names of src/prototypes.h.  */
static const size_t stride = 3, stride1 = 3, stride2 = 2, n = 5;
static const double mean = 1.5, sd = 2.5, mean1 = 1.5, mean2 = 2.5;
static const float alpha = 2.5;
static size_t places[4], *const i = places, *const j = places + 1;
static size_t *const k = places + 2, *const l = places + 3;
static double product, *const wide = &product;

/* Whether a call's answer came, by what it is.  */
#define CAME_VALUE(call) (call) == ANSWER
#define CAME_NUMBER(call) (call) == ANSWER
#define CAME_INDEX(call) (call) == ANSWER
#define CAME_VALUES(call) (call, *min == ANSWER && *max == ANSWER + 1)
#define CAME_INDEXES(call) (call, *i == ANSWER && *j == ANSWER + 1)
#define CAME_PLACES(call) (CAME_INDEXES (call) && *k == ANSWER + 2 && *l == ANSWER + 3)
#define CAME_PRODUCT(call) (call) == 0 && REAL_PART (to) == ANSWER
#define CAME_WIDE(call) (call) == 0 && *wide == ANSWER

#define CALL(symbol, prototype)                                           \
  memset (values, 0, sizeof values);                                      \
  memset (places, 0, sizeof places);                                      \
  check ("gsl_" #symbol,                                                  \
         NAMED_BY (CAME_, GT_ANSWER (prototype), ) (gsl_##symbol GT_PASSES (prototype)), \
         (struct note) {++calls, NOTED (symbol, prototype)});

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tests/preload/calls_of.inc"
#include "src/each_type.h"

int
main (int argc, char **argv)
{
  /* The library is there once a function was called.  */
  double x[1] = {0};
  void *library;

  gsl_stats_mean (x, 1, 1);
  library = argc > 1 ? dlopen (argv[1], RTLD_LAZY | RTLD_NOLOAD) : NULL;
  note = library ? dlsym (library, "gsltune_note") : NULL;
  if (note == NULL)
    {
      puts ("the library was not loaded");
      return 1;
    }
  calls = 1;
#define X(id, type, infix, ctype, arithmetic) all##infix (), all##infix (); /* looked for, and found */
  GT_ELEMENT_TYPES (X)
  GT_COMPLEX_TYPES (X)
#undef X
  if (calls != 1 + 2 * GT_FIRST_PROCEDURE)
    printf ("%d calls of %d functions\n", calls, GT_FIRST_PROCEDURE);
  return failures || calls != 1 + 2 * GT_FIRST_PROCEDURE;
}
