/* The sides that compute a drawn problem, and their operands.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/sides.h"

#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plain.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gpu/device_memory.h"
#include "tuning/measure/clock.h"

#define MEAN 0.1
#define DEVIATION 0.6
#define LINE 64        /* bytes that operands are aligned to */
#define RESULT_SIZE 16 /* bytes of a line's result */

/* ----------------------------------------------------------------- Numbers */

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "bench/sides.inc"
#include "src/each_type.h"

static void (*const puts_of[GT_N_TYPES]) (void *to, size_t i, double value) = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = put##infix,
  GT_ELEMENT_TYPES (X)
  GT_COMPLEX_TYPES (X)
#undef X
};

/* The magnitude of a subnormal number of the type.  */
static double
subnormal (enum gt_element_type type)
{
  return gt_part_arithmetic (gt_types[type].arithmetic) == GT_F32 ? 1e-40 : 1e-310;
}

/* One of NUMBERS, which come one after the other; BEFORE is the last one.  */
static double
next_number (const struct gt_drawn *d, enum gt_numbers numbers, size_t i, uint64_t *state,
             double before)
{
  const double x = (double) (int64_t) gt_random (state) * 0x1p-63;

  switch (numbers)
    {
    case GT_ZEROS:
      return 0;
    case GT_SUBNORMALS:
      return x * subnormal (d->type);
    case GT_CANCELLING:
      return i % 2 ? -before * (1 + x * 0x1p-20) : x;
    case GT_EXPONENTS:
      return ldexp (x, (int) (gt_random (state) % 81) - 40);
    default:
      return x;
    }
}

/* Fills N elements, STRIDE apart.  Weights are positive.  */
static void
fill (const struct gt_drawn *d, void *to, size_t n, size_t stride, enum gt_numbers numbers,
      int are_weights, uint64_t *state)
{
  const unsigned parts = gt_parts_in (gt_types[d->type].arithmetic);
  const size_t special = n ? gt_random (state) % n : 0;
  double x = 0;

  for (size_t i = 0; i < n; i++)
    for (unsigned part = 0; part < parts; part++)
      {
        x = next_number (d, numbers, i, state, x);
        puts_of[d->type](to, i * stride * parts + part, are_weights ? fabs (x) : x);
      }
  if (n && numbers == GT_ONE_NAN)
    puts_of[d->type](to, special * stride * parts, (double) NAN);
  if (n && numbers == GT_ONE_INFINITY)
    puts_of[d->type](to, special * stride * parts, (double) INFINITY);
}

/* ---------------------------------------------------------------- Operands */

static int
is_on_device (const struct gt_drawn *d)
{
  return d->place == GT_PLACE_DEVICE;
}

/* Allocates two operands of ELEMENTS each, and OTHER bytes behind them.  Returns the first
   element, or null.  */
static char *
allocate (struct gt_sides *s, size_t elements, size_t other)
{
  const enum gt_place place = s->drawn->place;
  const size_t size = gt_types[s->drawn->type].size;
  const size_t room = ((elements + s->drawn->offset) * size + LINE - 1) / LINE * LINE;

  s->bytes = room;
  if (place == GT_PLACE_HOST)
    s->memory = aligned_alloc (LINE, 2 * room + (other + LINE - 1) / LINE * LINE + LINE);
  else if (gt_gpus->alloc (s->gpu->gpu, place, 2 * room + other + LINE, &s->memory))
    s->memory = NULL;
  return s->memory ? (char *) s->memory + s->drawn->offset * size : NULL;
}

static int
begin_listed (struct gt_sides *s, uint64_t *state)
{
  const struct gt_drawn *const d = s->drawn;
  const int is_matrix = d->listed->family == GT_OF_MATRIX;
  const int weighted = d->listed->inputs == 2 && d->listed->name[0] == 'w';
  const size_t tda = d->length + d->gap;
  const size_t farthest = d->stride[d->stride[1] > d->stride[0]];
  char *const x = allocate (s, is_matrix ? d->count * tda : d->n * farthest, 0);

  if (x == NULL)
    return -1;
  s->operands = (struct gt_operands) {
    .x = x, .y = x + s->bytes, .n = d->n, .stride = {d->stride[0], d->stride[1]},
    .rows = d->count, .columns = d->length, .tda = tda, .given = {MEAN, DEVIATION}
  };
  fill (d, x, is_matrix ? d->count * tda : d->n, is_matrix ? 1 : d->stride[0],
        weighted ? GT_ORDINARY : d->numbers, weighted, state);
  if (d->listed->inputs == 2)
    fill (d, x + s->bytes, d->n, d->stride[1], weighted ? d->numbers : GT_ORDINARY, 0, state);
  return 0;
}

/* Copies the operands of host memory to device vectors.  */
static int
begin_device (struct gt_sides *s, uint64_t *state)
{
  const struct gt_listed_type *const type = &gt_listed[s->drawn->type];

  if (begin_listed (s, state))
    return -1;
  for (int k = 0; k < s->drawn->listed->inputs; k++)
    {
      struct gt_operands one = s->operands;

      one.x = k ? s->operands.y : s->operands.x;
      s->operands.device[k] = type->make (&one);
      if (s->operands.device[k] == NULL)
        return -1;
    }
  return 0;
}

/* GSL's function of a line.  */
static const struct gt_listed *
listed_as (const struct gt_bench_line *f)
{
  const struct gt_listed_type *const type = &gt_listed[f->type];

  for (size_t k = 0; k < type->count; k++)
    if (type->function[k].gsl && strcmp (type->function[k].name, f->name) == 0)
      return &type->function[k];
  return gt_listed_for (strcmp (f->name, "asum") == 0 ? GT_ASUM : GT_SUMSQ, f->type);
}

/* Fills N elements where they are.  Returns 0, or -1.  */
static int
fill_lines (const struct gt_sides *s, void *to, size_t n, size_t stride, uint64_t *state)
{
  const struct gt_drawn *const d = s->drawn;
  const size_t bytes = n * stride * gt_types[d->type].size;
  void *const here = is_on_device (d) ? calloc (1, bytes) : to;
  int status = here ? 0 : -1;

  if (status == 0)
    fill (d, here, n, stride, d->numbers, 0, state);
  if (status == 0 && here != to)
    status = gt_gpus->copy (s->gpu->gpu, GT_TO_DEVICE, to, here, bytes);
  if (here != to)
    free (here);
  return status;
}

/* Copies to the GPU's memory what its calls need besides: the offsets, and ones for a product,
   which follow the results.  */
static int
prepare_device (struct gt_sides *s)
{
  struct gt_line_call *const c = &s->lines;
  const size_t bytes = (c->count + 1) * sizeof *c->offsets;
  double *const ones = malloc (c->length * sizeof *ones);
  int status = ones ? 0 : -1;

  c->gpu = s->gpu->gpu;
  c->device_offsets = (char *) c->result + c->count * RESULT_SIZE;
  for (size_t i = 0; i < c->length && ones; i++)
    ones[i] = 1;
  if (status == 0)
    status = gt_gpus->copy (c->gpu, GT_TO_DEVICE, c->device_offsets, c->offsets, bytes);
  if (status == 0)
    status = gt_gpus->copy (c->gpu, GT_TO_DEVICE, (char *) c->device_offsets + bytes, ones,
                            c->length * sizeof *ones);
  free (ones);
  return status;
}

static void
set_segments (const struct gt_drawn *d, size_t *offsets, uint64_t *state)
{
  offsets[0] = 0;
  for (size_t i = 0; i < d->count; i++)
    {
      const size_t any = 1 + gt_random (state) % (2 * d->length - 1);

      offsets[i + 1] = offsets[i] + (d->equal ? d->length : any);
    }
}

static int
begin_lines (struct gt_sides *s, uint64_t *state)
{
  const struct gt_drawn *const d = s->drawn;
  const int segments = d->lines_kind == GT_BY_SEGMENTS;
  const size_t tda = d->gap + (d->lines_kind == GT_BY_ROWS ? d->length : d->count);
  const size_t rows = d->lines_kind == GT_BY_ROWS ? d->count : d->length;
  size_t all = 0;
  char *x;

  s->offsets = malloc ((d->count + 1) * sizeof *s->offsets);
  if (s->offsets == NULL)
    return -1;
  set_segments (d, s->offsets, state);
  all = segments ? s->offsets[d->count] : 0;
  x = allocate (s, segments ? all * d->stride[0] : rows * tda,
                d->count * RESULT_SIZE + (d->count + d->length + 2) * sizeof (double));
  if (x == NULL
      || fill_lines (s, x, segments ? all : rows * tda, segments ? d->stride[0] : 1, state))
    return -1;
  s->lines = (struct gt_line_call) {
    d->lines_kind, x, d->count, d->length, tda, d->stride[0], all, s->offsets,
    (char *) s->memory + 2 * s->bytes, NULL, NULL
  };
  return is_on_device (d) ? prepare_device (s) : 0;
}

/* The elements of ROWS and COLUMNS, each row followed by GAP.  */
static size_t
elements_of (const size_t shape[2], size_t gap)
{
  return shape[0] * (shape[1] + gap);
}

/* Sets the diagonal to ones, and the rest to so little that solutions stay in range.  */
static void
set_triangle (const struct gt_drawn *d, const struct gt_procedure_call *call, size_t rows)
{
  const unsigned parts = gt_parts_in (gt_types[d->type].arithmetic);
  uint64_t state = d->seed | 1;

  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows * parts; j++)
      puts_of[d->type](call->a, i * call->wider[0] * parts + j,
                   j == i * parts ? 1
                                  : (double) (int64_t) gt_random (&state) * 0x1p-63
                                      / (double) rows);
}

static int
begin_product (struct gt_sides *s, uint64_t *state)
{
  const struct gt_drawn *const d = s->drawn;
  struct gt_procedure_call *const call = &s->call;
  const struct gt_procedure_shapes shape = gt_procedure_shapes (d->id, &d->call);
  const int is_triangular = strncmp (gt_taken[d->id].name + 1, "tr", 2) == 0;
  const int special = is_triangular ? 2 : 0; /* there C and y are copied to B and x */
  const size_t widths[] = {shape.a[1], shape.b[1], shape.c[1]};
  size_t n[5], at = 0;
  char *x;

  *call = d->call;
  for (int i = 0; i < 3; i++)
    call->wider[i] = widths[i] + d->call.wider[i];
  if (is_triangular)
    call->wider[2] = call->wider[1];
  n[0] = elements_of (shape.a, d->call.wider[0]);
  n[1] = elements_of (shape.b, d->call.wider[1]);
  n[2] = is_triangular ? n[1] : elements_of (shape.c, d->call.wider[2]);
  n[3] = shape.x;
  n[4] = shape.y;
  x = allocate (s, (n[0] + n[1] + n[2] + n[3] + n[4]) / 2 + 1, 0);
  if (x == NULL)
    return -1;
  for (int i = 0; i < 5; i++)
    {
      void **const to[] = {&call->a, &call->b, &call->c, &call->x, &call->y};

      *to[i] = x + at * gt_types[d->type].size;
      fill (d, *to[i], n[i], 1, i == special || i == special + 2 ? d->numbers : GT_ORDINARY, 0,
            state);
      at += n[i];
    }
  call->stride_x = call->stride_y = 1;
  if (is_triangular)
    set_triangle (d, call, shape.a[0]);
  return 0;
}

int
gt_sides_begin (struct gt_sides *s, const struct gt_drawn *d)
{
  uint64_t state = d->seed | 1;

  s->drawn = d;
  switch (d->kind)
    {
    case GT_DRAWN_LISTED:
      return begin_listed (s, &state);
    case GT_DRAWN_DEVICE:
      return begin_device (s, &state);
    case GT_DRAWN_LINES:
      return begin_lines (s, &state);
    case GT_DRAWN_PRODUCT:
      return begin_product (s, &state);
    case GT_DRAWN_SORT:
      return gt_sort_data_make (&s->sort, d->id, d->order, d->n, SIZE_MAX / 64) > 0 ? 0 : -1;
    default:
      gt_update_like (d->id, d->n, (uint64_t[]) {d->stride[0], d->stride[1]}, SIZE_MAX / 64,
                      &s->call);
      s->memory = s->call.a;
      return s->memory ? 0 : -1;
    }
}

void
gt_sides_end (struct gt_sides *s)
{
  const struct gt_drawn *const d = s->drawn;

  for (int k = 0; k < 2; k++)
    if (s->operands.device[k])
      gt_listed[d->type].free ((void *) s->operands.device[k]);
  if (s->memory && d->place != GT_PLACE_HOST)
    gt_gpus->free (s->gpu->gpu, d->place, s->memory);
  else
    free (s->memory);
  free (s->offsets);
  gt_sort_data_free (&s->sort);
  *s = (struct gt_sides) {.gpu = s->gpu, .cublas = s->cublas};
}

/* ------------------------------------------------------------------- Sides */

/* The plain loop of sums, or null.  */
static void *
plain_sum (const struct gt_drawn *d)
{
  const enum gt_arithmetic arithmetic
    = gt_arithmetic_for (GT_SUM, gt_types[d->type].arithmetic);

  return d->listed->reduction == GT_SUM && d->listed->family == GT_OF_VECTOR
             && d->stride[0] == 1 && gt_drawn_is_fast (d)
             && (arithmetic == GT_F64 || arithmetic == GT_F32 || d->type == GT_TYPE_INT)
           ? gt_plain_sum (arithmetic) : NULL;
}

/* Computes sums of rows by CUB, and sums of columns by cuBLAS as a product with ones.  Returns
   0, or -1 if neither has the function.  */
static int
call_gpu_lines (const struct gt_sides *s)
{
  const struct gt_drawn *const d = s->drawn;
  const struct gt_line_call *const c = &s->lines;
  const double *const ones = (const double *) c->device_offsets + c->count + 1;
  int status;

  if (strcmp (d->line->name, "sum") != 0 || d->type != GT_TYPE_DOUBLE || d->gap
      || s->gpu->cub == NULL || d->lines_kind == GT_BY_SEGMENTS
      || (d->lines_kind == GT_BY_COLUMNS && s->cublas == NULL))
    return -1;
  status = d->lines_kind == GT_BY_ROWS
             ? gt_cub_enqueue_segments (s->gpu->cub, c->data, c->count, c->length, c->result)
             : gt_cublas_dgemv (s->cublas, 0, (int) c->count, (int) c->length, c->data, ones,
                                c->result);
  return status || gt_gpus->synchronize (s->gpu->gpu, gt_cub_stream (s->gpu->cub)) ? -1 : 0;
}

/* Computes by cuBLAS or CUB.  Returns 0, or -1 if neither has the function.  */
static int
call_gpu (const struct gt_sides *s, double *result)
{
  const struct gt_listed *const f = s->drawn->listed;
  const struct gsltune_device_memory *const *const m
    = (const struct gsltune_device_memory *const *) s->operands.device;
  const void *const x = m[0]->data, *const y = m[1] ? m[1]->data : NULL;
  struct gt_cub_problem p = {s->drawn->type == GT_TYPE_FLOAT, x, s->drawn->n, GT_CUB_SUM};

  if (f->type != GT_TYPE_DOUBLE && f->type != GT_TYPE_FLOAT)
    return -1;
  if (s->gpu->cub && f->inputs == 1
      && (strcmp (f->name, "sum") == 0 || strcmp (f->name, "max") == 0
          || (strcmp (f->name, "max_index") == 0 && !p.is_float)))
    {
      p.operation = f->name[0] == 's' ? GT_CUB_SUM
                    : f->name[3]      ? GT_CUB_ARG_MAX
                                      : GT_CUB_MAX;
      return gt_cub_compute (s->gpu->cub, &p, result);
    }
  if (s->cublas == NULL || p.is_float)
    return -1;
  return strcmp (f->name, "asum") == 0   ? gt_cublas_dasum (s->cublas, x, p.n, result)
         : strcmp (f->name, "iamax") == 0 ? gt_cublas_idamax (s->cublas, x, p.n, result)
         : strcmp (f->name, "nrm2") == 0  ? gt_cublas_dnrm2 (s->cublas, x, p.n, result)
         : strcmp (f->name, "dot") == 0   ? gt_cublas_ddot (s->cublas, x, y, p.n, result)
                                          : -1;
}

unsigned
gt_sides_there (const struct gt_sides *s)
{
  const struct gt_drawn *const d = s->drawn;
  const int is_fast = gt_drawn_is_fast (d);
  const int has_modes
    = !gt_is_integer (gt_types[d->type].arithmetic) && d->kind != GT_DRAWN_SORT
      && d->kind != GT_DRAWN_UPDATE;
  unsigned there = 1u << GT_SIDE_OURS;
  double result;

  if (is_fast && has_modes)
    there |= 1u << GT_SIDE_EXACT;
  if (is_on_device (d))
    return there | (is_fast && call_gpu_lines (s) == 0 ? 1u << GT_SIDE_GPU : 0);
  if (d->kind != GT_DRAWN_DEVICE)
    there |= 1u << GT_SIDE_GSL;
  if (d->kind == GT_DRAWN_LISTED && s->gpu)
    there |= 1u << GT_SIDE_CPU;
  if (d->kind == GT_DRAWN_LISTED && plain_sum (d))
    there |= 1u << GT_SIDE_PLAIN;
  if (d->kind == GT_DRAWN_LINES)
    there |= 1u << GT_SIDE_LOOP;
  if (d->kind == GT_DRAWN_LINES && is_fast && strcmp (d->line->name, "sum") == 0)
    there |= 1u << GT_SIDE_PLAIN;
  if (d->kind == GT_DRAWN_DEVICE && is_fast && call_gpu (s, &result) == 0)
    there |= 1u << GT_SIDE_GPU;
  return there;
}

/* A loop over GSL's function.  */
static void
loop_over_gsl (const struct gt_sides *s)
{
  const struct gt_listed *const f = listed_as (s->drawn->line);
  const size_t size = gt_types[s->drawn->type].size, result = s->drawn->line->result_size;
  struct gt_operands o = s->operands;
  struct gt_answer answer;

  for (size_t i = 0; i < s->lines.count; i++)
    {
      const struct gt_line line = gt_line_of (&s->lines, i);

      o.x = (const char *) s->lines.data + line.first * size;
      o.n = line.n;
      o.stride[0] = line.stride;
      f->call (f->gsl, &o, &answer);
      memcpy ((char *) s->lines.result + i * result, answer.value, result);
    }
}

/* A loop over our function of one vector.  */
static void
loop_over_ours (const struct gt_sides *s)
{
  const struct gt_bench_line *const f = s->drawn->line;
  const size_t size = gt_types[f->type].size;

  for (size_t i = 0; i < s->lines.count; i++)
    {
      const struct gt_line line = gt_line_of (&s->lines, i);

      f->one ((const char *) s->lines.data + line.first * size, line.stride, line.n,
              (char *) s->lines.result + i * f->result_size);
    }
}

static void
call_lines (const struct gt_sides *s, enum gt_side side)
{
  const struct gt_bench_line *const f = s->drawn->line;

  if (side == GT_SIDE_GPU)
    call_gpu_lines (s);
  else if (is_on_device (s->drawn))
    f->all_on_device[s->lines.kind](&s->lines);
  else if (side == GT_SIDE_PLAIN)
    gt_bench_lines[f->type].plain_sum (&s->lines);
  else if (side == GT_SIDE_LOOP)
    loop_over_ours (s);
  else if (side == GT_SIDE_GSL)
    loop_over_gsl (s);
  else
    f->all[s->lines.kind](&s->lines);
}

static void
call_listed (const struct gt_sides *s, enum gt_side side, unsigned calls)
{
  const struct gt_listed *const f = s->drawn->listed;
  void *const function = side == GT_SIDE_GSL     ? f->gsl
                         : side == GT_SIDE_PLAIN ? plain_sum (s->drawn)
                                                 : f->ours;
  struct gt_answer answer;
  double result;

  for (unsigned k = 0; k < calls; k++)
    if (side == GT_SIDE_GPU)
      call_gpu (s, &result);
    else
      f->call (function, &s->operands, &answer);
}

/* Calls of procedures include what brings operands back that they change.  */
static void
call_procedure (const struct gt_sides *s, enum gt_side side)
{
  const enum gt_taken_id id = s->drawn->id;
  const struct gt_procedure_pair *const pair = gt_procedure_functions (id);
  void *const function = side == GT_SIDE_GSL ? pair->gsl : pair->ours;

  if (s->drawn->kind == GT_DRAWN_PRODUCT || s->drawn->kind == GT_DRAWN_UPDATE)
    {
      gt_procedure_restore (id, &s->call);
      gt_procedure_do (id, function, &s->call);
    }
  else
    gt_sort_call (id, function, &s->sort);
}

double
gt_side_time (const struct gt_sides *s, enum gt_side side, unsigned calls)
{
  const enum gt_device_choice choice = gt_env.device;
  const enum gt_drawn_kind kind = s->drawn->kind;
  const double begin = gt_now ();
  double seconds;

  gt_set_mode (side == GT_SIDE_EXACT ? GT_MODE_EXACT : s->drawn->mode);
  gt_env.device = side == GT_SIDE_CPU ? GT_CHOOSE_CPU : choice;
  if (side == GT_SIDE_LIBRARY)
    for (unsigned k = 0; k < calls; k++)
      gt_library_call (s);
  else if (kind == GT_DRAWN_LISTED || kind == GT_DRAWN_DEVICE)
    call_listed (s, side, calls);
  else
    for (unsigned k = 0; k < calls; k++)
      if (kind == GT_DRAWN_LINES)
        call_lines (s, side);
      else
        call_procedure (s, side);
  seconds = gt_now () - begin;
  gt_env.device = choice;
  return seconds;
}
