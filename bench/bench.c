/* Peers measured side by side, in one process: GSL, CUB, cuBLAS and gsltune.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <getopt.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/random.h"
#include "src/device/backend.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

/* -------------------------------------------------------------- Tables */

/* TABLE (id, name, whether it needs a GPU).  */
#define TABLES(TABLE)         \
  TABLE (DEVICE, "device", 1) \
  TABLE (EXACT, "exact", 1)   \
  TABLE (STREAMS, "streams", 1) \
  TABLE (RUN, "run", 0)       \
  TABLE (SYSTEMS, "systems", 0)

enum table
{
#define X(id, name, gpu) TABLE_##id,
  TABLES (X)
#undef X
  N_TABLES
};

static const char *const table_names[N_TABLES] = {
#define X(id, name, gpu) name,
  TABLES (X)
#undef X
};

#define X(id, name, gpu) | (gpu) << TABLE_##id
enum
{
  GPU_TABLES = 0 TABLES (X)
};
#undef X

#define N_SHEETS 7

/* The whole run.  */
struct bench
{
  struct gt_bench with;
  unsigned tables; /* 1 << TABLE_... */
  enum gt_format format;
  const char *no_gpu; /* why, when with.gpu.gpu is null */
  struct gt_sheet sheet[N_SHEETS];
  unsigned n_sheets;
  struct gt_random_options random; /* count 0: tables */
};

static int
wants (const struct bench *bench, unsigned tables)
{
  return (bench->tables & tables) != 0;
}

static const struct
{
  enum table table;
  const struct gt_form *form;
  gt_make_sheet *make;
} sheets[N_SHEETS] = {
  {TABLE_DEVICE, &gt_device_forms[0], gt_bench_device},
  {TABLE_DEVICE, &gt_device_forms[1], gt_bench_device},
  {TABLE_EXACT, &gt_exact_forms[0], gt_bench_exact},
  {TABLE_EXACT, &gt_exact_forms[1], gt_bench_exact},
  {TABLE_STREAMS, &gt_streams_form, gt_bench_streams},
  {TABLE_RUN, &gt_run_form, gt_bench_run},
  {TABLE_SYSTEMS, &gt_systems_form, gt_bench_systems},
};

static int
run_sheet (struct bench *bench, unsigned i)
{
  struct gt_sheet *sheet = &bench->sheet[bench->n_sheets];
  int status = 0;

  if (!wants (bench, 1u << sheets[i].table))
    return 0;
  sheet->form = sheets[i].form;
  bench->n_sheets++;
  if (GPU_TABLES & 1u << sheets[i].table && bench->with.gpu.gpu == NULL)
    snprintf (sheet->note, sizeof sheet->note,
              "Left out: no GPU is used: %s.", bench->no_gpu);
  else
    status = sheets[i].make (&bench->with, sheet);
  if (status == 0 && bench->format != GT_FORMAT_JSON)
    gt_sheet_print (sheet, bench->format);
  return status;
}

/* -------------------------------------------------------------- Header */

struct facts
{
  struct gt_fact fact[12];
  unsigned n;
};

static void __attribute__ ((format (printf, 3, 4)))
add_fact (struct facts *facts, const char *key, const char *format, ...)
{
  struct gt_fact *fact = &facts->fact[facts->n++];
  va_list arguments;

  va_start (arguments, format);
  fact->key = key;
  vsnprintf (fact->text, sizeof fact->text, format, arguments);
  va_end (arguments);
}

static void
add_profile (struct facts *facts, const char *key,
             const struct gt_plans *plans)
{
  if (plans->profile_found)
    add_fact (facts, key, "%s%s%s", plans->profile.path,
              plans->profile.unfinished ? " (of an unfinished run)" : "",
              plans->profile.match != GT_MATCH_SILICON
                ? " (approximate: of a like device)" : "");
  else
    add_fact (facts, key, "none: not tuned, the estimate decides");
}

/* The version of NVIDIA's kernel module, "unknown" when the system does not
   tell.  The first line reads "... Kernel Module for x86_64  580.95.05  ...". */
static void
read_kernel_module (char *version, size_t size)
{
  FILE *file = fopen ("/proc/driver/nvidia/version", "r");
  char line[512] = "";
  const char *word;

  snprintf (version, size, "unknown");
  if (file == NULL)
    return;
  word = fgets (line, sizeof line, file) ? strstr (line, "  ") : NULL;
  if (word)
    {
      word += strspn (word, " ");
      snprintf (version, size, "%.*s", (int) strcspn (word, " \n"), word);
    }
  fclose (file);
}

static void
add_gpu (struct facts *facts, const struct bench *bench)
{
  const struct gt_gpu *gpu;
  char module[64];

  if (bench->with.gpu.gpu == NULL)
    {
      add_fact (facts, "GPU", "none: %s", bench->no_gpu);
      return;
    }
  gpu = &gt_gpus->device_of (bench->with.gpu.gpu)->gpu;
  read_kernel_module (module, sizeof module);
  add_fact (facts, "GPU", "%s, %d SMs, %s, L2 %s, %s in theory", gpu->name,
            gpu->sms, gt_format_bytes ((double) gpu->memory),
            gt_format_bytes ((double) gpu->l2),
            gt_format_bandwidth (gt_gpu_bandwidth (gpu)));
  add_fact (facts, "driver", "%s, for CUDA %d.%d", module,
            gpu->driver_version / 1000, gpu->driver_version % 1000 / 10);
  add_profile (facts, "GPU profile", gt_plans_of (bench->with.gpu.gpu));
  if (bench->with.gpu.cub)
    add_fact (facts, "CUB", "%s", gt_cub_version ());
  else
    add_fact (facts, "CUB", "left out: %s", bench->with.gpu.no_cub);
}

static void
gather_facts (struct facts *facts, const struct bench *bench)
{
  const struct gt_host *host = &gt_device_host ()->host;
  time_t now = time (NULL);
  struct tm utc;
  char date[64] = "";

  facts->n = 0;
  if (gmtime_r (&now, &utc))
    strftime (date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
  add_fact (facts, "date", "%s", date);
  add_fact (facts, "gsltune", "%s", gsltune_version ());
  add_fact (facts, "CPU", "%s, %d cores, %d threads, %s", host->model,
            host->cores, host->threads,
            gt_format_bytes ((double) host->memory));
  add_profile (facts, "CPU profile", gt_host_plans ());
  if (wants (bench, GPU_TABLES))
    add_gpu (facts, bench);
  add_fact (facts, "GSL", "%s", gsl_version);
  add_fact (facts, "rounds", "%u", bench->with.options.rounds);
}

/* ----------------------------------------------------------------- Run */

static void
open_all (struct bench *bench)
{
  const struct gt_bench_options *options = &bench->with.options;

  if (wants (bench, GPU_TABLES)
      && gt_bench_gpu_open (&bench->with.gpu, options, &bench->no_gpu))
    bench->with.gpu.gpu = NULL;
}

static int
report_bars (const struct bench *bench)
{
  if (bench->format == GT_FORMAT_MARKDOWN)
    puts ("### bars\n");
  for (unsigned i = 0; i < bench->n_sheets; i++)
    gt_bars_print (&bench->sheet[i]);
  return gt_finish_stdout ();
}

static int
report_json (const struct bench *bench, const struct facts *facts)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < bench->n_sheets; i++)
    json_array_append_new (list, gt_sheet_json (&bench->sheet[i]));
  return gt_print_json (json_pack ("{s:o, s:o}", "machine",
                                   gt_facts_json (facts->fact, facts->n),
                                   "tables", list));
}

static int
run (struct bench *bench)
{
  struct facts facts;

  gather_facts (&facts, bench);
  if (bench->format != GT_FORMAT_JSON)
    gt_facts_print (facts.fact, facts.n, bench->format);
  for (unsigned i = 0; i < N_SHEETS; i++)
    if (run_sheet (bench, i))
      return GT_EXIT_FAILED;
  if (bench->format == GT_FORMAT_JSON)
    return report_json (bench, &facts);
  return report_bars (bench);
}

/* Problems drawn at random, behind the same header.  */
static int
run_random (struct bench *bench)
{
  struct facts facts;

  bench->tables = 0;
  bench->random.as_json = bench->format == GT_FORMAT_JSON;
  gather_facts (&facts, bench);
  if (!bench->random.as_json && !bench->random.draws)
    gt_facts_print (facts.fact, facts.n, bench->format);
  return gt_random_bench (&bench->random, gt_facts_json (facts.fact, facts.n));
}

/* ------------------------------------------------------------- Options */

static const char help[]
  = "Usage: bench [OPTION]...\n"
    "Measures gsltune beside GSL, CUB, cuBLAS and BLAS libraries in turn, and holds the\n"
    "ratios to their bars.\n\n"
    "  --table LIST      separated by commas, default all, of device, exact, streams\n"
    "                    (these on a GPU), run, systems\n"
    "  --max-exponent K  vectors of up to 2^K elements, 10 to 30 (default 28)\n"
    "  --rounds R        timings of each contender, 1 to 1000 (default 11)\n"
    "  --markdown        print tables as Markdown\n"
    "  --json            print one JSON object\n"
    "  --random COUNT    instead of tables: measure problems that are drawn at random beside\n"
    "                    each peer that has them, 1 to 100000\n"
    "  --seed S          of the random problems (default 1)\n"
    "  --first N         begin with problem N of the seed (default 0)\n"
    "  --only REGEX      only problems whose description matches the extended regular\n"
    "                    expression, such as dgemm or 'stats.* n = [0-9]{1,3},'\n"
    "  --draw            print the random problems, measure nothing\n"
    "  --check           a problem that takes more than its allowed time is a failure\n"
    "  --help            print this text\n\n"
    "Exit status: 0 done, 1 failed or a wrong result, 2 wrong usage.\n";

enum
{
  OPT_TABLE = 1,
  OPT_MAX_EXPONENT,
  OPT_ROUNDS,
  OPT_MARKDOWN,
  OPT_JSON,
  OPT_RANDOM,
  OPT_SEED,
  OPT_FIRST,
  OPT_ONLY,
  OPT_DRAW,
  OPT_CHECK,
  OPT_HELP
};

static const struct option long_options[] = {
  {"table", required_argument, 0, OPT_TABLE},
  {"max-exponent", required_argument, 0, OPT_MAX_EXPONENT},
  {"rounds", required_argument, 0, OPT_ROUNDS},
  {"markdown", no_argument, 0, OPT_MARKDOWN},
  {"json", no_argument, 0, OPT_JSON},
  {"random", required_argument, 0, OPT_RANDOM},
  {"seed", required_argument, 0, OPT_SEED},
  {"first", required_argument, 0, OPT_FIRST},
  {"only", required_argument, 0, OPT_ONLY},
  {"draw", no_argument, 0, OPT_DRAW},
  {"check", no_argument, 0, OPT_CHECK},
  {"help", no_argument, 0, OPT_HELP},
  {0, 0, 0, 0},
};

static unsigned
parse_tables (char *list)
{
  unsigned tables = 0;

  for (char *word = strtok (list, ","); word; word = strtok (NULL, ","))
    {
      unsigned t = 0;

      while (t < N_TABLES && strcmp (word, table_names[t]) != 0)
        t++;
      if (t == N_TABLES)
        gt_usage ("--table: unknown table '%s': see bench --help",
                  gt_quote_word (word));
      tables |= 1u << t;
    }
  if (tables == 0)
    gt_usage ("--table: no table named: see bench --help");
  return tables;
}

static void
parse (int argc, char **argv, struct bench *bench)
{
  struct gt_bench_options *options = &bench->with.options;
  struct gt_random_options *random = &bench->random;
  int option;

  random->seed = 1;
  *options = (struct gt_bench_options) {28, 11};
  bench->tables = (1u << N_TABLES) - 1;
  while ((option = getopt_long (argc, argv, "", long_options, NULL)) != -1)
    switch (option)
      {
      case OPT_TABLE:
        bench->tables = parse_tables (optarg);
        break;
      case OPT_MAX_EXPONENT:
        options->max_exponent
          = (unsigned) gt_parse_count ("--max-exponent", optarg, 10, 30);
        break;
      case OPT_ROUNDS:
        options->rounds = (unsigned) gt_parse_count (
          "--rounds", optarg, 1, GT_BENCH_ROUNDS);
        break;
      case OPT_MARKDOWN:
        bench->format = GT_FORMAT_MARKDOWN;
        break;
      case OPT_JSON:
        bench->format = GT_FORMAT_JSON;
        break;
      case OPT_RANDOM:
        random->count = (unsigned) gt_parse_count ("--random", optarg, 1, 100000);
        break;
      case OPT_SEED:
        random->seed = gt_parse_count ("--seed", optarg, 0, INT64_MAX);
        break;
      case OPT_FIRST:
        random->first = (unsigned) gt_parse_count ("--first", optarg, 0, INT32_MAX);
        break;
      case OPT_ONLY:
        random->only = optarg;
        break;
      case OPT_DRAW:
        random->draws = 1;
        break;
      case OPT_CHECK:
        random->checks = 1;
        break;
      case OPT_HELP:
        fputs (help, stdout);
        exit (gt_finish_stdout ());
      default:
        fputs (help, stderr);
        exit (GT_EXIT_USAGE);
      }
  if (optind < argc)
    gt_usage ("bench takes options alone: see bench --help");
}

int
main (int argc, char **argv)
{
  static struct bench bench;
  int status;

  gsl_set_error_handler_off ();
  if (argc == 2 && strcmp (argv[1], GT_RANDOM_SERVES) == 0)
    return gt_random_serve ();
  parse (argc, argv, &bench);
  if (bench.random.count)
    return run_random (&bench);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  open_all (&bench);
  status = run (&bench);
  gt_bench_gpu_close (&bench.with.gpu);
  return status;
}
