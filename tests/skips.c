/* A program of tests, one of which is skipped, for tests/test_skips.sh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

TEST (passes)
{
}

TEST (is_skipped)
{
  SKIP ("nothing to test here");
}

TEST (passes_too)
{
}

RUN_TESTS (NULL, NULL)
