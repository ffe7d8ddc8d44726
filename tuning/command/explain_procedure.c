/* Explains how a call of a procedure would be computed, and why.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/explain_procedure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/matrix/ways.h"
#include "src/preload/taken.h"
#include "tuning/command/commands.h"
#include "tuning/measure/procedures.h"
#include "tuning/report/report.h"
#include "tuning/search/libraries.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

struct answer
{
  enum gt_blas_id id;
  enum gt_turn turn;
  struct gt_product_size size;
  enum gt_product_shape shape;
  char kind[GT_STEP_KIND_SIZE];   /* of the call */
  char measured[GT_STEP_KIND_SIZE]; /* as which it is measured */
  const struct gt_step *steps, *step; /* null: estimated */
  unsigned n;
  struct gt_blas_way way;
  const char *why;
  const char *core; /* for which `gsltune run' has OpenBLAS compute, or null */
};

const struct gt_profile *
gt_explain_findings (const struct gt_step *steps)
{
  return gt_report_findings (gt_device_host (),
                             gt_plans_profile_of (gt_host_plans (), steps));
}

static enum gt_blas_id
id_called (const char *name)
{
  const char *const prefixes[] = {"gsl_", "gsltune_", "blas_"};
  const char *rest = name;
  int id = 0;

  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (rest, prefixes[i], strlen (prefixes[i])) == 0)
      rest += strlen (prefixes[i]);
  while (id < GT_N_BLAS && strcmp (gt_blas_names[id], rest) != 0)
    id++;
  if (id == GT_N_BLAS)
    gt_usage ("explain: --function: gsltune does not serve '%s': give a function of GSL that it"
              " serves, such as gsl_stats_mean, gsl_blas_dgemm or gsl_sort", name);
  return (enum gt_blas_id) id;
}

/* The letter of matrix WHICH in the question.  */
static int
is_turned (const struct gt_procedure_question *q, size_t which)
{
  const char *letters = q->trans ? q->trans : "";
  const char letter = strlen (letters) > which ? letters[which] : 'N';

  if (letter != 'N' && letter != 'T' && letter != 'C')
    gt_usage ("explain: --trans is '%s': give N, T or C for each matrix, e.g. NT", q->trans);
  return letter != 'N';
}

static void
find_kind (const struct gt_procedure_question *q, struct answer *answer)
{
  const uint64_t m = q->m ? q->m : q->n, k = q->k ? q->k : q->n;
  const char *name = gt_blas_names[answer->id] + 1;
  const int of_two = strcmp (name, "gemm") == 0;
  const int product = of_two || strchr (name, 'k') != NULL;
  const int sided = !product && (strstr (name, "mm") || strstr (name, "sm"));
  const int turned = is_turned (q, 0);

  answer->turn = (enum gt_turn) turned;
  answer->size = (struct gt_product_size) {q->n, q->n, 1};
  if (of_two)
    {
      answer->turn = (enum gt_turn) (2 * turned + is_turned (q, 1));
      answer->size = (struct gt_product_size) {m, q->n, k};
    }
  else if (product)
    answer->size.k = k;
  else if (sided)
    {
      answer->turn = (enum gt_turn) (name[0] == 't' ? 2 * q->right + turned : q->right);
      answer->size = (struct gt_product_size) {m, q->n, q->right ? q->n : m};
    }
  else if (name[0] == 'g')
    answer->size.m = m;
  if (!gt_blas_has_kind (answer->id, answer->turn, GT_SQUARE))
    answer->turn = GT_TURN_N;
  answer->shape = gt_product_shape (answer->id, &answer->size);
  gt_blas_kind_text (answer->id, answer->turn, answer->shape, answer->kind);
  gt_blas_kind_text (gt_blas_leader (answer->id), answer->turn, answer->shape,
                     answer->measured);
}

static const char *
why_estimated (const struct answer *answer)
{
  if (!gt_blas_has_choice (answer->id))
    return "there is no BLAS but GSL's: Debian's package libopenblas0 has one";
  if (answer->n)
    return "estimated: what was measured names a library that is not there, or of another"
           " version: `gsltune tune' measures anew";
  return "estimated: no profile of this machine has this kind: `gsltune tune' measures it";
}

static int
is_fast (const struct gt_procedure_question *q)
{
  return gt_mode_has_fast_products ((enum gt_mode) q->mode);
}

static void
find_answer (const struct gt_procedure_question *q, struct answer *answer)
{
  const struct gt_blas_way own = {NULL, 1, GT_OWN_ENGINE};

  answer->core = gt_libraries_set_core ();
  find_kind (q, answer);
  answer->way = own;
  if (q->mode == GT_OWN_GSL)
    {
      answer->why = "GSLTUNE_MODE leaves it to GSL";
      return;
    }
  if (!is_fast (q))
    {
      answer->why = "each element is rounded once, which no BLAS of the system does";
      return;
    }
  gt_set_mode (GT_MODE_FAST);
  gt_blas_prepare ();
  answer->way = gt_blas_way_slowly (answer->id, answer->turn, &answer->size, NULL);
  answer->steps = gt_host_steps (answer->measured, &answer->n);
  if (answer->n && gt_is_measured (&gt_products, answer->id,
                                   GT_PRODUCT_KIND (answer->turn, answer->shape)))
    {
      answer->step
        = gt_step_at (answer->steps, answer->n, gt_product_work (&answer->size));
      answer->why = "measured: the quickest of its kind at this size";
    }
  else
    answer->why = why_estimated (answer);
}

static void
way_text (const struct gt_procedure_question *q, const struct answer *answer, char *text,
          size_t size)
{
  const struct gt_engine *engine = &gt_engines ()->engine[answer->way.engine];

  if (!is_fast (q) && q->mode != GT_OWN_GSL)
    snprintf (text, size, "gsltune's exact products");
  else
    snprintf (text, size, "%s, %u thread%s",
              answer->way.engine == GT_OWN_ENGINE     ? "GSL's function"
              : answer->way.engine == GT_TILES_ENGINE ? "gsltune's tiles" : engine->name,
              answer->way.threads, answer->way.threads > 1 ? "s" : "");
}

/* `gsltune run' takes the function in Q's mode from so many multiplications on.  */
static uint32_t
taken_from (const struct gt_procedure_question *q, const struct answer *answer)
{
  uint32_t from[GT_N_TAKEN];

  gt_taken_choose (getenv ("GSLTUNE_PRELOAD"), gt_taken_mode_names[q->mode], from);
  return from[gt_procedure_of (answer->id)];
}

/* Tells how the call is served in a program under `gsltune run'.  */
static void
print_run (const struct gt_procedure_question *q, const struct answer *answer)
{
  const uint32_t from = taken_from (q, answer);

  if (from == GT_TAKEN_SLOWER)
    printf ("  run      leaves it to GSL, which may be faster; taken by --exact-all, --only %s"
            " or --mode %s=exact\n",
            gt_blas_names[answer->id], gt_blas_names[answer->id]);
  else if (from == GT_TAKEN_NEVER)
    puts ("  run      leaves it to GSL, as GSLTUNE_PRELOAD says");
  else if (from == 0)
    puts ("  run      takes it at every size");
  else
    printf ("  run      takes it from %s multiplications on%s\n", gt_format_count (from),
            gt_product_work (&answer->size) < from ? ": this is GSL's" : "");
}

/* Where the mode is another one.  */
static void
print_fast (const struct gt_procedure_question *q)
{
  struct gt_procedure_question fast = *q;
  struct answer answer = {.id = id_called (q->function)};
  char text[96];

  fast.mode = GT_MODE_FAST;
  find_answer (&fast, &answer);
  way_text (&fast, &answer, text, sizeof text);
  printf ("  fast     %s: --mode fast tells more\n", text);
}

/* Tells why each of the other engines does not compute this.  */
static void
print_others (const struct answer *answer)
{
  const struct gt_engines *engines = gt_engines ();
  char loss[GT_LOSS_SIZE];

  for (unsigned e = GT_OWN_ENGINE; e <= GT_TILES_ENGINE; e++)
    {
      const char *name = e == GT_OWN_ENGINE ? GT_STEP_GSL : engines->engine[e].name;
      const struct gt_step *serves = NULL;

      if (e == answer->way.engine
          || (e == GT_TILES_ENGINE ? !gt_blas_has_tiles (answer->id) : e >= engines->n))
        continue;
      for (unsigned k = 0; k < answer->n && serves == NULL; k++)
        if (strcmp (answer->steps[k].way, name) == 0)
          serves = &answer->steps[k];
      printf ("  not      %s: ", e == GT_OWN_ENGINE     ? "GSL's function"
                                  : e == GT_TILES_ENGINE ? "gsltune's tiles" : name);
      if (answer->step == NULL)
        puts ("not measured");
      else if (serves)
        printf ("quickest from %s on, not here\n", gt_format_count (serves->from));
      else
        puts ("not the quickest, or not by enough, at any size that was measured");
    }
  for (unsigned e = GT_OWN_ENGINE + 1; e < engines->n; e++)
    if (gt_engine_loss (&engines->engine[e], loss))
      printf ("  slower   %s\n", loss);
  if (engines->passed_over)
    printf ("  not      %s: %s\n", engines->passed_over, engines->why);
}

static void
print_answer (const struct gt_procedure_question *q, const struct answer *answer)
{
  const uint64_t work = gt_product_work (&answer->size);
  char text[96];

  way_text (q, answer, text, sizeof text);
  printf ("%s of %zu x %zu", answer->kind, answer->size.m, answer->size.n);
  if (answer->size.k != 1)
    printf (" x %zu", answer->size.k);
  printf (", %s multiplications, mode %s\n\n", gt_format_count (work),
          gt_taken_mode_names[q->mode]);
  printf ("  by       %s\n  because  %s\n", text, answer->why);
  if (strcmp (answer->kind, answer->measured) != 0)
    printf ("  as       %s, which is measured for it\n", answer->measured);
  if (is_fast (q))
    print_others (answer);
  if (q->mode != GT_OWN_GSL)
    print_run (q, answer);
  if (answer->core)
    printf ("  sets     " GT_CORE_VARIABLE "=%s, which `gsltune run' does, too\n", answer->core);
  if (q->mode != GT_OWN_GSL && !is_fast (q))
    print_fast (q);
  if (answer->n)
    {
      printf ("\nMeasured for %s, by multiplications:\n", answer->measured);
      gt_report_sequence (gt_explain_findings (answer->steps), answer->measured, work);
    }
}

static json_t *
answer_json (const struct gt_procedure_question *q, const struct answer *answer)
{
  const struct gt_engine *engine = &gt_engines ()->engine[answer->way.engine];

  return json_pack (
    "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:i, s:b, s:s, s:o}", "function",
    gt_blas_names[answer->id], "kind", answer->kind, "measured_as", answer->measured, "m",
    (json_int_t) answer->size.m, "n", (json_int_t) answer->size.n, "k",
    (json_int_t) answer->size.k, "multiplications",
    (json_int_t) gt_product_work (&answer->size), "mode", gt_taken_mode_names[q->mode], "way",
    is_fast (q) || q->mode == GT_OWN_GSL ? engine->name : GT_STEP_OWN, "threads",
    (int) answer->way.threads, "measured", answer->step != NULL, "why", answer->why, "steps",
    gt_report_steps_json (gt_device_host (), gt_explain_findings (answer->steps), NULL,
                          answer->measured));
}

/* The mode that GSLTUNE_MODE gives the function.  */
static int
mode_of (enum gt_blas_id id)
{
  unsigned char own_mode[GT_N_TAKEN];
  const enum gt_taken_id taken = gt_procedure_of (id);

  gt_taken_modes (getenv ("GSLTUNE_MODE"), own_mode);
  return own_mode[taken] == GT_OWN_NONE ? (int) gsltune_get_mode () : own_mode[taken];
}

int
gt_explain_procedure (const struct gt_procedure_question *question)
{
  struct answer answer = {.id = id_called (question->function)};
  struct gt_procedure_question q = *question;

  if (q.mode < 0)
    q.mode = mode_of (answer.id);
  find_answer (&q, &answer);
  if (q.json)
    return gt_print_json (answer_json (&q, &answer));
  print_answer (&q, &answer);
  return GT_EXIT_OK;
}
