/* A stand-in for libgsltune that takes its time to load, for tests/test_preload.sh.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

double gsltune_stats_mean (const double data[], size_t stride, size_t n);

static double mean;

double
gsltune_stats_mean (const double data[], size_t stride, size_t n)
{
  (void) data;
  (void) stride;
  (void) n;
  return mean;
}

__attribute__ ((constructor)) static void
load (void)
{
  close (open ("loading", O_CREAT | O_WRONLY, 0600));
  usleep (200000);
  mean = 1. / 3;
  close (open ("loaded", O_CREAT | O_WRONLY, 0600));
}
