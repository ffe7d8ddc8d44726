/* Results of device vectors that are stored in device memory, and scratch memory for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/streams/streams.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/plan/plan.h"

/* ---------------------------------------------------------- Scratch memory */

size_t
gsltune_scratch_size (int gpu)
{
  struct gt_open_gpu *open
    = gpu >= 0 && gpu < gsltune_gpu_count () ? gt_gpu_open (gpu, NULL) : NULL;

  return open ? gt_gpus->keep_bytes (open) : 0;
}

/* Returns MEMORY on GPU as scratch memory, and enqueues clearing it in STREAM.  Returns null
   if that fails.  */
static gsltune_scratch *
scratch_of (struct gt_open_gpu *gpu, void *memory, int view, void *stream)
{
  gsltune_scratch *const scratch = malloc (sizeof *scratch);

  if (scratch == NULL)
    return NULL;
  *scratch = (gsltune_scratch) {gpu, memory, view};
  if (gpu == NULL
      || gt_gpus->clear (gpu, memory, gt_gpus->keep_bytes (gpu), stream) == 0)
    return scratch;
  free (scratch);
  return NULL;
}

gsltune_scratch *
gsltune_scratch_alloc (int gpu)
{
  const int count = gsltune_gpu_count ();
  struct gt_open_gpu *open;
  gsltune_scratch *scratch = NULL;
  void *memory;

  if (gpu < 0 || (count > 0 && gpu >= count))
    return NULL;
  open = count > 0 ? gt_gpu_open (gpu, NULL) : NULL;
  if (open == NULL)
    return scratch_of (NULL, NULL, 0, NULL);
  if (gt_gpus->alloc (open, GT_PLACE_DEVICE, gt_gpus->keep_bytes (open), &memory))
    return NULL;
  /* The memory must be zero before any stream uses it.  */
  scratch = scratch_of (open, memory, 0, GT_DEFAULT_STREAM);
  if (scratch && gt_gpus->synchronize (open, GT_DEFAULT_STREAM) == 0)
    return scratch;
  free (scratch);
  gt_gpus->free (open, GT_PLACE_DEVICE, memory);
  return NULL;
}

gsltune_scratch *
gsltune_scratch_view (void *address, size_t bytes, void *stream)
{
  const int gpu = gt_in_child () ? -1 : gt_gpus->index_of_address (address);
  struct gt_open_gpu *open = gpu < 0 ? NULL : gt_gpu_open (gpu, NULL);

  if (open == NULL || bytes < gt_gpus->keep_bytes (open)
      || (uintptr_t) address % GT_INPUT_ALIGNMENT != 0)
    return NULL;
  return scratch_of (open, address, 1, stream ? stream : GT_DEFAULT_STREAM);
}

void
gsltune_scratch_free (gsltune_scratch *scratch)
{
  if (scratch == NULL)
    return;
  if (scratch->gpu && !scratch->view)
    gt_gpus->free (scratch->gpu, GT_PLACE_DEVICE, scratch->memory);
  free (scratch);
}

/* ----------------------------------------------------------------- Results */

/* The parts of exact sums of complex vectors: sums of both parts, and of products.  */
static const struct gt_keeping_part of_both[] = {{0, 0, 0, GT_PART_ADDED}, {1, 1, 0, GT_PART_LAST}},
  of_products[2][4] = {
    {{1, 1, 0, GT_PART_NEGATED}, {0, 0, 0, GT_PART_LAST},
     {0, 1, 1, GT_PART_ADDED}, {1, 0, 1, GT_PART_LAST}},
    {{1, 1, 0, GT_PART_ADDED}, {0, 0, 0, GT_PART_LAST},
     {1, 0, 1, GT_PART_NEGATED}, {0, 1, 1, GT_PART_LAST}}
};

/* Sets the task for complex vectors, in MODE or in exact mode.  Contiguous complex numbers are
   treated as a real vector of twice the length.  */
static void
take_complex (const struct gt_stream_function *f, const struct gt_stream_call *call, enum gt_mode mode,
              struct gt_keeping *keeping)
{
  const int multiplies = f->reduction == GT_CDOT, conjugates = f->result == GT_RESULT_CONJUGATE;
  const int whole = f->reduction == GT_AMAX || (multiplies && mode == GT_MODE_FAST);
  const int flat = !whole && !multiplies && call->x->stride == 1;
  const enum gt_arithmetic arithmetic = whole ? f->arithmetic : gt_part_arithmetic (f->arithmetic);
  const struct gt_operand x = {call->x->data, call->x->stride * (whole || flat ? 1 : 2)};
  const struct gt_operand y = {call->y->data, call->y->stride * (whole || flat ? 1 : 2)};
  const size_t n = call->x->n * (flat ? 2 : 1);

  if (!whole && !flat)
    {
      keeping->parts = multiplies ? of_products[conjugates] : of_both;
      keeping->n_parts = multiplies ? 4 : 2;
      mode = GT_MODE_EXACT;
    }
  if (!multiplies)
    {
      keeping->task = gt_task_of (f->reduction, arithmetic, gt_mode_for (f->reduction, arithmetic, mode),
                                  x.data, n, x.stride);
      return;
    }
  keeping->size = f->size / 2;
  keeping->to[1] = (char *) keeping->to[0] + keeping->size;
  keeping->task = gt_task_of_pair (whole ? GT_CDOT : GT_DOT, arithmetic, mode, x, y, n);
  keeping->task.scale = conjugates ? -1 : 1;
}

/* Sets the task.  Fast results are computed from at most one sum in double, which does not
   overflow and loses no more than the rounding of the elements would; all other results of
   reals are exact in every mode.  */
static void
take_task (const struct gt_stream_function *f, const struct gt_stream_call *call, struct gt_keeping *keeping)
{
  const int integers = gt_is_integer (f->arithmetic);
  const enum gt_mode asked
    = call->mode == GSLTUNE_MODE_PROCESS ? gt_mode_now () : gt_modes_of[call->mode].mode;
  const enum gt_reduction reduction
    = integers && f->as == GT_FINISH_MEAN ? GT_TOTAL : f->reduction;
  const enum gt_mode mode
    = asked == GT_MODE_FAST && f->as < GT_FINISH_MEAN ? GT_MODE_FAST : GT_MODE_EXACT;
  const enum gt_arithmetic arithmetic = gt_arithmetic_for (reduction, f->arithmetic);
  const struct gt_operand x = {call->x->data, call->x->stride};
  const struct gt_operand y = {call->y->data, call->y->stride};
  const enum gt_mode its_mode = gt_mode_for (reduction, arithmetic, mode);

  if (gt_is_complex (f->arithmetic))
    take_complex (f, call, mode, keeping);
  else
    keeping->task = gt_reductions[reduction].inputs == 1
                      ? gt_task_of (reduction, arithmetic, its_mode, x.data, call->x->n, x.stride)
                      : gt_task_of_pair (reduction, arithmetic, its_mode, x, y, call->x->n);
}

int
gt_stream_check (const struct gt_stream_call *call, const struct gt_open_gpu *gpu)
{
  if ((int) call->mode < GSLTUNE_MODE_PROCESS || (int) call->mode >= GT_N_CHOSEN_MODES
      || (gpu && call->scratch && call->scratch->gpu != gpu))
    return GSL_EINVAL;
  return gpu && gt_in_child () ? GSL_EFAILED : GSL_SUCCESS;
}

const struct gt_modes *
gt_stream_enter_mode (const struct gt_stream_call *call)
{
  const struct gt_modes *const before = gt_thread_modes;

  if (call->mode != GSLTUNE_MODE_PROCESS)
    gt_thread_modes = &gt_modes_of[call->mode];
  return before;
}

struct gt_keeping
gt_stream_keeping (const struct gt_stream_call *call)
{
  return (struct gt_keeping) {
    .to = {call->to[0], call->to[1]},
    .stream = call->stream ? call->stream : GT_DEFAULT_STREAM,
    .scratch = call->scratch ? call->scratch->memory : NULL
  };
}

/* Returns the power sums that a statistic of two samples, or of a sample with weights, is
   computed from.  */
static uint32_t
moments_of (const struct gt_formula *f)
{
  const uint32_t one = 1u << GT_MOMENT_1;

  if (f->form == GT_FORM_JOINT)
    return one | 1u << GT_MOMENT_2 | 1u << GT_MOMENT_Y | 1u << GT_MOMENT_YY
           | 1u << GT_MOMENT_PRODUCTS;
  return 1u << GT_MOMENT_W | 1u << GT_MOMENT_WW | ((one << f->power) - one);
}

static struct gt_powers
powers_of (const struct gt_stream_function *f, const struct gt_stream_call *call)
{
  const struct gt_formula formula = gt_formula_of (f->term);

  return (struct gt_powers) {
    .arithmetic = f->arithmetic, .n = call->x->n, .x = {call->x->data, call->x->stride},
    .y = {call->y->data, call->y->stride}, .moments = moments_of (&formula), .formula = formula
  };
}

static int
keep_powers (const struct gt_stream_function *f, const struct gt_stream_call *call)
{
  const struct gt_powers powers = powers_of (f, call);
  struct gt_keeping keeping = gt_stream_keeping (call);

  keeping.powers = &powers;
  keeping.size = f->size;
  return gt_gpus->keep (call->x->gpu, &keeping) == 0 ? GSL_SUCCESS : GSL_EFAILED;
}

static int
compute_there (const struct gt_stream_function *f, const struct gt_stream_call *call)
{
  struct gt_open_gpu *gpu = call->x->gpu;
  const struct gt_plans *plans = gt_gpu_plans (gt_gpu_index_of (gpu));
  struct gt_keeping keeping = gt_stream_keeping (call);

  if (plans == NULL)
    return GSL_ENOMEM;
  keeping.as = f->as;
  keeping.size = f->size;
  take_task (f, call, &keeping);
  keeping.plan = gt_plan_find (plans, &keeping.task.problem);
  return gt_gpus->keep (gpu, &keeping) == 0 ? GSL_SUCCESS : GSL_EFAILED;
}

int
gt_stream_compute (const struct gt_stream_function *f, const struct gt_stream_call *call)
{
  const int finds = !f->term && gt_reductions[f->reduction].algebra == GT_ALGEBRA_ORDER;
  const int status = gt_stream_check (call, call->x->gpu);
  const struct gt_modes *before;

  if (status)
    return status;
  if (call->to[0] == NULL || (finds && f->reduction == GT_MINMAX && call->to[1] == NULL))
    return GSL_EINVAL;
  if (call->x->n != call->y->n)
    return GSL_EBADLEN;
  if (call->x->n == 0 && finds && f->reduction != GT_AMAX)
    return GSL_EDOM;
  if (call->x->gpu == NULL && call->y->gpu == NULL)
    {
      before = gt_stream_enter_mode (call);
      f->compute (call);
      gt_thread_modes = before;
      return GSL_SUCCESS;
    }
  if (call->x->gpu != call->y->gpu)
    return GSL_EINVAL;
  return f->term ? keep_powers (f, call) : compute_there (f, call);
}
