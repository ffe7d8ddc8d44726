/* How near the device of a profile is to another one.  A configuration is per SM or per block, so
   one of the same compute capability fits any number of SMs; the memory's latency and bandwidth
   are alike within an architecture.  On CPUs the instruction sets decide which functions run, and
   the caches when more threads pay.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "src/profile/profile.h"

const char *const gt_match_texts[] = {
  [GT_MATCH_SILICON] = "the same silicon",
  [GT_MATCH_MODEL] = "the same model of processor",
  [GT_MATCH_CAPABILITY] = "the same compute capability",
  [GT_MATCH_INSTRUCTIONS] = "the same instruction sets",
  [GT_MATCH_ARCHITECTURE] = "the same architecture",
  [GT_MATCH_NONE] = "another kind of device",
};

/* Returns the compute capability, times ten, at which the architecture begins; 0: older than any
   known.  Those of Blackwell are two: an SM of 12.0 holds less than one of 10.0.  */
static int
architecture (const struct gt_gpu *gpu)
{
  static const int first[] = {50, 60, 70, 75, 80, 89, 90, 100, 120, 130};
  int n = 0;

  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (10 * gpu->sm.cc_major + gpu->sm.cc_minor >= first[i])
      n = first[i];
  return n;
}

/* Returns how far apart two sizes are: how many times the larger is as large.  */
static double
apart (double a, double b)
{
  double quotient = (a > 1 ? a : 1) / (b > 1 ? b : 1);

  return quotient > 1 ? quotient : 1 / quotient;
}

static enum gt_match
match_gpus (const struct gt_gpu *a, const struct gt_gpu *b, double *distance)
{
  *distance = apart (a->sms, b->sms) * apart ((double) a->memory, (double) b->memory);
  if (a->sm.cc_major == b->sm.cc_major && a->sm.cc_minor == b->sm.cc_minor)
    return GT_MATCH_CAPABILITY;
  return architecture (a) && architecture (a) == architecture (b) ? GT_MATCH_ARCHITECTURE
                                                                  : GT_MATCH_NONE;
}

static double
all_of_l3 (const struct gt_host *host)
{
  return (double) host->l3 * (host->l3_instances > 1 ? host->l3_instances : 1);
}

static enum gt_match
match_hosts (const struct gt_host *a, const struct gt_host *b, double *distance)
{
  *distance = apart (a->cores, b->cores) * apart (a->threads, b->threads)
              * apart ((double) a->l1d, (double) b->l1d) * apart ((double) a->l2, (double) b->l2)
              * apart (all_of_l3 (a), all_of_l3 (b));
  if (strcmp (a->isa, b->isa) != 0)
    return GT_MATCH_NONE;
  return strcmp (a->model, b->model) == 0 ? GT_MATCH_MODEL : GT_MATCH_INSTRUCTIONS;
}

enum gt_match
gt_profile_match (const char *silicon, const char *other, double *distance)
{
  struct gt_device a, b;

  *distance = 1;
  if (strcmp (silicon, other) == 0)
    return GT_MATCH_SILICON;
  if (gt_device_from_silicon (silicon, &a) || gt_device_from_silicon (other, &b)
      || a.kind != b.kind)
    return GT_MATCH_NONE;
  return a.kind == GT_CUDA ? match_gpus (&a.gpu, &b.gpu, distance)
                           : match_hosts (&a.host, &b.host, distance);
}
