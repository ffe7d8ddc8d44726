/* What a function of extremes of TYPE answers: a template of src/public/each_type.h;
   whoever includes it undefines ANSWER.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define ANSWER struct NAMED (answer, )

/* Whatever a function returns or stores.  */
ANSWER
{
  TYPE value[2];
  size_t index[4];
};

static void
NAMED (clear, ) (ANSWER *answer)
{
  memset (answer, 0x5a, sizeof *answer);
}

/* The bytes that hold a number: a long double has others, too.  */
static size_t
NAMED (bytes, ) (void)
{
  return ARITHMETIC == GT_LDBL && LDBL_MANT_DIG == 64 ? 10 : sizeof (TYPE);
}

static int
NAMED (same, ) (const ANSWER *a, const ANSWER *b)
{
  return memcmp (&a->value[0], &b->value[0], NAMED (bytes, ) ()) == 0
         && memcmp (&a->value[1], &b->value[1], NAMED (bytes, ) ()) == 0
         && memcmp (a->index, b->index, sizeof a->index) == 0;
}
