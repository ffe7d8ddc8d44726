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
#include "tuning/text/table.h"

/* Words are null, a type and a mode -1, where they were not given.  */
struct request
{
  const char *registers, *shared, *block, *cc, *kernel, *unroll;
  struct gt_device_word device;
  int type, mode, strided, json;
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
  GT_OPTION ("strided", 0, GT_FLAG, strided),
  GT_NO_MORE_OPTIONS
};

/* A kernel, what it asks for, and what an SM offers.  */
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
                          : r->unroll    ? "unroll"
                          : r->strided   ? "strided" : NULL;
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

/* A sum, or what KERNEL computes instead.  */
static enum gt_reduction
first_reduction (const struct gt_kernel *kernel)
{
  return kernel->reductions & 1u << GT_SUM
           ? GT_SUM : (enum gt_reduction) __builtin_ctz (kernel->reductions);
}

/* Writes the entry point's name into the demand and adds what the compiler
   gave it.  */
static void
demand_of_kernel (const struct request *request, struct launch *l)
{
  const struct gt_sm_limits *limits = &l->limits;
  const struct gt_kernel *kernel = find_kernel (request->kernel);
  enum gt_element_type type
    = request->type < 0 ? GT_TYPE_DOUBLE : (enum gt_element_type) request->type;
  enum gt_reduction reduction = first_reduction (kernel);
  enum gt_mode mode /* fast mode, or the one that KERNEL has instead */
    = gt_mode_of_vectors ((enum gt_mode) (request->mode < 0 ? __builtin_ctz (kernel->modes)
                                                            : request->mode));
  struct gt_problem problem = gt_problem_for (reduction, type, mode);
  unsigned unroll = parse_unroll (request->unroll, kernel);
  const struct gt_kernel_resources *found;

  problem.mode = gt_mode_for (reduction, problem.arithmetic, mode);
  problem.layout = request->strided ? GT_STRIDED : GT_CONTIGUOUS;
  l->block = request->block ? parse_block (request->block, limits) : 256;
  if (!gt_kernel_serves (kernel, &problem))
    gt_usage ("--kernel: %s does not sum %s vectors of %s in %s mode: choose"
              " another kernel, type or mode", kernel->name,
              gt_layout_names[problem.layout], gt_types[type].name,
              gt_mode_names[problem.mode]);
  if (kernel->tunables & GT_TUNE_STATIC
      && (l->block < GT_MIN_STATIC_BLOCK
          || (l->block & (l->block - 1)) != 0))
    gt_usage ("--block: %d: %s is compiled for 64, 128, 256, 512 and 1024"
              " threads", l->block, kernel->name);
  gt_kernel_symbol (kernel, &problem, unroll, (unsigned) l->block, l->symbol,
                    sizeof l->symbol);
  found = gt_kernel_resources_find (
    kernel->shape == GT_SHAPE_RUNG ? gt_ladder_resources : gt_kernel_resources,
    l->symbol, limits->cc_major * 10 + limits->cc_minor);
  if (found == NULL)
    gt_fatal ("the registers of %s are not known: this gsltune has no machine"
              " code of it for compute capability %d.%d or an older one (see"
              " 'gsltune --version'); give --registers and --shared, or"
              " configure --with-cuda-arch=%d%d",
              l->symbol, limits->cc_major, limits->cc_minor,
              limits->cc_major, limits->cc_minor);
  l->compiled = found;
  l->registers = found->registers;
  l->shared = (size_t) found->shared;
  l->shared_per_thread = gt_kernel_shared (kernel, &problem);
}

/* Bytes of shared memory of a block of BLOCK threads.  */
static size_t
shared_of (const struct launch *l, int block)
{
  return l->shared + l->shared_per_thread * (size_t) block;
}

/* Returns the occupancy of blocks of BLOCK threads, whatever size the launch
   itself has.  */
static struct gt_occupancy
occupancy_of (const struct launch *l, int block)
{
  const struct gt_occupancy_request request = {
    .registers_per_thread = l->registers,
    .shared_per_block = shared_of (l, block),
    .block_size = block,
  };
  struct gt_occupancy result;

  gt_occupancy_compute (&l->limits, &request, &result);
  return result;
}

/* ----------------------------------------------------------- For people */

#define item(...) gt_print_item (24, __VA_ARGS__)

/* Half a percent is rounded up.  */
static int
percent (double share)
{
  return (int) (share * 100.0 + 0.5);
}

static void
print_registers (const struct launch *l, const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &l->limits;

  item ("registers per warp", "%d x %d = %d, in units of %d: %d",
        l->registers, limits->warp_size,
        l->registers * limits->warp_size,
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
print_shared (const struct launch *l, const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &l->limits;
  const size_t shared = shared_of (l, l->block);

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
print_title (const struct launch *l)
{
  const struct gt_sm_limits *limits = &l->limits;

  if (l->symbol[0] != '\0')
    printf ("Occupancy of %s in blocks of %d threads", l->symbol,
            l->block);
  else
    printf ("Occupancy of blocks of %d threads", l->block);
  printf (" on %s%scompute capability %d.%d%s\n\n", l->device,
          l->device[0] != '\0' ? " (" : "", limits->cc_major,
          limits->cc_minor, l->device[0] != '\0' ? ")" : "");
}

/* Prints the registers and memory that the compiler gave a kernel, and for which GPU.  Machine
   code runs only on GPUs of its own major number; for others the driver compiles the PTX.  */
static void
print_compiled (const struct launch *l)
{
  const struct gt_sm_limits *limits = &l->limits;
  const struct gt_kernel_resources *compiled = l->compiled;
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
print_steps (const struct launch *l, const struct gt_occupancy *o)
{
  const struct gt_sm_limits *limits = &l->limits;

  print_title (l);
  if (l->compiled != NULL)
    print_compiled (l);
  item ("registers per thread", "%d", l->registers);
  item ("warps per block", "%d / %d = %d", l->block, limits->warp_size,
        o->warps_per_block);
  print_registers (l, o);
  print_shared (l, o);
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
compute_curve (const struct launch *l,
               struct gt_occupancy curve[CURVE_POINTS], int *best)
{
  int points = l->limits.max_threads_per_block / CURVE_STEP;

  if (points > CURVE_POINTS)
    points = CURVE_POINTS;
  *best = 0;
  for (int i = 0; i < points; i++)
    {
      curve[i] = occupancy_of (l, (i + 1) * CURVE_STEP);
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
print_curve (const struct launch *l)
{
  static const char bar[] = "################################";
  struct gt_table *table
    = gt_table_new ("rrrrll", "block\tblocks\twarps\toccupancy\tlimited by");
  struct gt_occupancy curve[CURVE_POINTS];
  int best, points = compute_curve (l, curve, &best);

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
curve_to_json (const struct launch *l)
{
  struct gt_occupancy curve[CURVE_POINTS];
  int best, points = compute_curve (l, curve, &best);
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

static json_t *
occupancy_to_json (const struct launch *l, const struct gt_occupancy *o)
{
  return json_pack (
    "{s:o, s:o, s:o, s:o, s:i, s:I, s:i, s:i, s:i, s:f, s:i, s:o, s:I, s:o,"
    " s:o, s:i, s:i, s:i, s:i, s:f, s:s, s:o, s:o}",
    "device", json_text (l->device), "compute_capability",
    json_sprintf ("%d.%d", l->limits.cc_major, l->limits.cc_minor),
    "kernel", json_text (l->symbol), "compiled_for",
    compiled_to_json (l->compiled), "registers_per_thread",
    l->registers, "shared_per_block_bytes",
    (json_int_t) shared_of (l, l->block), "block_size",
    l->block, "warps_per_block", o->warps_per_block, "registers_per_warp",
    o->registers_per_warp, "warps_by_registers_exact",
    o->warps_by_registers_exact, "warps_by_registers", o->warps_by_registers,
    "blocks_by_registers", json_count (o->blocks_by_registers),
    "shared_allocated_bytes", (json_int_t) o->shared_allocated,
    "blocks_by_shared", json_count (o->blocks_by_shared), "blocks_by_threads",
    json_count (o->blocks_by_threads), "blocks_by_blocks", o->blocks_by_blocks,
    "active_blocks_per_sm", o->active_blocks, "active_warps_per_sm",
    o->active_warps, "max_warps_per_sm", o->max_warps, "occupancy",
    o->occupancy, "limited_by", gt_limiter_name (o->limiter), "why",
    json_text (o->why), "curve", curve_to_json (l));
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.device = GT_ANY_DEVICE, .type = -1, .mode = -1};
  struct launch l = {0};
  struct gt_occupancy o;

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
  o = occupancy_of (&l, l.block);
  if (request.json)
    return gt_print_json (occupancy_to_json (&l, &o));
  print_steps (&l, &o);
  print_curve (&l);
  return GT_EXIT_OK;
}

const struct gt_command gt_cmd_occupancy = {
  .name = "occupancy",
  .summary = "theoretical occupancy, step by step",
  .usage = "{--registers R --block N | --kernel NAME} [OPTION]...",
  .help
  = "How many warps an SM holds at once, what limits them, and the same for other\n"
    "block sizes. It needs no GPU.\n\n"
    "What is launched:\n"
    "  --registers R   registers of a thread\n"
    "  --shared BYTES  shared memory of a block, static and dynamic; default 0\n"
    "  --block N       threads of a block; with --kernel, default 256\n"
    "  --kernel NAME   a CUDA kernel of gsltune, as compiled into it, for\n"
    "    --type TYPE     its element type; default double\n"
    "    --mode MODE     its mode; default fast, or the first that it has\n"
    "    --unroll U      its unroll factor, 1, 2, 4, 8 or 16; default 4\n"
    "    --strided       vectors whose elements lie apart\n\n"
    "On what; the default is the first GPU:\n"
    "  --cc X.Y        a compute capability\n"
    "  --device cuda:N a GPU of this machine\n\n"
    "  --json          print one JSON object\n"
    GT_COMMON_HELP ("       "),
  .options = options,
  .takes = "this subcommand takes options alone",
  .run = run,
};
