/* gsltune occupancy: theoretical occupancy, step by step.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/catalog.h"
#include "kernels/ladder/rungs.h"
#include "kernels/resources.h"
#include "src/base/names.h"
#include "src/base/problem.h"
#include "src/device/device.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/measure/occupancy.h"
#include "tuning/text/record.h"
#include "tuning/text/table.h"

/* A word that is not given is null, a type or a mode -1.  */
struct request
{
  const char *registers, *shared, *block, *cc, *kernel, *unroll;
  struct gt_device_word device;
  int type, mode, json;
};

static const struct gt_option options[] = {
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_OPTION ("registers", 0, GT_WORD, registers),
  GT_OPTION ("shared", 0, GT_WORD, shared),
  GT_OPTION ("block", 0, GT_WORD, block),
  GT_OPTION ("cc", 0, GT_WORD, cc),
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_OPTION ("kernel", 0, GT_WORD, kernel),
  GT_OPTION ("type", 0, GT_TYPE, type),
  GT_OPTION ("mode", 0, GT_MODE, mode),
  GT_OPTION ("unroll", 0, GT_WORD, unroll),
  GT_NO_MORE_OPTIONS
};

/* The demand of a kernel, and the supply of an SM.  */
struct launch
{
  struct gt_sm_limits limits;
  char device[128];  /* whose SM; "" for a bare compute capability */
  char symbol[128];  /* "" for given numbers */
  int registers;     /* a thread */
  size_t shared;     /* bytes a block, whatever its size */
  size_t shared_per_thread; /* bytes more for each thread of a block */
  int block;         /* threads */
  const struct gt_kernel_resources *compiled; /* null for given numbers */
};

/* --------------------------------------------------------------- Options */

static void
check_combination (const struct request *r)
{
  const int device = (int) r->device.kind >= 0;
  const char *of_kernel = r->type >= 0   ? "type"
                          : r->mode >= 0 ? "mode"
                          : r->unroll    ? "unroll" : NULL;
  const struct
  {
    int given;
    const char *one, *other;
  } pairs[] = {{r->cc && device, "cc", "device"},
               {r->kernel && r->registers, "kernel", "registers"},
               {r->kernel && r->shared, "kernel", "shared"}};

  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].given)
      gt_usage ("occupancy: --%s and --%s exclude each other: give one of them",
                pairs[i].one, pairs[i].other);
  if (r->kernel)
    return;
  if (of_kernel)
    gt_usage ("occupancy: --%s belongs to --kernel: give --kernel NAME too",
              of_kernel);
  if (r->registers == NULL || r->block == NULL)
    gt_usage ("occupancy: --%s is missing: give --registers R --block N, and"
              " --shared BYTES if any; or --kernel NAME",
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

/* The GPU that WORD names, else the first.  */
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

static int
parse_block (const char *word, const struct gt_sm_limits *limits)
{
  return (int) gt_parse_count ("--block", word, 1,
                               (uint64_t) limits->max_threads_per_block);
}

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
  l->block = parse_block (request->block, limits);
}

/* A CUDA kernel of the library, or a rung of the ladder.  */
static const struct gt_kernel *
find_kernel (const char *word)
{
  const struct gt_kernel *kernel = gt_catalog_find (word, GT_SUM);
  const struct gt_ladder_kernel *rung = gt_ladder_find (word);
  char valid[512] = "";

  if (kernel == NULL && rung != NULL)
    kernel = rung->kernel;
  if (kernel != NULL && kernel->device == GT_CUDA)
    return kernel;
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == GT_CUDA)
      gt_list_add (valid, sizeof valid, "%s", gt_catalog[i].name);
  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (gt_ladder_catalog[i].shape != GT_RUNG_LIBRARY)
      gt_list_add (valid, sizeof valid, "%s", gt_ladder_catalog[i].kernel->name);
  gt_usage ("--kernel: %s '%s': CUDA kernels are %s",
            kernel != NULL ? "no CUDA kernel" : "unknown kernel",
            gt_quote_word (word), valid);
}

static unsigned
parse_unroll (const char *word, const struct gt_kernel *kernel)
{
  char known[32];
  uint64_t unroll;

  if (word == NULL)
    return kernel->unrolls & 4 ? 4 : kernel->unrolls;
  if (!(kernel->tunables & GT_TUNE_UNROLL))
    gt_usage ("--unroll: %s has no unroll factor: leave --unroll out",
              kernel->name);
  unroll = gt_parse_count ("--unroll", word, 1, GT_UNROLL (GT_N_UNROLLS - 1));
  if ((unroll & (unroll - 1)) == 0 && unroll & kernel->unrolls)
    return (unsigned) unroll;
  gt_list_unrolls (kernel, known, sizeof known);
  gt_usage ("--unroll: '%s' is no unroll factor of %s: it has %s",
            gt_quote_word (word), kernel->name, known);
}

/* Returns the sum, or the first reduction that KERNEL has instead.  */
static enum gt_reduction
first_reduction (const struct gt_kernel *kernel)
{
  return kernel->reductions & 1u << GT_SUM
           ? GT_SUM : (enum gt_reduction) __builtin_ctz (kernel->reductions);
}

/* Fills the demand in from the resources that the compiler gave the kernel.  */
static void
demand_of_kernel (const struct request *request, struct launch *l)
{
  const struct gt_sm_limits *limits = &l->limits;
  const struct gt_kernel *kernel = find_kernel (request->kernel);
  const enum gt_element_type type
    = request->type < 0 ? GT_TYPE_DOUBLE : (enum gt_element_type) request->type;
  const enum gt_reduction reduction = first_reduction (kernel);
  const enum gt_mode mode /* fast mode, or the one that KERNEL has instead */
    = gt_mode_of_vectors ((enum gt_mode) (request->mode < 0 ? __builtin_ctz (kernel->modes)
                                                            : request->mode));
  struct gt_problem problem = gt_problem_for (reduction, type, mode);
  const unsigned unroll = parse_unroll (request->unroll, kernel);

  problem.mode = gt_mode_for (reduction, problem.arithmetic, mode);
  l->block = request->block ? parse_block (request->block, limits) : 256;
  if (!gt_kernel_serves (kernel, &problem))
    gt_usage ("--kernel: %s does not sum vectors of %s in %s mode: choose another kernel, type"
              " or mode", kernel->name, gt_types[type].name, gt_mode_names[problem.mode]);
  if (kernel->tunables & GT_TUNE_STATIC
      && (l->block < GT_MIN_STATIC_BLOCK || (l->block & (l->block - 1)) != 0))
    gt_usage ("--block: %d: %s is compiled for 64, 128, 256, 512 and 1024 threads", l->block,
              kernel->name);
  gt_kernel_symbol (kernel, &problem, unroll, (unsigned) l->block, l->symbol, sizeof l->symbol);
  l->compiled = gt_kernel_resources_find (
    kernel->shape == GT_SHAPE_RUNG ? gt_ladder_resources : gt_kernel_resources, l->symbol,
    limits->cc_major * 10 + limits->cc_minor);
  if (l->compiled == NULL)
    gt_fatal ("the registers of %s are not known: this gsltune has no machine code of it for"
              " compute capability %d.%d or an older one (see 'gsltune --version'); give"
              " --registers and --shared, or configure --with-cuda-arch=%d%d",
              l->symbol, limits->cc_major, limits->cc_minor, limits->cc_major,
              limits->cc_minor);
  l->registers = l->compiled->registers;
  l->shared = (size_t) l->compiled->shared;
  l->shared_per_thread = gt_kernel_shared (kernel, &problem);
}

/* Returns the occupancy of blocks of BLOCK threads.  */
static struct gt_occupancy
occupancy_of (const struct launch *l, int block)
{
  const struct gt_occupancy_request request = {
    .registers_per_thread = l->registers,
    .shared_per_block = l->shared + l->shared_per_thread * (size_t) block,
    .block_size = block,
  };
  struct gt_occupancy result;

  gt_occupancy_compute (&l->limits, &request, &result);
  return result;
}

/* -------------------------------------------------------------- Reporting */

/* Half a percent is rounded up.  */
static int
percent (double share)
{
  return (int) (share * 100.0 + 0.5);
}

/* Adds how many BLOCKS a resource allows, of which an SM has OF_SM and a block takes OF_BLOCK; no
   block at all if that is more than one may have.  */
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

/* Machine code runs only on GPUs of its own major number; for others the driver compiles the
   PTX.  */
static void
add_compiled (const struct gt_record *r, const struct launch *l)
{
  const int cc = l->compiled->cc;

  gt_record_text (r, "compiled_for", "%d.%d", cc / 10, cc % 10);
  if (cc / 10 != l->limits.cc_major)
    gt_record_note (r, "", "the nearest older: for %d.%d the driver compiles anew, and other"
                    " numbers may result", l->limits.cc_major, l->limits.cc_minor);
  gt_record_number (r, "bytes_of_spill_stores", l->compiled->spill_stores, "%s", "");
  gt_record_number (r, "bytes_of_spill_loads", l->compiled->spill_loads, "%s", "");
}

static void
add_steps (const struct gt_record *r, const struct launch *l, const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &l->limits;
  const size_t shared = l->shared + l->shared_per_thread * (size_t) l->block;
  const size_t warps = (size_t) o->warps_per_block;

  if (*l->device)
    gt_record_text (r, "device", "%s", l->device);
  gt_record_text (r, "compute_capability", "%d.%d", limits->cc_major, limits->cc_minor);
  if (l->compiled)
    {
      gt_record_text (r, "kernel", "%s", l->symbol);
      add_compiled (r, l);
    }
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
                    "%zu + %zu reserved, in units of %zu: ", shared,
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
  struct request request = {.device = GT_ANY_DEVICE, .type = -1, .mode = -1};
  struct launch l = {0};
  struct gt_occupancy o;
  struct gt_record record;

  gt_cli_parse (self, argc, argv, &request);
  check_combination (&request);
  if (request.cc)
    supply_of_cc (request.cc, &l);
  else
    supply_of_device (&request.device, &l);
  if (request.kernel)
    demand_of_kernel (&request, &l);
  else
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
  .usage = "{--registers R --block N | --kernel NAME} [OPTION]...",
  .help
  = "Computes how many warps an SM holds at once, which resource limits them, and the\n"
    "same for other block sizes.  It needs no GPU.\n\n"
    "The launch:\n"
    "  --registers R   registers of a thread\n"
    "  --shared BYTES  shared memory of a block, static and dynamic; default 0\n"
    "  --block N       threads of a block; with --kernel, default 256\n"
    "  --kernel NAME   a CUDA kernel of gsltune, as compiled into it, for\n"
    "    --type TYPE     its element type; default double\n"
    "    --mode MODE     its mode; default fast, or the first that it has\n"
    "    --unroll U      its unroll factor, 1, 2, 4, 8 or 16; default 4\n\n"
    "The GPU; the default is the first one:\n"
    "  --cc X.Y        a compute capability\n"
    "  --device cuda:N a GPU of this machine\n\n"
    "  --json          print one JSON object\n"
    GT_COMMON_HELP ("       "),
  .options = options,
  .takes = "this subcommand takes options alone",
  .run = run,
};
