/* gsltune occupancy: computes theoretical occupancy, step by step.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/device.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/measure/occupancy.h"
#include "tuning/text/record.h"
#include "tuning/text/table.h"

/* Arguments; null if not given.  */
struct request
{
  const char *registers, *shared, *block, *cc;
  struct gt_device_word device;
  int json;
};

static const struct gt_option options[] = {
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_OPTION ("registers", 0, GT_WORD, registers),
  GT_OPTION ("shared", 0, GT_WORD, shared),
  GT_OPTION ("block", 0, GT_WORD, block),
  GT_OPTION ("cc", 0, GT_WORD, cc),
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_NO_MORE_OPTIONS
};

/* The resources that a launch needs, and those of an SM.  */
struct launch
{
  struct gt_sm_limits limits;
  char device[128]; /* the GPU; "" if only a compute capability is known */
  int registers;    /* per thread */
  size_t shared;    /* bytes per block */
  int block;        /* threads per block */
};

/* --------------------------------------------------------------- Options */

static void
check_combination (const struct request *r)
{
  if (r->cc && (int) r->device.kind >= 0)
    gt_usage ("occupancy: --cc and --device exclude each other: give one of them");
  if (r->registers == NULL || r->block == NULL)
    gt_usage ("occupancy: --%s is missing: give --registers R --block N, and --shared BYTES if any",
              r->registers == NULL ? "registers" : "block");
}

/* ---------------------------------------------------------------- Supply */

static void
supply_of_gpu (const struct gt_gpu *gpu, struct launch *l)
{
  l->limits = gpu->sm;
  memcpy (l->device, gpu->name, sizeof gpu->name);
}

static void
supply_of_cc (const char *word, struct launch *l)
{
  char known[256] = "";
  int major, minor, end = 0;

  if (sscanf (word, "%3d.%3d%n", &major, &minor, &end) == 2
      && word[end] == '\0'
      && gt_sm_limits_for_cc (major, minor, &l->limits) == 0)
    return;
  for (size_t i = 0; gt_sm_limits_known (i, &l->limits) == 0; i++)
    gt_list_add (known, sizeof known, "%d.%d", l->limits.cc_major,
                 l->limits.cc_minor);
  gt_usage ("--cc: unknown compute capability '%s': known are %s",
            gt_quote_word (word), known);
}

/* Stores the SM of the GPU that WORD names, or of the first GPU.  */
static void
supply_of_device (const struct gt_device_word *word, struct launch *l)
{
  const char *why = "";
  int index = 0;

  if (word->kind == GT_CPU)
    gt_usage ("--device: 'cpu' is no GPU: give cuda or cuda:N");
  if (gt_gpu_count (&why) == 0)
    gt_fatal ("no CUDA GPU: %s; or name a compute capability with --cc, e.g."
              " --cc 9.0", why);
  if (word->ordinal >= 0)
    index = gt_require_gpu ("--device", word->ordinal);
  supply_of_gpu (&gt_gpu_device (index)->gpu, l);
}

/* ---------------------------------------------------------------- Demand */

static void
demand_of_numbers (const struct request *request, struct launch *l)
{
  const struct gt_sm_limits *limits = &l->limits;

  l->registers
    = (int) gt_parse_count ("--registers", request->registers, 0,
                            (uint64_t) limits->max_registers_per_thread);
  if (request->shared)
    l->shared = (size_t) gt_parse_count ("--shared", request->shared, 0,
                                              limits->shared_per_sm);
  l->block = (int) gt_parse_count ("--block", request->block, 1,
                                   (uint64_t) limits->max_threads_per_block);
}

/* Returns the occupancy of blocks of BLOCK threads.  */
static struct gt_occupancy
occupancy_of (const struct launch *l, int block)
{
  const struct gt_occupancy_request request = {
    .registers_per_thread = l->registers,
    .shared_per_block = l->shared,
    .block_size = block,
  };
  struct gt_occupancy result;

  gt_occupancy_compute (&l->limits, &request, &result);
  return result;
}

/* -------------------------------------------------------------- Reporting */

/* Returns SHARE in percent; half a percent is rounded up.  */
static int
percent (double share)
{
  return (int) (share * 100.0 + 0.5);
}

/* Adds the number of BLOCKS that a resource allows; an SM has OF_SM and a block needs
   OF_BLOCK.  BLOCKS is 0 if a block needs more than the maximum.  */
static void
add_limit (const struct gt_record *r, const char *key, int blocks, size_t of_sm, size_t of_block)
{
  if (blocks == 0)
    gt_record_number (r, key, 0, "%s", "");
  else if (blocks != INT_MAX)
    gt_record_number (r, key, blocks, "%zu / %zu = ", of_sm, of_block);
  else
    {
      gt_record_value (r, key, json_null ());
      gt_record_note (r, key, "no limit");
    }
}

static void
add_steps (const struct gt_record *r, const struct launch *l, const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &l->limits;
  const size_t warps = (size_t) o->warps_per_block;

  if (*l->device)
    gt_record_text (r, "device", "%s", l->device);
  gt_record_text (r, "compute_capability", "%d.%d", limits->cc_major, limits->cc_minor);
  gt_record_number (r, "block_size", l->block, "%s", "");
  gt_record_number (r, "registers_per_thread", l->registers, "%s", "");
  gt_record_number (r, "warps_per_block", o->warps_per_block, "%d / %d = ", l->block,
                    limits->warp_size);
  gt_record_number (r, "registers_per_warp", o->registers_per_warp, "%d x %d, in units of %d: ",
                    l->registers, limits->warp_size, limits->register_allocation_unit);
  if (o->blocks_by_registers != INT_MAX)
    gt_record_number (r, "warps_by_registers", o->warps_by_registers,
                      "%d / %d, rounded down to a multiple of %d: ", limits->registers_per_sm,
                      o->registers_per_warp, limits->warp_allocation_granularity);
  add_limit (r, "blocks_by_registers", o->blocks_by_registers, (size_t) o->warps_by_registers,
             warps);
  gt_record_number (r, "shared_bytes_per_block", (long long) o->shared_allocated,
                    "%zu + %zu reserved, in units of %zu: ", l->shared,
                    limits->shared_reserved_per_block, limits->shared_allocation_unit);
  add_limit (r, "blocks_by_shared_memory", o->blocks_by_shared, limits->shared_per_sm,
             o->shared_allocated);
  add_limit (r, "blocks_by_threads", o->blocks_by_threads, (size_t) o->max_warps, warps);
  gt_record_number (r, "blocks_by_their_number", o->blocks_by_blocks, "%s", "");
  gt_record_number (r, "active_blocks_per_SM", o->active_blocks, "%s", "");
  gt_record_number (r, "active_warps_per_SM", o->active_warps, "%d x %d = ", o->active_blocks,
                    o->warps_per_block);
  gt_record_number (r, "most_warps_per_SM", o->max_warps, "%s", "");
  gt_record_value (r, "occupancy", json_real (o->occupancy));
  gt_record_note (r, "occupancy", "%d%%", percent (o->occupancy));
  gt_record_text (r, "limited_by", "%s%s%s", gt_limiter_name (o->limiter), o->why ? ": " : "",
                  o->why ? o->why : "");
}

enum { CURVE_STEP = 32, BAR = 32 };

/* Prints the occupancy of every block size, or adds the list to the record.  */
static void
add_curve (const struct gt_record *r, const struct launch *l)
{
  static const char bar[] = "################################";
  struct gt_table *table = gt_table_new ("rrrrll", "block\tblocks\twarps\toccupancy\tlimited by");
  json_t *list = json_array ();
  int best = 1; /* warps */

  for (int block = CURVE_STEP; block <= l->limits.max_threads_per_block; block += CURVE_STEP)
    if (occupancy_of (l, block).active_warps > best)
      best = occupancy_of (l, block).active_warps;
  for (int block = CURVE_STEP; block <= l->limits.max_threads_per_block; block += CURVE_STEP)
    {
      const struct gt_occupancy o = occupancy_of (l, block);

      gt_table_printf (table, "%d\t%d\t%d\t%d%%\t%s\t%.*s%s", block, o.active_blocks,
                       o.active_warps, percent (o.occupancy), gt_limiter_name (o.limiter),
                       (int) (o.occupancy * BAR + 0.5), bar, o.active_warps == best ? " *" : "");
      json_array_append_new (
        list, json_pack ("{s:i, s:i, s:i, s:f, s:s, s:b}", "block_size", block,
                         "active_blocks_per_SM", o.active_blocks, "active_warps_per_SM",
                         o.active_warps, "occupancy", o.occupancy, "limited_by",
                         gt_limiter_name (o.limiter), "best", o.active_warps == best));
    }
  gt_record_value (r, "curve", list);
  if (r->json == NULL)
    {
      puts ("\nBy block size, the best marked *:\n");
      gt_table_print (table, stdout);
    }
  else
    gt_table_free (table);
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.device = GT_ANY_DEVICE};
  struct launch l = {0};
  struct gt_occupancy o;
  struct gt_record record;

  gt_cli_parse (self, argc, argv, &request);
  check_combination (&request);
  if (request.cc)
    supply_of_cc (request.cc, &l);
  else
    supply_of_device (&request.device, &l);
  demand_of_numbers (&request, &l);
  record = gt_record_new (23, request.json);
  o = occupancy_of (&l, l.block);
  add_steps (&record, &l, &o);
  add_curve (&record, &l);
  return request.json ? gt_print_json (record.json) : GT_EXIT_OK;
}

const struct gt_command gt_cmd_occupancy = {
  .name = "occupancy",
  .summary = "theoretical occupancy, step by step",
  .usage = "--registers R --block N [OPTION]...",
  .help
  = "Computes how many warps an SM holds at once, which resource limits them, and the\n"
    "same for other block sizes.  It needs no GPU.\n\n"
    "The launch:\n"
    "  --registers R   registers of a thread\n"
    "  --shared BYTES  shared memory of a block, static and dynamic; default 0\n"
    "  --block N       threads of a block\n\n"
    "The GPU; the default is the first one:\n"
    "  --cc X.Y        a compute capability\n"
    "  --device cuda:N a GPU of this machine\n\n"
    "  --json          print one JSON object\n"
    GT_COMMON_HELP ("       "),
  .options = options,
  .takes = "this subcommand takes options alone",
  .run = run,
};
