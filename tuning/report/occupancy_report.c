/* What `gsltune occupancy' prints: the steps, and the curve over block sizes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <stdio.h>

#include "tuning/report/occupancy_report.h"
#include "tuning/text/table.h"

struct gt_occupancy
gt_demand_occupancy (const struct gt_supply *supply,
                     const struct gt_demand *demand, int block)
{
  const struct gt_occupancy_request request = {
    .registers_per_thread = demand->registers,
    .shared_per_block
    = demand->shared + demand->shared_per_thread * (size_t) block,
    .block_size = block,
  };
  struct gt_occupancy result;

  gt_occupancy_compute (&supply->limits, &request, &result);
  return result;
}

/* ----------------------------------------------------------- For people */

#define item(...) gt_print_item (24, __VA_ARGS__)

/* Half a percent goes up.  */
static int
percent (double share)
{
  return (int) (share * 100.0 + 0.5);
}

static void
print_registers (const struct gt_sm_limits *limits,
                 const struct gt_demand *demand, const struct gt_occupancy *o)
{
  item ("registers per warp", "%d x %d = %d, in units of %d: %d",
        demand->registers, limits->warp_size,
        demand->registers * limits->warp_size,
        limits->register_allocation_unit, o->registers_per_warp);
  if (o->blocks_by_registers == INT_MAX)
    {
      item ("blocks by registers", "no limit");
      return;
    }
  item ("warps by registers",
        "%d / %d = %.2f, rounded down to a multiple of %d: %d",
        limits->registers_per_sm, o->registers_per_warp,
        o->warps_by_registers_exact, limits->warp_allocation_granularity,
        o->warps_by_registers);
  if (o->blocks_by_registers == o->warps_by_registers / o->warps_per_block)
    item ("blocks by registers", "%d / %d = %d", o->warps_by_registers,
          o->warps_per_block, o->blocks_by_registers);
  else
    item ("blocks by registers", "0: more than the %d registers of a block",
          limits->registers_per_block);
}

static void
print_shared (const struct gt_sm_limits *limits, size_t shared,
              const struct gt_occupancy *o)
{
  if (shared > limits->shared_per_block_optin)
    {
      item ("blocks by shared memory", "0: more than the %zu bytes of a block",
            limits->shared_per_block_optin);
      return;
    }
  item ("shared memory per block", "%zu + %zu reserved, in units of %zu: %zu"
        " bytes", shared, limits->shared_reserved_per_block,
        limits->shared_allocation_unit, o->shared_allocated);
  if (o->blocks_by_shared == INT_MAX)
    item ("blocks by shared memory", "no limit");
  else
    item ("blocks by shared memory", "%zu / %zu = %d", limits->shared_per_sm,
          o->shared_allocated, o->blocks_by_shared);
}

static void
print_title (const struct gt_supply *supply, const struct gt_demand *demand)
{
  const struct gt_sm_limits *limits = &supply->limits;

  if (demand->symbol[0] != '\0')
    printf ("Occupancy of %s in blocks of %d threads", demand->symbol,
            demand->block);
  else
    printf ("Occupancy of blocks of %d threads", demand->block);
  printf (" on %s%scompute capability %d.%d%s\n\n", supply->device,
          supply->device[0] != '\0' ? " (" : "", limits->cc_major,
          limits->cc_minor, supply->device[0] != '\0' ? ")" : "");
}

/* What the compiler gave a kernel, and for which GPU: machine code runs on GPUs
   of its own major number alone; for others the driver compiles the PTX anew.  */
static void
print_compiled (const struct gt_sm_limits *limits,
                const struct gt_kernel_resources *compiled)
{
  int cc = limits->cc_major * 10 + limits->cc_minor;

  if (compiled->cc == cc)
    item ("compiled for", "%d.%d", cc / 10, cc % 10);
  else if (compiled->cc / 10 == limits->cc_major)
    item ("compiled for", "%d.%d, which %d.%d runs", compiled->cc / 10,
          compiled->cc % 10, cc / 10, cc % 10);
  else
    item ("compiled for", "%d.%d, the nearest older: the driver compiles anew"
          " for %d.%d, and may give other numbers", compiled->cc / 10,
          compiled->cc % 10, cc / 10, cc % 10);
  item ("spills per thread", "%d bytes stored, %d bytes loaded",
        compiled->spill_stores, compiled->spill_loads);
}

static void
print_steps (const struct gt_supply *supply, const struct gt_demand *demand,
             const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &supply->limits;

  print_title (supply, demand);
  if (demand->compiled != NULL)
    print_compiled (limits, demand->compiled);
  item ("registers per thread", "%d", demand->registers);
  item ("warps per block", "%d / %d = %d", demand->block, limits->warp_size,
        o->warps_per_block);
  print_registers (limits, demand, o);
  print_shared (limits,
                demand->shared
                  + demand->shared_per_thread * (size_t) demand->block, o);
  item ("blocks by threads", "%d warps / %d = %d", o->max_warps,
        o->warps_per_block, o->blocks_by_threads);
  item ("blocks by their number", "%d", o->blocks_by_blocks);
  item ("active blocks per SM", "%d", o->active_blocks);
  item ("active warps per SM", "%d x %d = %d of %d warps", o->active_blocks,
        o->warps_per_block, o->active_warps, o->max_warps);
  item ("occupancy", "%d%%", percent (o->occupancy));
  if (o->limiter == GT_CANNOT_LAUNCH)
    item ("cannot launch", "%s", o->why);
  else
    item ("limited by", "%s", gt_limiter_name (o->limiter));
}

enum { CURVE_STEP = 32, CURVE_POINTS = 1024 / CURVE_STEP, BAR = 32 };

/* Fills in the occupancy of every block size and returns how many there are;
   *BEST becomes the most active warps.  */
static int
compute_curve (const struct gt_supply *supply, const struct gt_demand *demand,
               struct gt_occupancy curve[CURVE_POINTS], int *best)
{
  int points = supply->limits.max_threads_per_block / CURVE_STEP;

  if (points > CURVE_POINTS)
    points = CURVE_POINTS;
  *best = 0;
  for (int i = 0; i < points; i++)
    {
      curve[i] = gt_demand_occupancy (supply, demand, (i + 1) * CURVE_STEP);
      if (curve[i].active_warps > *best)
        *best = curve[i].active_warps;
    }
  return points;
}

/* Whether a point of the curve is among the best.  */
static int
is_best (const struct gt_occupancy *o, int best)
{
  return best > 0 && o->active_warps == best;
}

static void
print_curve (const struct gt_supply *supply, const struct gt_demand *demand)
{
  static const char bar[] = "################################";
  struct gt_table *table
    = gt_table_new ("rrrrll", "block\tblocks\twarps\toccupancy\tlimited by");
  struct gt_occupancy curve[CURVE_POINTS];
  int best, points = compute_curve (supply, demand, curve, &best);

  printf ("\nBy block size, the best marked *:\n\n");
  for (int i = 0; i < points; i++)
    {
      const struct gt_occupancy *o = &curve[i];

      gt_table_printf (table, "%d\t%d\t%d\t%d%%\t%s\t%.*s%s",
                       (i + 1) * CURVE_STEP, o->active_blocks, o->active_warps,
                       percent (o->occupancy), gt_limiter_name (o->limiter),
                       (int) (o->occupancy * BAR + 0.5), bar,
                       is_best (o, best) ? " *" : "");
    }
  gt_table_print (table, stdout);
}

void
gt_print_occupancy (const struct gt_supply *supply,
                    const struct gt_demand *demand,
                    const struct gt_occupancy *o)
{
  print_steps (supply, demand, o);
  print_curve (supply, demand);
}

/* --------------------------------------------------------- For programs */

/* Null stands for "does not limit".  */
static json_t *
json_count (int blocks)
{
  return blocks == INT_MAX ? json_null () : json_integer (blocks);
}

static json_t *
json_text (const char *text)
{
  return text == NULL || *text == '\0' ? json_null () : json_string (text);
}

/* Null for given numbers.  */
static json_t *
compiled_to_json (const struct gt_kernel_resources *compiled)
{
  if (compiled == NULL)
    return json_null ();
  return json_pack ("{s:o, s:i, s:i}", "compute_capability",
                    json_sprintf ("%d.%d", compiled->cc / 10,
                                  compiled->cc % 10),
                    "spill_store_bytes", compiled->spill_stores,
                    "spill_load_bytes", compiled->spill_loads);
}

static json_t *
curve_to_json (const struct gt_supply *supply, const struct gt_demand *demand)
{
  struct gt_occupancy curve[CURVE_POINTS];
  int best, points = compute_curve (supply, demand, curve, &best);
  json_t *list = json_array ();

  for (int i = 0; i < points; i++)
    {
      const struct gt_occupancy *o = &curve[i];

      json_array_append_new (
        list, json_pack ("{s:i, s:i, s:i, s:f, s:s, s:b}", "block_size",
                         (i + 1) * CURVE_STEP, "active_blocks_per_sm",
                         o->active_blocks, "active_warps_per_sm",
                         o->active_warps, "occupancy", o->occupancy,
                         "limited_by", gt_limiter_name (o->limiter), "best",
                         is_best (o, best)));
    }
  return list;
}

json_t *
gt_occupancy_to_json (const struct gt_supply *supply,
                      const struct gt_demand *demand,
                      const struct gt_occupancy *o)
{
  json_int_t shared = (json_int_t) (demand->shared
                                    + demand->shared_per_thread
                                        * (size_t) demand->block);

  return json_pack (
    "{s:o, s:o, s:o, s:o, s:i, s:I, s:i, s:i, s:i, s:f, s:i, s:o, s:I, s:o,"
    " s:o, s:i, s:i, s:i, s:i, s:f, s:s, s:o, s:o}",
    "device", json_text (supply->device), "compute_capability",
    json_sprintf ("%d.%d", supply->limits.cc_major, supply->limits.cc_minor),
    "kernel", json_text (demand->symbol), "compiled_for",
    compiled_to_json (demand->compiled), "registers_per_thread",
    demand->registers, "shared_per_block_bytes", shared, "block_size",
    demand->block, "warps_per_block", o->warps_per_block, "registers_per_warp",
    o->registers_per_warp, "warps_by_registers_exact",
    o->warps_by_registers_exact, "warps_by_registers", o->warps_by_registers,
    "blocks_by_registers", json_count (o->blocks_by_registers),
    "shared_allocated_bytes", (json_int_t) o->shared_allocated,
    "blocks_by_shared", json_count (o->blocks_by_shared), "blocks_by_threads",
    json_count (o->blocks_by_threads), "blocks_by_blocks", o->blocks_by_blocks,
    "active_blocks_per_sm", o->active_blocks, "active_warps_per_sm",
    o->active_warps, "max_warps_per_sm", o->max_warps, "occupancy",
    o->occupancy, "limited_by", gt_limiter_name (o->limiter), "why",
    json_text (o->why), "curve", curve_to_json (supply, demand));
}
