/* What findings about a machine have in common.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/profile/profile_private.h"
#include "tuning/measure/machine.h"

const char *
gt_fitness_name (enum gt_fitness fitness)
{
  static const char *const names[GT_N_FITNESS]
    = {"good", "note", "care", "unknown"};

  return names[fitness];
}

enum gt_fitness
gt_machine_tell (struct gt_finding *finding, enum gt_fitness fitness,
                 const char *advice, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (finding->found, sizeof finding->found, format, arguments);
  va_end (arguments);
  gt_profile_printable (finding->found);
  finding->fitness = fitness;
  finding->advice = fitness == GT_FITNESS_GOOD ? NULL : advice;
  return fitness;
}
