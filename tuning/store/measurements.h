/* Everything that was measured of a problem: every candidate, every repeat.  For people
   and other tools; the library never reads it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MEASUREMENTS_H
#define GT_MEASUREMENTS_H

#include <jansson.h>

#include "src/profile/profile.h"
#include "tuning/measure/candidate.h"

#define GT_MEASUREMENTS_FORMAT 1

/* How often a candidate is timed, each way.  */
#define GT_REPEATS 32

/* The ways of timing, as a sweep of effort normal has them.  */
enum gt_timing
{
  GT_TIMED_BRIEFLY, /* as in its first stage */
  GT_TIMED_LONGER,  /* as in its race */
  GT_TIMED_SPACED,  /* after pauses; only where candidates differ in threads */
  GT_N_TIMINGS
};

struct gt_measured
{
  struct gt_candidate candidate; /* its verdict: that of a sweep that prunes */
  double seconds[GT_N_TIMINGS][GT_REPEATS];
  unsigned n[GT_N_TIMINGS];      /* how many there are */
};

struct gt_measurements
{
  struct gt_problem problem;
  char silicon[GT_SILICON_SIZE];
  char device_name[128];
  char driver[32];
  char version[32];
  char created[32];
  char machine[320];
  double at_least[GT_N_TIMINGS]; /* seconds that a timing lasts; 0: one sum */
  struct gt_measured *measured;
  unsigned n;
  unsigned chosen_default;       /* index of the default configuration */
};
void gt_measurements_clear (struct gt_measurements *m);

/* Whether a sweep could have timed this one: it can be launched, and is right.  */
static inline int
gt_measured_works (const struct gt_measured *measured)
{
  return measured->n[GT_TIMED_LONGER] > 0 && !measured->candidate.failed;
}

/* The median time of a sum; where it was also timed after pauses, the geometric mean of
   the two medians, which is what the tuner compares.  */
double gt_measured_score (const struct gt_measured *measured);

/* The file for a device of SILICON in FOLDER.  Returns 0, or -1 when the name is too
   long.  */
int gt_measurements_path (const char *folder, const char *silicon, char *path,
                          size_t size);

/* Appends M, a line of JSON, to the file PATH, which is made when it is missing: for
   all users to read if SYSTEM_WIDE, else for nobody else, as profiles are.  The
   caller has the lock of its folder (gt_profile_lock).  A line counts from its newline
   on: what a killed tuner left of one is overwritten, and readers pass it over.
   Returns 0, or -1 with WHY and the file as it was.  */
int gt_measurements_append (const struct gt_measurements *m, const char *path,
                            int system_wide, char *why, size_t why_size);

/* Reads line after line of PATH and hands each over to TAKE, which returns 0 to go on.
   Of a problem that was measured twice both come.  Returns 0; what TAKE
   returned; or -1 with WHY.  */
int gt_measurements_read (const char *path,
                          int (*take) (const struct gt_measurements *m,
                                       void *closure),
                          void *closure, char *why, size_t why_size);

#endif
