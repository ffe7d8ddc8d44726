/* Explains how a product of matrices, a solve or a sort would be computed, and why.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/explain_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/blas/factors.h"
#include "src/blas/ways.h"
#include "src/plan/sort_ways.h"
#include "src/preload/taken.h"
#include "tuning/measure/procedures.h"
#include "tuning/report/report.h"
#include "tuning/search/libraries.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

/* The answer.  */
struct answer
{
  char call[96];                      /* "dgemm NT flat of 300 x 300 x 20" */
  uint64_t size;                      /* multiplications or elements; steps depend on it */
  char measured[GT_STEP_KIND_SIZE];   /* the kind under which it is measured */
  const struct gt_step *steps; /* the steps of that kind; null: none */
  unsigned n;
  int has_step;                       /* whether a step decided */
  char by[96];
  const char *because;
};

const char *
gt_bare_name (const char *name)
{
  const char *const prefixes[] = {"gsl_", "gsltune_"};

  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      return name + strlen (prefixes[i]);
  return name;
}

static const char not_measured[]
  = "estimated: no profile of this machine has this kind: `gsltune tune' measures it";
static const char other_version[]
  = "estimated: what was measured names a library that is not there, or of another version:"
    " `gsltune tune' measures anew";

static void
set_way (struct answer *answer, const char *way, unsigned threads)
{
  snprintf (answer->by, sizeof answer->by, "%s, %u thread%s", way, threads,
            threads > 1 ? "s" : "");
}

/* ------------------------------------------------------------------ Products */

static enum gt_blas_id
product_called (const char *function)
{
  const char *const name = gt_bare_name (function);
  const int id
    = gt_name_find (gt_blas_names, GT_N_BLAS, name + (strncmp (name, "blas_", 5) ? 0 : 5));

  if (id < 0)
    gt_usage ("explain: --function: gsltune does not serve '%s': give a function of GSL that it"
              " serves, such as gsl_stats_mean, gsl_blas_dgemm or gsl_sort", function);
  return (enum gt_blas_id) id;
}

/* Returns whether matrix WHICH is transposed.  */
static int
is_turned (const struct gt_call_question *q, size_t which)
{
  const char *letters = q->trans ? q->trans : "";
  const char letter = strlen (letters) > which ? letters[which] : 'N';

  if (letter != 'N' && letter != 'T' && letter != 'C')
    gt_usage ("explain: --trans is '%s': give N, T or C for each matrix, e.g. NT", q->trans);
  return letter != 'N';
}

/* Determines the sides of a product, and which matrices are transposed.  */
static enum gt_turn
find_sides (const struct gt_call_question *q, enum gt_blas_id id, struct gt_product_size *size)
{
  const uint64_t m = q->m ? q->m : q->n, k = q->k ? q->k : q->n;
  const char *name = gt_blas_names[id] + 1;
  const int of_two = strcmp (name, "gemm") == 0;
  const int product = of_two || strchr (name, 'k') != NULL;
  const int sided = !product && (strstr (name, "mm") || strstr (name, "sm"));
  const int turned = is_turned (q, 0);
  int turn = turned;

  *size = (struct gt_product_size) {q->n, q->n, product ? k : 1};
  if (of_two)
    {
      turn = 2 * turned + is_turned (q, 1);
      size->m = m;
    }
  else if (sided)
    {
      turn = name[0] == 't' ? 2 * q->right + turned : q->right;
      *size = (struct gt_product_size) {m, q->n, q->right ? q->n : m};
    }
  else if (!product && name[0] == 'g')
    size->m = m;
  return gt_blas_has_kind (id, (enum gt_turn) turn, GT_SQUARE) ? (enum gt_turn) turn : GT_TURN_N;
}

/* Determines the library and the number of threads that the fast mode chooses.  */
static void
find_library (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape,
              const struct gt_product_size *size, struct answer *answer)
{
  struct gt_blas_way way;

  gt_set_mode (GT_MODE_FAST);
  gt_blas_prepare ();
  way = gt_blas_way_slowly (id, turn, size, NULL);
  set_way (answer, way.engine == GT_OWN_ENGINE     ? "GSL's function"
                   : way.engine == GT_TILES_ENGINE ? "gsltune's tiles"
                                                   : gt_engines ()->engine[way.engine].name,
           way.threads);
  answer->steps = gt_host_steps (answer->measured, &answer->n);
  answer->has_step
    = answer->n && gt_is_measured (&gt_products, id, GT_PRODUCT_KIND (turn, shape));
  answer->because = answer->has_step ? "measured: the quickest of its kind at this size"
                    : !gt_blas_has_choice (id)
                      ? "there is no BLAS but GSL's: Debian's package libopenblas0 has one"
                    : answer->n ? other_version : not_measured;
}

static void
find_product (const struct gt_call_question *q, enum gt_blas_id id, struct answer *answer)
{
  struct gt_product_size size;
  const enum gt_turn turn = find_sides (q, id, &size);
  const enum gt_product_shape shape = gt_product_shape (id, &size);
  char kind[GT_STEP_KIND_SIZE];
  int length;

  gt_blas_kind_text (id, turn, shape, kind);
  gt_blas_kind_text (gt_blas_leader (id), turn, shape, answer->measured);
  length = snprintf (answer->call, sizeof answer->call, "%s of %zu x %zu", kind, size.m, size.n);
  if (size.k != 1)
    snprintf (answer->call + length, sizeof answer->call - (size_t) length, " x %zu", size.k);
  answer->size = gt_product_work (&size);
  if (q->mode == GT_OWN_GSL)
    {
      set_way (answer, "GSL's function", 1);
      answer->because = "GSLTUNE_MODE leaves it to GSL";
    }
  else if (gt_mode_has_fast_products ((enum gt_mode) q->mode))
    find_library (id, turn, shape, &size, answer);
  else
    {
      strcpy (answer->by, "gsltune's exact products");
      answer->because = "each element is rounded once, which no BLAS of the system does";
    }
}

/* Adds the function that a program under `gsltune run' would use.  */
static void
add_run (const struct gt_record *r, const struct gt_call_question *q, enum gt_taken_id id,
         uint64_t work)
{
  const char *const name = gt_taken[id].name;
  uint32_t from[GT_N_TAKEN], least;

  gt_taken_choose (getenv ("GSLTUNE_PRELOAD"), gt_taken_mode_names[q->mode], from);
  least = from[id];
  if (least == GT_TAKEN_SLOWER)
    gt_record_text (r, "run", "leaves it to GSL, which may be faster; taken by --exact-all,"
                    " --only %s or --mode %s=exact", name, name);
  else if (least == GT_TAKEN_SIGNS)
    gt_record_text (r, "run", "leaves it to GSL, whose signs or order may differ; taken by"
                    " --mode %s=fast", name);
  else if (least == GT_TAKEN_NEVER)
    gt_record_text (r, "run", "leaves it to GSL, as the mode or GSLTUNE_PRELOAD says");
  else
    gt_record_text (r, "run", "takes it from %s multiplications on%s%s",
                    gt_format_count (least & ~GT_TAKEN_INSIDE),
                    least & GT_TAKEN_INSIDE ? " where GSL itself calls it, as in linear fits" : "",
                    work < (least & ~GT_TAKEN_INSIDE) ? ": this is GSL's" : "");
}

static void
add_libraries (const struct gt_record *r, const char *core)
{
  const struct gt_engines *const engines = gt_engines ();
  char loss[GT_LOSS_SIZE];

  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    if (gt_engine_loss (&engines->engine[e], loss))
      gt_record_note (r, "slower", "%s", loss);
  if (core)
    gt_record_note (r, "sets", GT_CORE_VARIABLE "=%s, which `gsltune run' does, too", core);
}

/* ------------------------------------------------------------- Factorisations */

static void
find_factor (const struct gt_call_question *q, enum gt_factor_id id, struct answer *answer)
{
  const int is_fast = gt_mode_has_fast_products ((enum gt_mode) q->mode);
  const size_t rows = q->m ? q->m : q->n;
  const struct gt_engine *engine;
  int is_there = 0;

  gt_blas_prepare ();
  gt_set_mode (is_fast ? GT_MODE_FAST : GT_MODE_EXACT);
  engine = gt_factor_engine (id, rows, q->n);
  for (unsigned e = GT_OWN_ENGINE + 1; e < gt_engines ()->n; e++)
    is_there |= gt_factor_has (&gt_engines ()->engine[e], id);
  snprintf (answer->call, sizeof answer->call, "%s of %zu x %zu", gt_factor_names[id], rows,
            (size_t) q->n);
  strcpy (answer->measured, gt_factor_names[gt_factor_leader (id)]);
  answer->size = gt_factor_work (rows, q->n);
  set_way (answer, engine ? engine->name : "GSL's function", 1);
  answer->steps = gt_host_steps (answer->measured, &answer->n);
  answer->has_step = is_fast && answer->n && gt_is_measured (&gt_factors, id, 0);
  answer->because = !is_fast ? "LAPACK serves the modes auto and fast"
                    : answer->has_step ? "measured: the quickest of its kind at this size"
                    : !is_there
                      ? "there is no LAPACK that is used: Debian's package libopenblas0 has one"
                    : answer->n ? other_version : not_measured;
}

/* --------------------------------------------------------------------- Sorts */

/* For each function, the job that dominates its time.  */
static const struct
{
  const char *name; /* the same as in struct gt_taken */
  enum gt_sort_job job;
} jobs[] = {
  {"sort", GT_SORT_JOB_SORT},           {"sort_vector", GT_SORT_JOB_SORT},
  {"sort_index", GT_SORT_JOB_INDEX},    {"sort_vector_index", GT_SORT_JOB_INDEX},
  {"sort2", GT_SORT_JOB_INDEX},         {"sort_vector2", GT_SORT_JOB_INDEX},
  {"select", GT_SORT_JOB_SELECT},       {"median", GT_SORT_JOB_SELECT},
};

/* Returns the row of the function if it sorts, and its JOB; otherwise null.  */
static const struct gt_taken *
sort_called (const char *function, enum gt_sort_job *job)
{
  const char *const name = gt_bare_name (function);

  for (int id = GT_FIRST_SORT; id < GT_N_TAKEN; id++)
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs && strcmp (gt_taken[id].symbol, name) == 0;
         k++)
      if (strcmp (gt_taken[id].name, jobs[k].name) == 0)
        {
          *job = jobs[k].job;
          return &gt_taken[id];
        }
  return NULL;
}

static void
find_sort (const struct gt_taken *row, enum gt_sort_job job, uint64_t n, struct answer *answer)
{
  const enum gt_arithmetic arithmetic = gt_types[row->element].arithmetic;
  const int can_be_ours = gt_sort_can_be_ours (job, arithmetic);

  gt_sort_prepare ();
  answer->size = n;
  snprintf (answer->call, sizeof answer->call, "%s of %s elements", row->symbol,
            gt_format_count (n));
  gt_sort_kind_text (job, gt_sort_leader (job, arithmetic), answer->measured);
  if (can_be_ours)
    answer->steps = gt_host_steps (answer->measured, &answer->n);
  if (n < gt_sort_begins (job, arithmetic))
    set_way (answer, "GSL's function", 1);
  else
    set_way (answer, job == GT_SORT_JOB_SORT ? GT_STEP_VQSORT : GT_STEP_OWN,
             gt_sort_threads (job, arithmetic, n));
  answer->has_step
    = answer->n && gt_is_measured (&gt_sorts, GT_SORT_FUNCTION (job, arithmetic), 0);
  answer->because = answer->has_step ? "measured: the quickest of its kind at this length"
                    : !can_be_ours
                      ? "this build and processor have no other way for these elements"
                    : answer->n ? other_version : not_measured;
}

/* ----------------------------------------------------------------- The answer */

/* Returns the function's mode according to GSLTUNE_MODE.  */
static int
mode_of (enum gt_taken_id taken)
{
  unsigned char own_mode[GT_N_TAKEN];

  gt_taken_modes (getenv ("GSLTUNE_MODE"), own_mode);
  return own_mode[taken] == GT_OWN_NONE ? (int) gsltune_get_mode () : own_mode[taken];
}

enum { USUAL_SIDE = 300, USUAL_LENGTH = 1000000 };

int
gt_explain_call (const struct gt_call_question *question)
{
  const struct gt_record r = gt_record_new (11, question->json);
  struct gt_call_question q = *question;
  struct answer answer = {.because = NULL};
  enum gt_sort_job job;
  const struct gt_taken *const sort = sort_called (q.function, &job);
  const int factor = gt_name_find (gt_factor_names, GT_N_FACTORS, gt_bare_name (q.function));
  const int is_factor = factor >= 0;
  const enum gt_blas_id id = sort || is_factor ? GT_N_BLAS : product_called (q.function);
  const enum gt_taken_id taken
    = is_factor ? (enum gt_taken_id) (GT_FIRST_FACTOR + factor)
                : sort ? GT_N_TAKEN : gt_procedure_of (id);
  const char *core = sort ? NULL : gt_libraries_set_core ();

  if (q.n == UINT64_MAX)
    q.n = sort ? USUAL_LENGTH : USUAL_SIDE;
  if (!sort && (q.n == 0 || q.n > INT32_MAX))
    gt_usage ("explain: -n of a product is 1 to %d", INT32_MAX);
  if (!sort && q.mode < 0)
    q.mode = mode_of (taken);
  if (sort)
    find_sort (sort, job, q.n, &answer);
  else if (is_factor)
    find_factor (&q, (enum gt_factor_id) factor, &answer);
  else
    find_product (&q, id, &answer);
  gt_record_text (&r, "call", sort ? "%s" : "%s, %s multiplications, mode %s", answer.call,
                  gt_format_count (answer.size), sort ? "" : gt_taken_mode_names[q.mode]);
  gt_record_text (&r, "by", "%s", answer.by);
  gt_record_text (&r, "because", "%s", answer.because);
  gt_record_value (&r, "measured", json_boolean (answer.has_step));
  gt_record_text (&r, "measured_as", "%s", answer.measured);
  if (sort && job != GT_SORT_JOB_SELECT)
    gt_record_note (&r, "unless", "there are NaN or zeros of both signs, which GSL's function"
                    " sorts");
  if (!sort && q.mode != GT_OWN_GSL)
    add_run (&r, &q, taken, answer.size);
  if (!sort)
    add_libraries (&r, core);
  gt_explain_steps (&r, "steps", gt_host_plans (), answer.steps, answer.size);
  return r.json ? gt_print_json (r.json) : GT_EXIT_OK;
}
