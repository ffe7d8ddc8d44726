/* A folder for the profiles of scenarios and for what softgpu counts in them, and
   the settings that name it.  Include after tests/unit.h and scenario.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SCENARIO_FOLDER_H
#define GT_SCENARIO_FOLDER_H

#include <dlfcn.h>

#include "tests/own_folder.h"
#include "tests/scenario.h"

static char base[64], profiles[96], counts[96];

FIXTURE (set_up)
{
  make_test_folder (base);
  snprintf (profiles, sizeof profiles, "GSLTUNE_PROFILE_DIR=%s", base);
  snprintf (counts, sizeof counts, "SOFTGPU_COUNT=%s/counts", base);
  return 0;
}

FIXTURE (tear_down)
{
  remove_folder (base);
  return 0;
}

/* How often scenarios have called NAME of the driver, as driver_calls.  */
static inline long
calls_of (const char *name)
{
  return driver_calls (counts, name);
}

/* The function NAME that a test's own takes the place of.  */
static inline void *
replaced_function (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);

  CHECK (function);
  return function;
}

static inline void
forget_calls (void)
{
  unlink (strchr (counts, '=') + 1);
}

#endif
