/* A plug-in, or a library, that calls GSL: what tests/preload/program.c opens or is
   linked with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_statistics.h>

/* Its exact mean is 1/3, GSL's own 0.33331298828125.  */
static const double data[]
  = {1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16,
     1e16, 1, -1e16, 1e16, 1, -1e16, 1e16, 1, -1e16};

double
plugin_mean (void)
{
  return gsl_stats_mean (data, 1, sizeof data / sizeof *data);
}

#ifdef CALLS_EARLY

double plugin_early;

__attribute__ ((constructor)) static void
first (void)
{
  plugin_early = plugin_mean ();
}

__attribute__ ((destructor)) static void
last (void)
{
  if (plugin_mean () != plugin_early)
    __builtin_trap ();
}

#endif
