/* The ladder, measured, as tables for people and as JSON for programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/ladder/ladder.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/report/report.h"
#include "tuning/text/table.h"

/* -------------------------------------------------------------- Figures */

static const char *
form_of (const struct gt_ladder_kernel *kernel)
{
  if (kernel->shape == GT_RUNG_IN_PLACE)
    return "in place";
  return kernel->kernel->shared ? "shared" : "shuffle";
}

const struct gt_rung *
gt_ladder_before (const struct gt_ladder_report *report,
                  const struct gt_rung *rung)
{
  const char *form = form_of (rung->kernel);
  const struct gt_rung *before = NULL;

  for (const struct gt_rung *r = report->rung; r < report->rung + report->n;
       r++)
    {
      int nearer, alike;

      if (r->kernel->rung >= rung->kernel->rung || r->winner == NULL)
        continue;
      nearer = before == NULL || r->kernel->rung > before->kernel->rung;
      alike = strcmp (form_of (r->kernel), form) == 0;
      if (nearer || alike
          || (strcmp (form_of (before->kernel), form) != 0
              && r->winner->seconds < before->winner->seconds))
        before = r;
    }
  return before;
}

/* Returns the time of OTHER divided by that of a rung; 0 if there is nothing to compare.  */
static double
over (const struct gt_rung *rung, const struct gt_rung *other)
{
  return other && rung->winner->seconds > 0 ? other->winner->seconds / rung->winner->seconds : 0;
}

/* The ladder starts with the first rung that this GPU has.  */
static double
over_first (const struct gt_ladder_report *report, const struct gt_rung *rung)
{
  unsigned first = 0;

  while (first < report->n && report->rung[first].winner == NULL)
    first++;
  return report->n > 1 && first < report->n
           ? over (rung, &report->rung[first]) : 0;
}

static double
bytes_of (const struct gt_ladder_report *report)
{
  return (double) report->problem.n
         * (double) gt_arithmetics[report->problem.arithmetic].size;
}

static double
bandwidth (const struct gt_ladder_report *report, const struct gt_rung *rung)
{
  return rung->winner->seconds > 0 ? bytes_of (report) / rung->winner->seconds : 0;
}

static double
share (const struct gt_ladder_report *report, const struct gt_rung *rung)
{
  return bandwidth (report, rung) / gt_gpu_bandwidth (&report->device->gpu);
}

/* Returns SUM as an element of TYPE.  */
static double
sum_of (enum gt_element_type type, const union gt_value *sum)
{
  return type == GT_TYPE_DOUBLE  ? sum->f64[0]
         : type == GT_TYPE_FLOAT ? (double) sum->f32[0]
         : type == GT_TYPE_INT   ? (double) (int32_t) sum->u32[0] : (double) sum->u32[0];
}

/* ---------------------------------------------------------- For people */

static const char *
error_text (double error)
{
  return error > 0 ? gt_format_ratio (error, "%.1e") : "0";
}

static void
add_speed (struct gt_table *table, const struct gt_ladder_report *report,
           const struct gt_rung *rung)
{
  double giga; /* all rungs are told in one unit */

  if (rung->winner == NULL)
    {
      gt_table_printf (table, "%d\t%s  not available: %s", rung->kernel->rung,
                       rung->kernel->kernel->name, rung->why);
      gt_table_span (table);
      return;
    }
  giga = bandwidth (report, rung) / 1e9;
  gt_table_printf (table, "%d\t%s\t%s\t%s\t%.1f%%\t%s\t%s\t%s",
                   rung->kernel->rung,
                   gt_config_text (rung->kernel->kernel, &rung->winner->config),
                   gt_format_seconds (rung->winner->seconds),
                   gt_format_ratio (giga, giga < 100 ? "%.3g" : "%.0f"),
                   100 * share (report, rung),
                   gt_format_ratio (over (rung, gt_ladder_before (report, rung)),
                                    "%.2fx"),
                   gt_format_ratio (over_first (report, rung), "%.2fx"),
                   error_text (rung->error));
}

/* Returns the last rung whose blocks' sums the host adds.  */
static int
last_added_by_host (void)
{
  int last = 0;

  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (gt_ladder_catalog[i].shape == GT_RUNG_BLOCK_SUMS
        || gt_ladder_catalog[i].shape == GT_RUNG_IN_PLACE)
      last = gt_ladder_catalog[i].rung;
  return last;
}

static void
print_heading (const struct gt_ladder_report *report)
{
  printf ("%s: sums of %s %s, %s, cold data\n",
          gt_device_name (report->device),
          gt_format_count (report->problem.n), gt_types[report->type].name,
          gt_format_bytes (bytes_of (report)));
  printf ("Times are device time of a whole sum; for rungs 1 to %d this includes"
          " sending the\nblocks' sums to the host and adding them there.\n",
          last_added_by_host ());
}

/* Lists configurations that gave wrong sums.  */
static void
print_excluded (const struct gt_ladder_report *report)
{
  for (unsigned i = 0; i < report->n; i++)
    {
      const struct gt_rung *rung = &report->rung[i];
      unsigned failed = 0;

      for (unsigned k = 0; k < rung->space.n; k++)
        failed += rung->space.candidate[k].failed != 0;
      if (rung->winner && failed)
        printf ("\n%s: %u configurations excluded as wrong or failing; --json has the reasons\n",
                rung->kernel->kernel->name, failed);
    }
}

void
gt_ladder_print (const struct gt_ladder_report *report)
{
  struct gt_table *speeds
    = gt_table_new ("rlrrrrrr", "rung\tkernel and configuration\ttime\tGB/s\t"
                    "of peak\tover before\tover first\terror");
  struct gt_table *resources
    = gt_table_new ("rlrrrrl", "rung\tkernel\tregisters\tshared\tspills\t"
                    "occupancy\tlimited by");
  struct gt_table *removed = gt_table_new ("rll", "rung\tform\twhat it removed");

  for (unsigned i = 0; i < report->n; i++)
    {
      const struct gt_rung *rung = &report->rung[i];
      const struct gt_candidate *c = rung->winner;

      add_speed (speeds, report, rung);
      if (c)
        gt_table_printf (resources, "%d\t%s\t%d\t%s\t%zu B\t%.0f%%\t%s",
                         rung->kernel->rung, c->kernel->name, c->registers,
                         gt_format_bytes ((double) c->shared), c->spills,
                         100 * c->occupancy, c->limiter);
      gt_table_printf (removed, "%d\t%s\t%s", rung->kernel->rung,
                       form_of (rung->kernel), rung->kernel->removes);
    }
  print_heading (report);
  putchar ('\n');
  gt_table_print (speeds, stdout);
  printf ("\nover before: times as fast as the same form of the rung before,"
          " or its fastest form.\nover first: than the first row.  error:"
          " relative, against the exact sum.\n\n");
  gt_table_print (resources, stdout);
  puts ("\nregisters and spills (local memory): a thread; shared memory: a"
        " block.\n");
  gt_table_print (removed, stdout);
  print_excluded (report);
}

/* --------------------------------------------------------- For programs */

static const char *
reason_of (const struct gt_candidate *c)
{
  return c->failed || c->verdict == GT_PRUNED_UNAVAILABLE
           ? c->why : gt_verdict_text[c->verdict];
}

static json_t *
sum_json (enum gt_element_type type, const union gt_value *sum)
{
  const double number = sum_of (type, sum);

  return type == GT_TYPE_DOUBLE || type == GT_TYPE_FLOAT ? json_real (number)
                                                         : json_integer ((json_int_t) number);
}

static json_t *
swept_json (const struct gt_space *space)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];
      int measured = c->verdict == GT_KEPT && !c->failed;

      json_array_append_new (
        list, json_pack ("{s:i, s:i, s:i, s:o, s:s}", "block",
                         (int) c->config.block, "unroll",
                         (int) c->config.unroll, "blocks_per_sm",
                         (int) c->config.blocks_per_sm, "seconds",
                         gt_ratio_json (measured ? c->seconds : 0),
                         "verdict",
                         measured ? gt_verdict_text[GT_KEPT]
                                  : reason_of (c)));
    }
  return list;
}

/* Checks whether the candidate of the highest occupancy takes no more than 2% longer than the
   winner.  */
static int
occupancy_predicts (const struct gt_rung *rung)
{
  const struct gt_candidate *const first = gt_space_model_choice (&rung->space);

  return first && first->seconds > 0 && first->seconds <= 1.02 * rung->winner->seconds;
}

static json_t *
rung_json (const struct gt_ladder_report *report, const struct gt_rung *rung)
{
  const struct gt_ladder_kernel *at = rung->kernel;
  const struct gt_kernel *kernel = at->kernel;
  const struct gt_candidate *c = rung->winner;
  char symbol[128];

  if (c == NULL)
    return json_pack ("{s:i, s:s, s:s, s:s}", "rung", at->rung, "kernel",
                      kernel->name, "form", form_of (at), "unavailable",
                      rung->why);
  gt_kernel_symbol (kernel, &report->problem, c->config.unroll,
                    c->config.block, symbol, sizeof symbol);
  return json_pack (
    "{s:i, s:s, s:s, s:{s:i, s:i, s:i, s:i}, s:s, s:f, s:f, s:f, s:o, s:o, s:i, s:I, s:I, s:f,"
    " s:s, s:o, s:f, s:b, s:s, s:o}",
    "rung", at->rung, "kernel", kernel->name, "form", form_of (at),
    "configuration", "block", (int) c->config.block, "unroll",
    (int) c->config.unroll, "blocks_per_sm", (int) c->config.blocks_per_sm,
    "threads", (int) c->config.threads, "symbol", symbol, "seconds",
    rung->winner->seconds, "bandwidth", bandwidth (report, rung), "of_peak",
    share (report, rung), "over_before",
    gt_ratio_json (over (rung, gt_ladder_before (report, rung))),
    "over_first", gt_ratio_json (over_first (report, rung)), "registers",
    c->registers, "shared", (json_int_t) c->shared, "spills",
    (json_int_t) c->spills, "occupancy", c->occupancy, "limiter", c->limiter,
    "sum", sum_json (report->type, &rung->sum), "error", rung->error,
    "occupancy_predicted", occupancy_predicts (rung), "removes",
    at->removes, "swept", swept_json (&rung->space));
}

json_t *
gt_ladder_json (const struct gt_ladder_report *report)
{
  json_t *rungs = json_array ();

  for (unsigned i = 0; i < report->n; i++)
    json_array_append_new (rungs, rung_json (report, &report->rung[i]));
  return json_pack ("{s:s, s:s, s:I, s:f, s:o}", "device", gt_device_name (report->device),
                    "type", gt_types[report->type].name, "n", (json_int_t) report->problem.n,
                    "bandwidth_peak", gt_gpu_bandwidth (&report->device->gpu), "rungs", rungs);
}
