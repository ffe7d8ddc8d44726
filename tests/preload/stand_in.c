/* A stand-in for libgsltune: see tests/preload/stand_in.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "tests/preload/stand_in.h"

struct note gsltune_note;

static void
note (enum gt_taken_id id, const void *x, const void *y, size_t s, size_t t, size_t n,
      double u, double v)
{
  gsltune_note = (struct note) {gsltune_note.calls + 1, id, x, y, s, t, n, u, v};
}

#define GIVE_VALUE return ANSWER;
#define GIVE_NUMBER return ANSWER;
#define GIVE_INDEX return ANSWER;
#define GIVE_VALUES *min = ANSWER, *max = ANSWER + 1;
#define GIVE_INDEXES *i = ANSWER, *j = ANSWER + 1;
#define GIVE_PLACES *i = ANSWER, *j = ANSWER + 1, *k = ANSWER + 2, *l = ANSWER + 3;
#define GIVE_PRODUCT REAL_PART (to) = ANSWER; return 0;
#define GIVE_WIDE *wide = ANSWER; return 0;

#define ROW(symbol, family, name, infix, reduction, prototype, empty) \
  STAND_IN (symbol, prototype)
#define STAND_IN(symbol, prototype)                                 \
  GT_RETURNS (prototype) gsltune_##symbol GT_TAKES (prototype)      \
  {                                                                 \
    note (NOTED (symbol, prototype));                               \
    NAMED_BY (GIVE_, GT_ANSWER (prototype), )                       \
  }
#include "src/preload/rows.inc"
