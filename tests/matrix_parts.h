/* The parts of the driver's matrix (faults_matrix.c): what a process does while calls
   of the driver fail.  A part has variants: element types, modes, lengths, functions.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_MATRIX_PARTS_H
#define GT_TEST_MATRIX_PARTS_H

#include <cuda.h>

#include "kernels/cpu/finish/finish.h"
#include "tests/faulty_work.h"
#include "tests/subjects.h"

/* The findings of a process, in memory that it shares with its parent.  */
struct found
{
  struct softgpu_report report;
  unsigned answers, refusals;
};
static struct found *found;

struct variant
{
  unsigned number;
  enum gt_element_type type;
  size_t n;
  const struct subjects_of_type *subjects;
};

static struct variant
variant_of (unsigned number)
{
  static const enum gt_element_type types[] = {
#define X(id, name, infix, ctype, arithmetic) GT_TYPE_##id,
    GT_GPU_ELEMENT_TYPES (X)
#undef X
  };
  static const size_t lengths[] = {60, 700, 3000, 9001};
  const enum gt_element_type type
    = types[number % (sizeof types / sizeof *types)];

  return (struct variant) {
    number, type, lengths[number / 3 % (sizeof lengths / sizeof *lengths)],
    &subjects_of_types[type]
  };
}

/* Asks COUNT functions of a domain, in modes that take turns.  */
static void
ask_some (const struct variant *v, enum domain domain, struct operands *o, unsigned count)
{
  const struct subject *const all = v->subjects->subject;
  const size_t n = v->subjects->count;
  size_t k = (size_t) v->number * 31 % n;

  for (unsigned i = 0; i < count; k = (k + 1) % n)
    if (all[k].domain == domain)
      {
        enum outcome outcome;

        gsltune_set_mode ((gsltune_mode) ((v->number + i) % GT_N_MODES));
        outcome = try_subject (&all[k], v->type, o);
        CHECK (outcome != WRONG);
        found->answers += outcome == RIGHT;
        found->refusals += outcome == REFUSED;
        i++;
        k += 6; /* functions that follow each other are much alike */
      }
}

/* The elements of a variant on the host.  */
static struct operands
elements_of (const struct variant *v, size_t x_stride, size_t y_stride)
{
  struct operands o = {.n = v->n, .x_stride = x_stride, .y_stride = y_stride};
  void *x = malloc (v->n * x_stride * v->subjects->size);
  void *y = malloc (v->n * y_stride * v->subjects->size);

  CHECK (x && y);
  v->subjects->fill (x, v->n, x_stride, 0, v->number);
  v->subjects->fill (y, v->n, y_stride, 1, v->number + 1);
  o.hx = o.x = x;
  o.hy = o.y = y;
  return o;
}

static void
free_elements (struct operands *o)
{
  free ((void *) o->hx);
  free ((void *) o->hy);
}

static void
host_part (const struct variant *v)
{
  struct operands o = elements_of (v, 1, 1);

  ask_some (v, ON_HOST, &o, 8);
  free_elements (&o);
}

/* The memory that the driver still has, since it could not be unpinned.  Nobody reads it, but
   the search for leaks has to find it here.  */
static const void *volatile kept[2];

/* Pinned memory of the library's, then the program's own, pinned.  */
static void
pinned_part (const struct variant *v)
{
  const size_t bytes = v->n * v->subjects->size, doubles = bytes / 8 + 1;
  struct operands o = elements_of (v, 1, 1);
  gsl_vector *x = gsltune_vector_alloc (doubles);
  gsl_vector *y = gsltune_vector_alloc (doubles);
  gsl_vector own = {bytes / 8, 1, (double *) o.hx, NULL, 0};
  int status;

  CHECK (x && y);
  o.x = memcpy (x->data, o.hx, bytes);
  o.y = memcpy (y->data, o.hy, bytes);
  ask_some (v, ON_HOST, &o, 5);
  gsltune_vector_free (x);
  gsltune_vector_free (y);
  o.x = o.hx;
  o.y = o.hy;
  status = gsltune_vector_pin (&own);
  CHECK (status == GSL_SUCCESS || status == GSL_EFAILED);
  ask_some (v, ON_HOST, &o, 3);
  status = gsltune_vector_unpin (&own);
  CHECK (status == GSL_SUCCESS || status == GSL_EFAILED);
  if (status == GSL_SUCCESS)
    free_elements (&o);
  else
    {
      kept[0] = o.hx;
      kept[1] = o.hy;
    }
}

static void
managed_part (const struct variant *v)
{
  const size_t bytes = v->n * v->subjects->size;
  struct operands o = elements_of (v, 1, 1);
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *memory = NULL;

  if (gpu && gt_gpus->alloc (gpu, GT_PLACE_MANAGED, 2 * bytes, &memory) == 0)
    {
      o.x = memcpy (memory, o.hx, bytes);
      o.y = memcpy ((char *) memory + bytes, o.hy, bytes);
    }
  else
    memory = NULL;
  ask_some (v, ON_HOST, &o, 8);
  if (memory)
    gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free_elements (&o);
}

static struct gsltune_device_memory *
on_gpu (const struct variant *v, int gpu, const void *elements, size_t stride)
{
  struct gsltune_device_memory *vector = v->subjects->alloc (v->n, gpu);

  CHECK (vector && v->subjects->set (vector, elements, stride) == GSL_SUCCESS);
  return vector;
}

static void
device_part (const struct variant *v)
{
  struct operands o = elements_of (v, 1, 2);

  gsl_set_error_handler (note_error);
  handler_calls = 0;
  o.vx = on_gpu (v, -1, o.hx, o.x_stride);
  o.vy = on_gpu (v, -1, o.hy, o.y_stride);
  ask_some (v, ON_DEVICE, &o, 7);
  /* Set again, whatever has become of the GPU.  */
  handler_calls = 0;
  CHECK (v->subjects->set (o.vx, o.hx, o.x_stride) == GSL_SUCCESS);
  CHECK (v->subjects->set (o.vy, o.hy, o.y_stride) == GSL_SUCCESS);
  CHECK (handler_calls == 0);
  ask_some (v, ON_DEVICE, &o, 2);
  v->subjects->free (o.vx);
  v->subjects->free (o.vy);
  free_elements (&o);
}

/* A view of every other element that a vector has.  Returns whether there is one.  */
static int
view_of (const struct variant *v, struct gsltune_device_memory *all,
         size_t stride, struct gsltune_device_memory *view)
{
  const int reported
    = v->subjects->view (all->data, stride, v->n, view);

  if (reported == 0)
    return 1;
  CHECK (reported == 1 && view->n == 0);
  CHECK (handler_code == GSL_EINVAL || handler_code == GSL_EFAILED);
  found->refusals++;
  return 0;
}

static void
view_part (const struct variant *v)
{
  const struct variant whole = {v->number, v->type, 2 * v->n, v->subjects};
  struct operands o = elements_of (v, 2, 2);
  struct gsltune_device_memory *x, *y, vx, vy;
  void *const streams[] = {NULL, (void *) CU_STREAM_PER_THREAD};

  gsl_set_error_handler (note_error);
  handler_calls = 0;
  x = on_gpu (&whole, -1, o.hx, 1);
  y = on_gpu (&whole, -1, o.hy, 1);
  o.stream = streams[v->number % 2];
  if (x->gpu && y->gpu && view_of (v, x, 2, &vx) && view_of (v, y, 2, &vy))
    {
      gsltune_device_vector_set_stream ((void *) &vx, o.stream);
      o.vx = &vx;
      o.vy = &vy;
      ask_some (v, RAW, &o, 2);
      ask_some (v, ON_DEVICE, &o, 5);
      ask_some (v, RAW, &o, 1);
    }
  v->subjects->free (x);
  v->subjects->free (y);
  free_elements (&o);
}

/* Vectors on two GPUs, or on the host when one of them fails.  */
static void
two_part (const struct variant *v)
{
  struct operands o = elements_of (v, 1, 1);
  const int gpus = gsltune_gpu_count ();

  gsl_set_error_handler (note_error);
  handler_calls = 0;
  o.vx = on_gpu (v, 0, o.hx, 1);
  o.vy = on_gpu (v, gpus > 1, o.hy, 1);
  for (int i = 0; i < 3; i++)
    {
      static const char *const names[]
        = {"device_sum_all", "covariance", "device_moments", "dot", "correlation"};

      for (size_t k = 0; k < v->subjects->count; k++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
          if (v->subjects->subject[k].domain == ON_DEVICE
              && strcmp (v->subjects->subject[k].name, names[j]) == 0)
            {
              enum outcome outcome;

              gsltune_set_mode ((gsltune_mode) i);
              outcome = try_subject (&v->subjects->subject[k], v->type, &o);
              CHECK (outcome != WRONG);
              found->answers += outcome == RIGHT;
              found->refusals += outcome == REFUSED;
            }
    }
  v->subjects->free (o.vx);
  v->subjects->free (o.vy);
  free_elements (&o);
}

/* The problems of routes.  Of the products x and y are the halves.  */
static const enum gt_reduction routed_reductions[]
  = {GT_SUM, GT_ASUM, GT_MAX, GT_DOT};
#define N_ROUTED_REDUCTIONS \
  (sizeof routed_reductions / sizeof *routed_reductions)

static double
expected_of (enum gt_reduction reduction, const double *x)
{
  double result = 0;

  for (size_t i = 0; i < N_ROUTED; i++)
    if (reduction == GT_ASUM)
      result += fabs (x[i]);
    else if (reduction == GT_MAX)
      result = x[i] > result ? x[i] : result;
    else if (i < N_ROUTED / 2)
      result += x[i] * x[i + N_ROUTED / 2];
  return result;
}

static double
finished (const struct gt_task *task, const union gt_value *value)
{
  if (task->problem.reduction != GT_DOT)
    return value->f64[0];
  if (task->problem.mode == GT_MODE_EXACT)
    return gt_finish_product (&value->exact.product, 0).f64;
  return value->sums.s[0]
         + (task->problem.mode == GT_MODE_COMPENSATED ? value->sums.c[0] : 0);
}

/* As use_place, of another reduction than the sum.  */
static void
reduce_place (enum gt_reduction reduction, enum gt_place place, enum gt_mode mode, double *x)
{
  const unsigned gpus = (unsigned) gt_gpu_count (NULL);
  const enum gt_mode known = gt_mode_for (reduction, GT_F64, mode);
  struct gt_task task = gt_task_of (reduction, GT_F64, known, x, N_ROUTED, 1);
  union gt_value value;

  if (reduction == GT_DOT)
    task = gt_task_of_pair (reduction, GT_F64, known, task.x,
                            (struct gt_operand) {x + N_ROUTED / 2, 1}, N_ROUTED / 2);
  for (size_t i = 0; i < N_ROUTED; i++)
    x[i] = (double) (i * 7919 % 97) - 43;
  for (size_t r = 0; r < N_ROUTES; r++)
    for (unsigned n = 1; n <= gpus && routes[r].place == place; n++)
      {
        asked++;
        if (reduce_by (&routes[r], n, &task, &value))
          not_taken++;
        else
          CHECK (finished (&task, &value) == expected_of (reduction, x));
      }
}

/* Every way of one place, in one mode; by one GPU and by two, alone and with the CPU.  */
static void
go_ways (const struct variant *v, enum gt_place place, double *x)
{
  const enum gt_mode mode = gt_mode_of_vectors ((enum gt_mode) (v->number % GT_N_MODES));
  const enum gt_reduction reduction
    = routed_reductions[v->number / (3 * GT_N_MODES) % N_ROUTED_REDUCTIONS];

  if (reduction == GT_SUM)
    use_place (place, mode, x);
  else
    reduce_place (reduction, place, mode, x);
}

static void
route_part (const struct variant *v)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *managed = NULL;

  switch (v->number / GT_N_MODES % 3)
    {
    case 0:
      go_ways (v, GT_PLACE_HOST, pageable_data);
      break;
    case 1:
      if (gpu && !gt_gpus->pin (gpu, pinned_data, sizeof pinned_data))
        {
          go_ways (v, GT_PLACE_PINNED, pinned_data);
          gt_gpus->unpin (gpu, pinned_data);
        }
      break;
    default:
      if (gpu && !gt_gpus->alloc (gpu, GT_PLACE_MANAGED, sizeof pinned_data, &managed))
        {
          go_ways (v, GT_PLACE_MANAGED, managed);
          gt_gpus->free (gpu, GT_PLACE_DEVICE, managed);
        }
    }
  found->answers += asked - not_taken;
  found->refusals += not_taken;
}

/* The tuner's measurements and the ladder's: an error is an answer.  */
static void
tuner_part (const struct variant *v)
{
  (void) v;
  tuner ();
  found->answers++;
}

/* -------------------------------------------------------------------- The table */

struct part
{
  const char *name;
  const char *devices[2]; /* of tests/devices */
  unsigned variants;
  int keeps; /* nothing of it is lost while the context lives */
  void (*run) (const struct variant *v);
};

#define H200 {"h200", NULL}

static const struct part parts[] = {
  {"host", H200, 90, 1, host_part},
  {"pageable", {"gb10", NULL}, 90, 1, host_part},
  {"pinned", H200, 90, 1, pinned_part},
  {"managed", H200, 90, 1, managed_part},
  {"device", H200, 90, 1, device_part},
  {"mig", {"h200-mig-3g", NULL}, 90, 1, device_part},
  {"views", H200, 90, 0, view_part},
  {"two", {"h200", "v100"}, 10, 0, two_part},
  {"routes", {"h200", "a100"}, 9 * N_ROUTED_REDUCTIONS, 0, route_part},
  {"tuner", H200, 1, 0, tuner_part},
};
#define N_PARTS (sizeof parts / sizeof *parts)

#endif
