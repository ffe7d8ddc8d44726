/* The worth of a profile by tables in which everything was measured: the share of the
   best's speed that its entries have in them.  So one can say what the profile of one
   GPU is worth on another, without either.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/replay.h"
#include "src/plan/plan.h"
#include "tuning/search/problems.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

struct worth
{
  const char *name;        /* of the profile's file */
  struct gt_device device; /* that the tables were measured on, */
  char silicon[GT_SILICON_SIZE]; /* and its key; "": none yet */
  struct gt_plans *plans;  /* what the library would make of the profile there */
  struct gt_table *table;
  unsigned problems, absent;
  double logs, least;
};

/* Reads the profile as the library would on the device of M.  Returns 0, or 1 after a
   message.  */
static int
read_for (struct worth *w, const struct gt_measurements *m)
{
  struct gt_plans *plans = w->plans;
  char why[256];

  if (strcmp (w->silicon, m->silicon) == 0)
    return 0;
  if (w->silicon[0])
    {
      gt_error ("--profile: the tables are of %s and of %s: give those of one"
                " device", w->silicon, m->silicon);
      return 1;
    }
  if (gt_device_from_silicon (m->silicon, &w->device))
    {
      gt_error ("--profile: '%s', of which the table is, is no device that is"
                " known", m->silicon);
      return 1;
    }
  if (gt_profile_read_like (w->name, &w->device, GT_MATCH_NONE - 1,
                            &plans->profile, why, sizeof why)
      != GT_PROFILE_OK)
    {
      gt_error ("%s: %s", w->name, why);
      return 1;
    }
  if (plans->profile.n_entries == 0)
    {
      gt_error ("%s: no entry can be used here; first: %s", w->name,
                plans->profile.rejected_why);
      return 1;
    }
  if (plans->profile.rejected)
    gt_error ("%s: %u entries are left out; first: %s", w->name,
              plans->profile.rejected, plans->profile.rejected_why);
  plans->device = &w->device;
  plans->profile_found = 1;
  snprintf (w->silicon, sizeof w->silicon, "%s", m->silicon);
  return 0;
}

/* The index in the table of what PLAN would launch, of one that was timed; -1 where
   there is none.  */
static int
find_launch (const struct launches *l, const struct gt_plan *plan)
{
  const struct gt_measured *measured = l->m->measured;

  for (unsigned i = 0; i < l->m->n; i++)
    {
      const struct gt_candidate *c = &measured[i].candidate;

      if (c->kernel != plan->kernel
          || memcmp (&c->config, &plan->config, sizeof c->config) != 0)
        continue;
      for (unsigned k = 0; k < l->m->n; k++)
        if (launch_counts (l, k) && launched_alike (c, &measured[k].candidate))
          return (int) k;
    }
  return -1;
}

static void
add_row (struct worth *w, const struct launches *l, unsigned best,
         const struct gt_plan *plan)
{
  const struct gt_candidate *c = &l->m->measured[best].candidate;
  const int served = find_launch (l, plan);
  char share[32];

  if (served < 0)
    {
      w->absent++;
      snprintf (share, sizeof share, "not in the table");
    }
  else
    {
      const double s = launch_score (l, best, 0, 1)
                       / launch_score (l, (unsigned) served, 0, 1);

      w->problems++;
      w->logs += log (s);
      w->least = s < w->least ? s : w->least;
      snprintf (share, sizeof share, "%.1f%%", 100 * s);
    }
  gt_table_printf (w->table, "%s\t%s\t%s\t%s\t%s",
                   gt_problem_text (&l->m->problem),
                   plan->entry ? gt_format_count (plan->entry->problem.n)
                               : "estimate",
                   plan->kernel ? gt_config_text (plan->kernel, &plan->config)
                                : "-",
                   gt_config_text (c->kernel, &c->config), share);
}

/* Returns 0, or 1 after a message.  */
static int
weigh (const struct gt_measurements *m, void *closure)
{
  struct worth *w = closure;
  struct launches launches;
  int best = -1, failed = read_for (w, m);

  if (failed)
    return 1;
  if (launches_of (&launches, m) == 0)
    best = launches_best (&launches);
  if (best < 0)
    gt_error ("no candidate of a table works, or memory is short");
  else
    add_row (w, &launches, (unsigned) best,
             gt_plan_find (w->plans, &m->problem));
  launches_clear (&launches);
  return best < 0;
}

static void
report (const struct worth *w)
{
  const struct gt_profile *profile = &w->plans->profile;

  gt_table_print (w->table, stdout);
  printf ("\nThe profile of %s (%s)", profile->device_name,
          gt_match_texts[profile->match]);
  if (w->problems)
    printf ("\ngets %.1f%% of the best's speed in the geometric mean of %u"
            " %s, %.1f%% at the least", 100 * exp (w->logs / w->problems),
            w->problems, w->problems == 1 ? "problem" : "problems",
            100 * w->least);
  if (w->absent)
    printf ("%s\nserves configurations that are not in the tables in %u %s",
            w->problems ? ", and" : "", w->absent,
            w->absent == 1 ? "problem" : "problems");
  puts (".");
}

int
replay_profile (const char *name, char **file, int n)
{
  static struct gt_plans plans;
  struct worth w = {.name = name, .plans = &plans, .least = 1,
                    .table = gt_table_new ("lrllr", "problem\tentry of\tserved\t"
                                                    "best\tof the best's speed")};
  char why[4500];
  int failed = 0;

  for (int i = 0; i < n && !failed; i++)
    {
      failed = gt_measurements_read (file[i], weigh, &w, why, sizeof why);
      if (failed < 0)
        gt_error ("%s", why);
    }
  if (!failed && w.problems + w.absent)
    report (&w);
  gt_profile_clear (&plans.profile);
  return gt_finish_stdout () || failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}
