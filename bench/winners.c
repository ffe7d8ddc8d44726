/* The winners of two runs of the tuner against each other: what two folders of
   profiles say of this machine, the CPU and every GPU, is timed in interleaved rounds
   wherever they differ.  The second may be the profile of another machine, or no
   profile at all: so is measured what share of a tune's speed such a machine gets
   without one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/names.h"
#include "src/plan/plan.h"
#include "src/profile/profile.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"
#include "tuning/search/problems.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

#define AT_LEAST 1e-3 /* seconds of a timing */
#define ALIKE 1.02
#define MOST_ROUNDS 101

/* Two winners of one problem, or two folders: the first and the second.  */
struct pair
{
  struct gt_candidate candidate[2];
  double seconds[2];
  double ratio;  /* of the second's time to the first's */
  double spaced; /* the same after pauses; 0: not timed */
};

struct summary
{
  unsigned problems, same, alike;
  double logs, worst, best; /* ratios */
};

/* ---------------------------------------------------------------- Timing */

/* Times both, one after the other; returns 0, or -1 after a message.  */
static int
run_round (struct gt_target *target, const struct gt_problem *problem,
           struct pair *pair, unsigned round, double seconds[2],
           double spaced[2])
{
  if (target->ops->renew)
    target->ops->renew (target);
  for (unsigned i = 0; i < 2; i++)
    {
      unsigned k = round % 2 ? 1 - i : i;
      const struct gt_candidate *c = &pair->candidate[k];

      if (target->ops->time (target, c, problem, AT_LEAST, &seconds[k]))
        return gt_error ("%s", target->why);
      spaced[k] = target->ops->time_spaced
                    ? target->ops->time_spaced (target, c, problem) : 0;
    }
  return 0;
}

static int
time_pair (struct gt_target *target, const struct gt_problem *problem,
           struct pair *pair, unsigned rounds)
{
  double first[MOST_ROUNDS], second[MOST_ROUNDS];
  double ratio[MOST_ROUNDS], spaced_ratio[MOST_ROUNDS];

  for (unsigned r = 0; r < rounds; r++)
    {
      double seconds[2], spaced[2];

      if (run_round (target, problem, pair, r, seconds, spaced))
        return -1;
      first[r] = seconds[0];
      second[r] = seconds[1];
      ratio[r] = seconds[1] / seconds[0];
      spaced_ratio[r] = spaced[0] > 0 ? spaced[1] / spaced[0] : 0;
    }
  pair->seconds[0] = gt_median (first, rounds, NULL);
  pair->seconds[1] = gt_median (second, rounds, NULL);
  pair->ratio = gt_median (ratio, rounds, NULL);
  pair->spaced = gt_median (spaced_ratio, rounds, NULL);
  return 0;
}

/* -------------------------------------------------------------- A device */

/* Enough data for all entries of PROFILE that are summed on the same data.  */
static int
load (struct gt_target *target, const struct gt_profile *profile,
      const struct gt_problem *problem)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_problem *p = &profile->entries[i].problem;
      uint64_t span = gt_problem_span (p);

      if (p->arithmetic == problem->arithmetic
          && gt_data_kind_for (p) == gt_data_kind_for (problem)
          && span > bytes)
        bytes = span;
    }
  return gt_target_load (target, problem, bytes)
           ? gt_error ("%s", target->why) : 0;
}

static struct gt_candidate
candidate_of (const struct gt_entry *entry)
{
  return (struct gt_candidate) {.kernel = entry->kernel,
                                .config = entry->config};
}

/* The word for no profile, for the second folder alone.  */
#define ESTIMATE "estimate"

/* Finds the plan for PROBLEM by the second, PROFILE or the estimate where it is null.  Of
   another machine's profile, as the library does it, that of the nearest length.
   Returns 0, or -1 when there is nothing.  */
static int
second_for (const struct gt_device *device, const struct gt_profile *profile,
            const struct gt_problem *problem, struct gt_candidate *candidate)
{
  const struct gt_entry *entry;

  *candidate = (struct gt_candidate) {.verdict = GT_KEPT};
  if (profile == NULL)
    {
      gt_estimate (device, problem, &candidate->kernel, &candidate->config);
      return candidate->kernel ? 0 : -1;
    }
  entry = gt_profile_find (profile, problem);
  if (entry == NULL
      || (profile->match == GT_MATCH_SILICON && entry->problem.n != problem->n))
    return -1;
  *candidate = candidate_of (entry);
  return 0;
}

static void
add_row (struct gt_table *table, const struct gt_problem *problem,
         const struct pair *pair)
{
  const struct gt_candidate *c = pair->candidate;
  char spaced[16] = "-";

  if (pair->spaced > 0)
    snprintf (spaced, sizeof spaced, "%.3f", pair->spaced);
  gt_table_printf (table, "%s\t%s\t%s\t%s\t%.3f\t%s",
                   gt_problem_text (problem),
                   gt_config_text (c[0].kernel, &c[0].config),
                   gt_config_text (c[1].kernel, &c[1].config),
                   gt_format_seconds (pair->seconds[0]), pair->ratio, spaced);
}

static void
sum_up (struct summary *s, double ratio)
{
  s->problems++;
  s->alike += ratio <= ALIKE && ratio >= 1 / ALIKE;
  s->logs += log (ratio);
  s->worst = ratio > s->worst ? ratio : s->worst;
  s->best = ratio < s->best ? ratio : s->best;
}

/* Returns 0, or -1 after a message.  */
static int
compare_profiles (struct gt_target *target, const struct gt_profile *profile,
                  const struct gt_profile *second, unsigned rounds,
                  struct gt_table *table, struct summary *s)
{
  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *first = &profile->entries[i];
      struct pair pair;

      if (second_for (target->device, second, &first->problem,
                      &pair.candidate[1]))
        continue;
      pair.candidate[0] = candidate_of (first);
      if (pair.candidate[1].kernel == first->kernel
          && memcmp (&pair.candidate[1].config, &first->config,
                     sizeof first->config)
               == 0)
        {
          s->same++;
          sum_up (s, 1);
          continue;
        }
      if (load (target, profile, &first->problem)
          || time_pair (target, &first->problem, &pair, rounds))
        return -1;
      sum_up (s, pair.ratio);
      add_row (table, &first->problem, &pair);
    }
  return 0;
}

static void
report (const struct gt_device *device, struct gt_table *table,
        const struct summary *s, const char *how)
{
  printf ("%s\n\n", gt_device_name (device));
  gt_table_print (table, stdout);
  printf ("\n%u problems, %u with the same winner, %u with the same or one within"
          " %.0f%%.\nThe second's time over the first's: geometric mean %.4f, from"
          " %.3f to %.3f.\n\n", s->problems, s->same, s->alike,
          100 * (ALIKE - 1), s->problems ? exp (s->logs / s->problems) : 1,
          s->best, s->worst);
  if (how[0])
    printf ("So %s\ngets %.1f%% of the first's speed in the geometric mean, %.1f%%"
            " at the least.\n\n", how,
            100 / (s->problems ? exp (s->logs / s->problems) : 1),
            100 / s->worst);
}

/* Reads WHERE, a folder of profiles of this machine, or a file of any.  */
static int
read_profile (const char *where, const struct gt_device *device,
              struct gt_profile *profile)
{
  char silicon[GT_SILICON_SIZE], path[4096], why[256];
  struct stat status;
  int is_file = stat (where, &status) == 0 && S_ISREG (status.st_mode);

  gt_device_silicon (device, silicon);
  if (is_file)
    snprintf (path, sizeof path, "%s", where);
  else
    snprintf (path, sizeof path, "%.3800s/%s.json", where, silicon);
  if (gt_profile_read_like (path, device,
                            is_file ? GT_MATCH_NONE - 1 : GT_MATCH_SILICON,
                            profile, why, sizeof why)
      == GT_PROFILE_OK)
    {
      if (profile->rejected)
        gt_error ("%s: %u entries are left out; first: %s", path,
                  profile->rejected, profile->rejected_why);
      return 0;
    }
  gt_error ("%s: %s", path, why);
  return -1;
}

static int
compare_on (struct gt_target *target, char **where, unsigned rounds)
{
  static struct gt_profile profile[2];
  struct gt_table *table
    = gt_table_new ("lllrrr",
                    "problem\tfirst\tsecond\tfirst\tratio\tafter pauses");
  struct summary s = {.worst = 1, .best = 1};
  int estimate = strcmp (where[1], ESTIMATE) == 0, failed = 1;
  char how[256] = "";

  if (read_profile (where[0], target->device, &profile[0]) == 0
      && (estimate
          || read_profile (where[1], target->device, &profile[1]) == 0))
    failed = compare_profiles (target, &profile[0],
                               estimate ? NULL : &profile[1], rounds, table,
                               &s);
  if (estimate)
    snprintf (how, sizeof how, "the estimate");
  else if (profile[1].match != GT_MATCH_SILICON)
    snprintf (how, sizeof how, "the profile of %s (%s)", profile[1].device_name,
              gt_match_texts[profile[1].match]);
  if (!failed)
    report (target->device, table, &s, how);
  gt_profile_clear (&profile[0]);
  gt_profile_clear (&profile[1]);
  return failed;
}

/* -------------------------------------------------------------- Options */

static const char help[]
  = "Usage: winners [--rounds R] [--device DEVICE] FIRST SECOND\n"
    "Times the winners of two runs of `gsltune tune' against each other, in rounds,\n"
    "where they differ.  Each is a folder, what GSLTUNE_PROFILE_DIR was for the run,\n"
    "or a file.  SECOND may be the profile of a device like this one, or the word\n"
    "estimate for none: what share of the FIRST's speed do these get?\n\n"
    "  --rounds R       timings of each, 5 to 101 (default 15)\n"
    "  --device DEVICE  cpu (default) or cuda:N\n"
    "  --help           print this text\n\n"
    "A profile of other kernels says nothing of these: its entries are left out.\n";

static const struct option long_options[] = {
  {"rounds", required_argument, 0, 'r'},
  {"device", required_argument, 0, 'd'},
  {"help", no_argument, 0, 'h'},
  {0, 0, 0, 0},
};

/* Returns 0, or -1 after a message.  */
static int
open_target (struct gt_device_word device, struct gt_target *target)
{
  int index = device.ordinal < 0
                ? 0 : gt_require_gpu ("--device", device.ordinal);

  gt_target_host (target);
  return device.kind != GT_CPU && gt_target_gpu (target, index)
           ? gt_error ("%s", target->why) : 0;
}

int
main (int argc, char **argv)
{
  struct gt_device_word device = {GT_CPU, -1};
  unsigned rounds = 15;
  struct gt_target target;
  int option, failed;

  while ((option = getopt_long (argc, argv, "", long_options, NULL)) != -1)
    switch (option)
      {
      case 'r':
        rounds = (unsigned) gt_parse_count ("--rounds", optarg, 5,
                                            MOST_ROUNDS);
        break;
      case 'd':
        device = gt_parse_device ("--device", optarg);
        break;
      default:
        fputs (help, option == 'h' ? stdout : stderr);
        return option == 'h' ? gt_finish_stdout () : GT_EXIT_USAGE;
      }
  if (argc - optind != 2)
    gt_usage ("winners needs two folders or files: see winners --help");
  if (open_target (device, &target))
    return GT_EXIT_FAILED;
  failed = compare_on (&target, argv + optind, rounds);
  gt_target_close (&target);
  return gt_finish_stdout () || failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}
