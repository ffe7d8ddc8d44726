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
#include "src/cuda/device_cuda.h"
#include "src/device/device.h"
#include "src/profile/profile_private.h"
#include "tuning/command/commands.h"
#include "tuning/report/occupancy_report.h"
#include "tuning/store/device_record.h"

enum
{
  OPT_JSON = 1,
  OPT_REGISTERS,
  OPT_SHARED,
  OPT_BLOCK,
  OPT_CC,
  OPT_RECORD,
  OPT_DEVICE,
  OPT_KERNEL,
  OPT_TYPE,
  OPT_MODE,
  OPT_UNROLL,
  OPT_STRIDED,
  N_OPTIONS
};

static const struct option options[] = {
  GT_COMMON_OPTIONS,
  {"json", no_argument, 0, OPT_JSON},
  {"registers", required_argument, 0, OPT_REGISTERS},
  {"shared", required_argument, 0, OPT_SHARED},
  {"block", required_argument, 0, OPT_BLOCK},
  {"cc", required_argument, 0, OPT_CC},
  {"record", required_argument, 0, OPT_RECORD},
  {"device", required_argument, 0, OPT_DEVICE},
  {"kernel", required_argument, 0, OPT_KERNEL},
  {"type", required_argument, 0, OPT_TYPE},
  {"mode", required_argument, 0, OPT_MODE},
  {"unroll", required_argument, 0, OPT_UNROLL},
  {"strided", no_argument, 0, OPT_STRIDED},
  {0, 0, 0, 0}
};

/* The word given with each option, null where it was not given.  */
struct words
{
  const char *of[N_OPTIONS];
};

static const char *
quote (char quoted[GT_QUOTED_SIZE], const char *word)
{
  return gt_quote (quoted, word, strlen (word));
}

/* --------------------------------------------------------------- Options */

static const char *
option_name (int value)
{
  const struct option *o = options;

  while (o->val != value)
    o++;
  return o->name;
}

/* Two options of which at most one may be given.  */
static void
forbid_both (const struct words *words, int a, int b)
{
  if (words->of[a] != NULL && words->of[b] != NULL)
    gt_usage ("occupancy: --%s and --%s exclude each other: give one of them",
              option_name (a), option_name (b));
}

static void
check_combination (const struct words *words)
{
  static const int of_numbers[] = {OPT_REGISTERS, OPT_SHARED};
  static const int of_kernel[] = {OPT_TYPE, OPT_MODE, OPT_UNROLL, OPT_STRIDED};

  forbid_both (words, OPT_CC, OPT_RECORD);
  forbid_both (words, OPT_CC, OPT_DEVICE);
  forbid_both (words, OPT_RECORD, OPT_DEVICE);
  for (size_t i = 0; i < sizeof of_numbers / sizeof *of_numbers; i++)
    forbid_both (words, OPT_KERNEL, of_numbers[i]);
  if (words->of[OPT_KERNEL] != NULL)
    return;
  for (size_t i = 0; i < sizeof of_kernel / sizeof *of_kernel; i++)
    if (words->of[of_kernel[i]] != NULL)
      gt_usage ("occupancy: --%s belongs to --kernel: give --kernel NAME too",
                option_name (of_kernel[i]));
  if (words->of[OPT_REGISTERS] == NULL || words->of[OPT_BLOCK] == NULL)
    gt_usage ("occupancy: --%s is missing: give --registers R --block N, and"
              " --shared BYTES if any; or --kernel NAME",
              words->of[OPT_REGISTERS] == NULL ? "registers" : "block");
}

static void
parse_words (const struct gt_command *self, int argc, char **argv,
             struct words *words)
{
  char quoted[GT_QUOTED_SIZE];
  int option;

  memset (words, 0, sizeof *words);
  while ((option = gt_cli_next (self, argc, argv, "")) != -1)
    words->of[option] = optarg != NULL ? optarg : "";
  if (optind < argc)
    gt_usage ("occupancy: unexpected argument '%s': this subcommand takes"
              " options alone", quote (quoted, argv[optind]));
  check_combination (words);
}

/* ---------------------------------------------------------------- Supply */

static void
supply_of_gpu (const struct gt_gpu *gpu, struct gt_supply *supply)
{
  supply->limits = gpu->sm;
  memcpy (supply->device, gpu->name, sizeof gpu->name);
}

static void
supply_of_cc (const char *word, struct gt_supply *supply)
{
  char quoted[GT_QUOTED_SIZE], known[256] = "";
  size_t used = 0;
  int major, minor, end = 0;

  if (sscanf (word, "%3d.%3d%n", &major, &minor, &end) == 2
      && word[end] == '\0'
      && gt_sm_limits_for_cc (major, minor, &supply->limits) == 0)
    return;
  for (const char *const *name = gt_known_compute_capabilities ();
       *name != NULL && used < sizeof known; name++)
    used += (size_t) snprintf (known + used, sizeof known - used, "%s%s",
                               used > 0 ? ", " : "", *name);
  gt_usage ("--cc: unknown compute capability '%s': known are %s",
            quote (quoted, word), known);
}

/* JSON is one record or what `gsltune devices --json' prints; of that, the
   first GPU, else the host.  */
static const json_t *
record_in (const json_t *json)
{
  const json_t *list = json_object_get (json, "devices"), *record;
  size_t i;

  json_array_foreach (list, i, record)
    {
      const char *kind = json_string_value (json_object_get (record, "kind"));

      if (kind != NULL && strcmp (kind, "cuda") == 0)
        return record;
    }
  return list != NULL ? json_array_get (list, 0) : json;
}

/* Returns 0, or -1 after a message.  */
static int
supply_of_record (const char *path, struct gt_supply *supply)
{
  char quoted[GT_QUOTED_SIZE], why[256];
  struct gt_device device;
  json_error_t error;
  json_t *json = json_load_file (path, JSON_REJECT_DUPLICATES, &error);
  int status;

  quote (quoted, path);
  if (json == NULL)
    {
      gt_profile_printable (error.text);
      gt_error ("--record: cannot read '%s': %s", quoted, error.text);
      return -1;
    }
  status = gt_device_from_json (record_in (json), &device, why, sizeof why);
  json_decref (json);
  if (status != 0)
    gt_error ("--record: '%s' is not a device's record: %s", quoted, why);
  else if (device.kind != GT_CUDA)
    {
      gt_error ("--record: '%s' describes a CPU: occupancy is a GPU's; give the"
                " record of one", quoted);
      status = -1;
    }
  else
    supply_of_gpu (&device.gpu, supply);
  return status;
}

/* "cuda" or "cuda:N"; null: the first GPU.  */
static int
supply_of_device (const char *word, struct gt_supply *supply)
{
  char quoted[GT_QUOTED_SIZE];
  const char *why = "";
  int ordinal = 0, any = word == NULL || strcmp (word, "cuda") == 0;
  int count, index;

  if (!any && strncmp (word, "cuda:", 5) != 0)
    gt_usage ("--device: '%s' is no GPU: give cuda or cuda:N",
              quote (quoted, word));
  if (!any)
    ordinal = (int) gt_parse_count ("--device", word + 5, 0, INT_MAX);
  count = gt_cuda_device_count (&why);
  index = any ? 0 : gt_cuda_index (ordinal);
  if (count > 0 && index >= 0)
    {
      supply_of_gpu (&gt_cuda_device (index)->gpu, supply);
      return 0;
    }
  if (count == 0)
    gt_error ("no CUDA GPU: %s; or name a compute capability with --cc, e.g."
              " --cc 9.0, or a recorded device with --record", why);
  else
    gt_error ("--device: there is no GPU number %d: 'gsltune devices' lists"
              " them", ordinal);
  return -1;
}

static int
find_supply (const struct words *words, struct gt_supply *supply)
{
  supply->device[0] = '\0';
  if (words->of[OPT_CC] != NULL)
    {
      supply_of_cc (words->of[OPT_CC], supply);
      return 0;
    }
  if (words->of[OPT_RECORD] != NULL)
    return supply_of_record (words->of[OPT_RECORD], supply);
  return supply_of_device (words->of[OPT_DEVICE], supply);
}

/* ---------------------------------------------------------------- Demand */

static int
parse_block (const char *word, const struct gt_sm_limits *limits)
{
  return (int) gt_parse_count ("--block", word, 1,
                               (uint64_t) limits->max_threads_per_block);
}

static void
demand_of_numbers (const struct words *words,
                   const struct gt_sm_limits *limits, struct gt_demand *demand)
{
  const char *shared = words->of[OPT_SHARED];

  demand->registers
    = (int) gt_parse_count ("--registers", words->of[OPT_REGISTERS], 0,
                            (uint64_t) limits->max_registers_per_thread);
  demand->shared
    = shared == NULL
        ? 0
        : (size_t) gt_parse_count ("--shared", shared, 0,
                                   limits->shared_per_sm);
  demand->block = parse_block (words->of[OPT_BLOCK], limits);
}

/* A CUDA kernel of the library, or a rung of the ladder.  */
static const struct gt_kernel *
kernel_of_name (const char *word)
{
  const struct gt_kernel *kernel = gt_catalog_find (word, GT_SUM);
  const struct gt_ladder_kernel *rung = gt_ladder_find (word);

  return kernel == NULL && rung != NULL ? rung->kernel : kernel;
}

static size_t
add_name (char *list, size_t used, size_t size, const struct gt_kernel *kernel)
{
  if (used >= size)
    return used;
  return used + (size_t) snprintf (list + used, size - used, "%s%s",
                                   used > 0 ? ", " : "", kernel->name);
}

static const struct gt_kernel *
find_kernel (const char *word)
{
  const struct gt_kernel *kernel = kernel_of_name (word);
  char quoted[GT_QUOTED_SIZE], valid[512] = "";
  size_t used = 0;

  if (kernel != NULL && kernel->device == GT_CUDA)
    return kernel;
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == GT_CUDA)
      used = add_name (valid, used, sizeof valid, &gt_catalog[i]);
  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (gt_ladder_catalog[i].shape != GT_RUNG_LIBRARY)
      used = add_name (valid, used, sizeof valid, gt_ladder_catalog[i].kernel);
  gt_usage ("--kernel: %s '%s': CUDA kernels are %s",
            kernel != NULL ? "no CUDA kernel" : "unknown kernel",
            quote (quoted, word), valid);
}

static unsigned
parse_unroll (const char *word, const struct gt_kernel *kernel)
{
  char quoted[GT_QUOTED_SIZE], known[32] = "";
  size_t used = 0;
  uint64_t unroll;

  if (word == NULL)
    return kernel->unrolls & 4 ? 4 : kernel->unrolls;
  if (!(kernel->tunables & GT_TUNE_UNROLL))
    gt_usage ("--unroll: %s has no unroll factor: leave --unroll out",
              kernel->name);
  unroll = gt_parse_count ("--unroll", word, 1, GT_UNROLL (GT_N_UNROLLS - 1));
  if ((unroll & (unroll - 1)) == 0 && unroll & kernel->unrolls)
    return (unsigned) unroll;
  for (unsigned u = 0; u < GT_N_UNROLLS; u++)
    if (kernel->unrolls & GT_UNROLL (u))
      used += (size_t) snprintf (known + used, sizeof known - used, "%s%u",
                                 used > 0 ? ", " : "", GT_UNROLL (u));
  gt_usage ("--unroll: '%s' is no unroll factor of %s: it has %s",
            quote (quoted, word), kernel->name, known);
}

/* Fast mode, or the one that KERNEL has instead.  */
static enum gt_mode
first_mode (const struct gt_kernel *kernel)
{
  return (enum gt_mode) __builtin_ctz (kernel->modes);
}

/* A sum, or what KERNEL computes instead.  */
static enum gt_reduction
first_reduction (const struct gt_kernel *kernel)
{
  return kernel->reductions & 1u << GT_SUM
           ? GT_SUM : (enum gt_reduction) __builtin_ctz (kernel->reductions);
}

/* Writes the entry point's name into the demand and adds what the compiler
   gave it.  Returns 0, or -1 after a message.  */
static int
demand_of_kernel (const struct words *words,
                  const struct gt_sm_limits *limits, struct gt_demand *demand)
{
  const struct gt_kernel *kernel = find_kernel (words->of[OPT_KERNEL]);
  const char *type_word = words->of[OPT_TYPE], *mode_word = words->of[OPT_MODE];
  enum gt_element_type type
    = type_word != NULL ? gt_parse_type ("--type", type_word) : GT_TYPE_DOUBLE;
  enum gt_reduction reduction = first_reduction (kernel);
  enum gt_arithmetic arithmetic
    = gt_arithmetic_for (reduction, gt_types[type].arithmetic);
  enum gt_mode mode = mode_word != NULL ? gt_parse_mode ("--mode", mode_word)
                                        : first_mode (kernel);
  struct gt_problem problem = {
    .reduction = reduction,
    .arithmetic = arithmetic,
    .mode = gt_mode_for (reduction, arithmetic, mode),
    .layout = words->of[OPT_STRIDED] != NULL ? GT_STRIDED : GT_CONTIGUOUS
  };
  unsigned unroll = parse_unroll (words->of[OPT_UNROLL], kernel);
  const struct gt_kernel_resources *found;

  demand->block = words->of[OPT_BLOCK] != NULL
                    ? parse_block (words->of[OPT_BLOCK], limits)
                    : 256;
  if (!gt_kernel_serves (kernel, &problem))
    gt_usage ("--kernel: %s does not sum %s vectors of %s in %s mode: choose"
              " another kernel, type or mode", kernel->name,
              gt_layout_names[problem.layout], gt_types[type].name,
              gt_mode_names[problem.mode]);
  if (kernel->tunables & GT_TUNE_STATIC
      && (demand->block < GT_MIN_STATIC_BLOCK
          || (demand->block & (demand->block - 1)) != 0))
    gt_usage ("--block: %d: %s is compiled for 64, 128, 256, 512 and 1024"
              " threads", demand->block, kernel->name);
  gt_kernel_symbol (kernel, &problem, unroll, (unsigned) demand->block, demand->symbol,
                    sizeof demand->symbol);
  found = gt_kernel_resources_find (
    kernel->shape == GT_SHAPE_RUNG ? gt_ladder_resources : gt_kernel_resources,
    demand->symbol, limits->cc_major * 10 + limits->cc_minor);
  if (found == NULL)
    {
      gt_error ("the registers of %s are not known: this gsltune has no machine"
                " code of it for compute capability %d.%d or an older one (see"
                " 'gsltune --version'); give --registers and --shared, or"
                " configure --with-cuda-arch=%d%d", demand->symbol,
                limits->cc_major, limits->cc_minor, limits->cc_major,
                limits->cc_minor);
      return -1;
    }
  demand->compiled = found;
  demand->registers = found->registers;
  demand->shared = (size_t) found->shared;
  demand->shared_per_thread = gt_kernel_shared (kernel, &problem);
  return 0;
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct words words;
  struct gt_supply supply;
  struct gt_demand demand = {0};
  struct gt_occupancy o;

  parse_words (self, argc, argv, &words);
  if (find_supply (&words, &supply) != 0)
    return GT_EXIT_FAILED;
  if (words.of[OPT_KERNEL] == NULL)
    demand_of_numbers (&words, &supply.limits, &demand);
  else if (demand_of_kernel (&words, &supply.limits, &demand) != 0)
    return GT_EXIT_FAILED;
  o = gt_demand_occupancy (&supply, &demand, demand.block);
  if (words.of[OPT_JSON] != NULL)
    return gt_print_json (gt_occupancy_to_json (&supply, &demand, &o));
  gt_print_occupancy (&supply, &demand, &o);
  return gt_finish_stdout ();
}

const struct gt_command gt_cmd_occupancy = {
  .name = "occupancy",
  .summary = "theoretical occupancy, step by step",
  .usage = "{--registers R --block N | --kernel NAME} [OPTION]...",
  .help
  = "How many warps an SM holds at once, what limits them, and the same for"
    " other\nblock sizes. It needs no GPU.\n\n"
    "What is launched:\n"
    "  --registers R   registers of a thread\n"
    "  --shared BYTES  shared memory of a block, static and dynamic; default"
    " 0\n"
    "  --block N       threads of a block; with --kernel, default 256\n"
    "  --kernel NAME   a CUDA kernel of gsltune, as compiled into it, for\n"
    "    --type TYPE     its element type; default double\n"
    "    --mode MODE     its mode; default fast, or the first that it has\n"
    "    --unroll U      its unroll factor, 1, 2, 4, 8 or 16; default 4\n"
    "    --strided       vectors whose elements lie apart\n\n"
    "On what; the default is the first GPU:\n"
    "  --cc X.Y        a compute capability\n"
    "  --record FILE   a GPU recorded with 'gsltune devices --json'\n"
    "  --device cuda:N a GPU of this machine\n\n"
    "  --json          print one JSON object\n"
    "  --help          print this text\n"
    "  --version       print the version\n",
  .options = options,
  .run = run,
};
