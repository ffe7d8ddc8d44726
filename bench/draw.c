/* Problems drawn at random: function, type, mode, lengths, strides, shape, numbers, place and
   threads.  The functions are those of the tables, so that a new one is drawn as well.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/data.h"

#define LONGEST ((size_t) 1 << 22)
#define LONGEST_PINNED ((size_t) 1 << 26) /* a GPU helps with long vectors */
#define SPAN ((size_t) 1 << 23)         /* elements of memory that an operand takes, at most */
#define LONGEST_SORT ((size_t) 1 << 20) /* GSL takes a second for longer ones */
#define MOST_WORK 0x1p26                /* products of two numbers */
#define FARTHEST 64                     /* stride */
#define MOST_OFFSET 8

static uint64_t
below (uint64_t *state, uint64_t n)
{
  return gt_random (state) % n;
}

/* One of N, the first in HALF of the cases.  */
static unsigned
mostly_first (uint64_t *state, unsigned n)
{
  return below (state, 2) ? 0 : (unsigned) below (state, n);
}

static double
unit (uint64_t *state)
{
  return (double) (gt_random (state) >> 11) * 0x1p-53;
}

static size_t
log_uniform (uint64_t *state, size_t most)
{
  const size_t n = (size_t) exp2 (unit (state) * log2 ((double) most + 1));

  return n < 1 ? 1 : n > most ? most : n;
}

static enum gt_element_type
draw_type (uint64_t *state, unsigned n_types)
{
  const unsigned of = (unsigned) below (state, 5);

  return of < 2    ? GT_TYPE_DOUBLE
         : of == 2 ? GT_TYPE_FLOAT
                   : (enum gt_element_type) below (state, n_types);
}

static size_t
draw_stride (uint64_t *state)
{
  return below (state, 3) ? 1 : log_uniform (state, FARTHEST);
}

/* Limits N so that elements STEP apart fit into the memory.  */
static size_t
shortened (size_t n, size_t step)
{
  return n * step <= SPAN ? n : SPAN / step;
}

/* ---------------------------------------------------------------- Families */

/* The rows and columns of LENGTH and COUNT that have about N elements.  */
static void
draw_matrix (uint64_t *state, struct gt_drawn *d)
{
  const size_t n = log_uniform (state, LONGEST);

  d->length = log_uniform (state, n);
  d->count = n / d->length;
  d->gap = below (state, 2) ? 0 : log_uniform (state, d->length + 8);
}

static int
is_drawn (const struct gt_listed *f, int on_device)
{
  return on_device ? f->family == GT_OF_DEVICE_VECTOR : f->gsl != NULL;
}

static void
draw_listed (uint64_t *state, int on_device, struct gt_drawn *d)
{
  const struct gt_listed_type *type;

  /* Statistics are many: half of the host's functions are others.  */
  do
    {
      d->type = draw_type (state, GT_N_TYPES);
      type = &gt_listed[d->type];
      d->listed = &type->function[below (state, type->count)];
    }
  while (!is_drawn (d->listed, on_device)
         || (d->listed->family == GT_OF_STATS && below (state, 4)));
  draw_matrix (state, d);
  for (int k = 0; k < 2; k++)
    d->stride[k] = on_device ? 1 : draw_stride (state);
  d->n = shortened (log_uniform (state, LONGEST),
                    d->stride[d->stride[1] > d->stride[0]]);
  if (d->listed->family == GT_OF_MATRIX)
    d->count = shortened (d->count, d->length + d->gap);
}

static void
draw_lines (uint64_t *state, struct gt_drawn *d)
{
  const struct gt_bench_lines *type;

  d->type = draw_type (state, GT_N_ELEMENT_TYPES);
  type = &gt_bench_lines[d->type];
  d->line = &type->function[below (state, type->count)];
  d->lines_kind = (enum gt_lines_kind) below (state, GT_N_LINES_KINDS);
  draw_matrix (state, d);
  d->stride[0] = draw_stride (state);
  d->equal = (int) below (state, 2);
  if (d->lines_kind == GT_BY_ROWS)
    d->count = shortened (d->count, d->length + d->gap);
  else if (d->lines_kind == GT_BY_COLUMNS)
    d->length = shortened (d->length, d->count + d->gap);
  else
    d->count = shortened (d->count, 2 * d->length * d->stride[0]);
  d->count += d->count == 0;
  d->length += d->length == 0;
}

/* Half of the products are those that are computed most.  */
static enum gt_taken_id
draw_product (uint64_t *state)
{
  static const char *const often[] = {"gemm", "gemv", "syrk"};
  const char *const name = below (state, 2) ? often[below (state, 3)] : NULL;
  unsigned id;

  do
    id = GT_FIRST_PROCEDURE + (unsigned) below (state, GT_FIRST_SORT - GT_FIRST_PROCEDURE);
  while (name && strcmp (gt_taken[id].name + 1, name) != 0);
  return (enum gt_taken_id) id;
}

static size_t
largest_operand (enum gt_taken_id id, const struct gt_procedure_call *call)
{
  const struct gt_procedure_shapes s = gt_procedure_shapes (id, call);
  const size_t each[] = {s.a[0] * s.a[1], s.b[0] * s.b[1], s.c[0] * s.c[1], s.x, s.y};
  size_t most = 0;

  for (int i = 0; i < 5; i++)
    most = each[i] > most ? each[i] : most;
  return most;
}

/* In a third of the cases the three lengths are near each other.  */
static void
draw_sides (uint64_t *state, size_t side[3])
{
  const double exponent = unit (state) * log2 (MOST_WORK);
  double first = unit (state), second = unit (state);
  const double low = fmin (first, second), high = fmax (first, second);

  if (below (state, 3) == 0)
    for (int k = 0; k < 3; k++)
      side[k] = (size_t) (exp2 (exponent / 3) * (0.8 + 0.4 * unit (state)) + 0.5);
  else
    {
      side[0] = (size_t) (exp2 (exponent * low) + 0.5);
      side[1] = (size_t) (exp2 (exponent * (high - low)) + 0.5);
      side[2] = (size_t) (exp2 (exponent * (1 - high)) + 0.5);
    }
  for (int k = 0; k < 3; k++)
    side[k] += side[k] == 0;
}

/* Gives a product the drawn sides, those that it does not have as a part of the others.  */
static void
set_sides (enum gt_taken_id id, const size_t side[3], struct gt_procedure_call *call)
{
  static const struct gt_procedure_call probe
    = {.m = 2, .n = 3, .k = 5, .trans = CblasNoTrans, .trans_b = CblasNoTrans,
       .side = CblasLeft};
  const struct gt_procedure_shapes s = gt_procedure_shapes (id, &probe);
  const double all = (double) side[0] * (double) side[1] * (double) side[2];

  call->m = side[0];
  call->n = side[1];
  call->k = side[2];
  if (s.c[0] == 0 && s.a[1] == 2)
    call->m = (size_t) sqrt (all);
  else if (s.c[0] == 0)
    call->n = call->k = side[1] * side[2];
  else if (s.c[1] == 2)
    call->m = (size_t) sqrt (all / (double) side[2]);
}

static void
draw_call (uint64_t *state, struct gt_drawn *d)
{
  static const CBLAS_TRANSPOSE_t turns[] = {CblasNoTrans, CblasTrans, CblasConjTrans};
  struct gt_procedure_call *const call = &d->call;
  unsigned n_turns; /* GSL's gemv of real numbers refuses conjugates */
  size_t side[3];

  d->id = draw_product (state);
  d->type = gt_taken[d->id].element;
  n_turns = gt_is_complex (gt_types[d->type].arithmetic) ? 3 : 2;
  draw_sides (state, side);
  do
    {
      *call = (struct gt_procedure_call) {
        .trans = turns[mostly_first (state, n_turns)],
        .trans_b = turns[mostly_first (state, n_turns)],
        .uplo = below (state, 2) ? CblasUpper : CblasLower,
        .side = below (state, 2) ? CblasLeft : CblasRight,
        .diag = below (state, 2) ? CblasUnit : CblasNonUnit,
        .alpha = 1, .beta = (double) below (state, 2)
      };
    }
  while (!gt_procedure_knows (d->id, call));
  set_sides (d->id, side, call);
  while (largest_operand (d->id, call) > SPAN / 4
         || gt_procedure_work (d->id, call) > MOST_WORK)
    {
      size_t *longest = call->m > call->n ? &call->m : &call->n;

      longest = call->k > *longest ? &call->k : longest;
      *longest /= 2;
    }
  for (int i = 0; i < 3; i++)
    call->wider[i] = below (state, 2) ? 0 : log_uniform (state, FARTHEST);
  if (strstr (gt_taken[d->id].name, "r2k")) /* GSL takes A's distance of rows for C's */
    call->wider[2] = call->wider[0];
}

/* ----------------------------------------------------------------- Problem */

static enum gt_drawn_kind
draw_kind (uint64_t *state, int has_gpu)
{
  static const enum gt_drawn_kind kinds[]
    = {GT_DRAWN_LISTED, GT_DRAWN_LISTED, GT_DRAWN_LISTED, GT_DRAWN_LISTED, GT_DRAWN_LINES,
       GT_DRAWN_LINES, GT_DRAWN_PRODUCT, GT_DRAWN_PRODUCT, GT_DRAWN_SORT, GT_DRAWN_UPDATE,
       GT_DRAWN_DEVICE, GT_DRAWN_DEVICE};

  return kinds[below (state, has_gpu ? 12 : 10)];
}

/* Sorts and updates compute the same in all modes, integers always wrap.  */
static void
draw_numbers (uint64_t *state, struct gt_drawn *d)
{
  const int is_real = !gt_is_integer (gt_types[d->type].arithmetic);

  d->mode = (enum gt_mode) below (state, GT_N_CHOSEN_MODES);
  d->numbers = (enum gt_numbers) mostly_first (state, GT_N_NUMBERS);
  if (!is_real)
    d->numbers = d->numbers == GT_ZEROS ? GT_ZEROS : GT_ORDINARY;
  if (d->kind == GT_DRAWN_SORT || d->kind == GT_DRAWN_UPDATE)
    {
      d->mode = GT_MODE_FAST;
      d->numbers = GT_ORDINARY;
    }
}

void
gt_draw (uint64_t seed, unsigned number, int has_gpu, struct gt_drawn *d)
{
  uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15u ^ (number + 1) * 0xbf58476d1ce4e5b9u;

  for (int k = 0; k < 8; k++)
    gt_random (&state);
  *d = (struct gt_drawn) {.number = number, .kind = draw_kind (&state, has_gpu)};
  switch (d->kind)
    {
    case GT_DRAWN_LINES:
      draw_lines (&state, d);
      break;
    case GT_DRAWN_PRODUCT:
      draw_call (&state, d);
      break;
    case GT_DRAWN_SORT:
      d->id = (enum gt_taken_id) (GT_FIRST_SORT
                                  + below (&state, GT_FIRST_UPDATE - GT_FIRST_SORT));
      d->n = log_uniform (&state, LONGEST_SORT);
      d->order = (enum gt_sort_order) below (&state, GT_N_SORT_ORDERS);
      break;
    case GT_DRAWN_UPDATE:
      d->id = (enum gt_taken_id) (GT_FIRST_UPDATE
                                  + below (&state, GT_FIRST_FACTOR - GT_FIRST_UPDATE));
      d->stride[0] = draw_stride (&state);
      d->stride[1] = draw_stride (&state);
      d->n = shortened (log_uniform (&state, LONGEST),
                        d->stride[d->stride[1] > d->stride[0]]);
      break;
    default:
      draw_listed (&state, d->kind == GT_DRAWN_DEVICE, d);
    }
  if (d->kind == GT_DRAWN_SORT || d->kind == GT_DRAWN_UPDATE)
    d->type = gt_taken[d->id].element;
  draw_numbers (&state, d);
  if (d->kind <= GT_DRAWN_PRODUCT)
    d->offset = mostly_first (&state, MOST_OFFSET);
  if (has_gpu && d->kind <= GT_DRAWN_LINES)
    d->place = (enum gt_place) mostly_first (&state, 3);
  if (d->kind == GT_DRAWN_LISTED && d->place == GT_PLACE_PINNED)
    {
      d->n = log_uniform (&state, LONGEST_PINNED);
      d->stride[0] = d->stride[1] = 1;
    }
  if (has_gpu && d->kind == GT_DRAWN_LINES && d->line->all_on_device[0] && below (&state, 2))
    d->place = GT_PLACE_DEVICE;
  d->all_threads = (int) below (&state, 2);
  d->seed = gt_random (&state);
}

/* -------------------------------------------------------------------- Text */

static void __attribute__ ((format (printf, 2, 3)))
add (char text[GT_DRAWN_TEXT], const char *format, ...)
{
  const size_t used = strlen (text);
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text + used, GT_DRAWN_TEXT - used, format, arguments);
  va_end (arguments);
}

static void
add_line (const struct gt_drawn *d, char text[GT_DRAWN_TEXT])
{
  static const char *const kinds[] = {"row", "column", "segment"};
  static const char *const infixes[] = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = #infix,
    GT_ELEMENT_TYPES (X)
#undef X
  };

  add (text, "gsltune_%s%s_%s_%s: %zu of %zu",
       d->lines_kind == GT_BY_SEGMENTS ? "vector" : "matrix", infixes[d->type],
       kinds[d->lines_kind], d->line->name, d->count, d->length);
  if (d->lines_kind != GT_BY_SEGMENTS)
    add (text, ", gap %zu", d->gap);
  else
    add (text, "%s, stride %zu", d->equal ? "" : " at the mean", d->stride[0]);
}

static void
add_call (const struct gt_drawn *d, char text[GT_DRAWN_TEXT])
{
  static const char turns[] = "NTC";
  const struct gt_procedure_call *const c = &d->call;
  const struct gt_procedure_shapes s = gt_procedure_shapes (d->id, c);

  add (text, "gsl_%s: %c%c %s %s %s, A %zu x %zu", gt_taken[d->id].symbol,
       turns[c->trans - CblasNoTrans], turns[c->trans_b - CblasNoTrans],
       c->side == CblasLeft ? "left" : "right", c->uplo == CblasUpper ? "upper" : "lower",
       c->diag == CblasUnit ? "unit" : "non-unit", s.a[0], s.a[1]);
  if (s.c[0])
    add (text, ", result %zu x %zu", s.c[0], s.c[1]);
  add (text, ", gaps %zu %zu %zu, beta %g", c->wider[0], c->wider[1], c->wider[2], c->beta);
}

void
gt_drawn_text (const struct gt_drawn *d, char text[GT_DRAWN_TEXT])
{
  static const char *const numbers[]
    = {"ordinary", "one NaN", "one infinity", "zeros", "subnormal", "cancelling",
       "exponents +-40"};
  static const char *const orders[] = {"random", "ascending", "descending", "few values"};
  static const char *const places[] = {"", ", pinned", ", managed", ", on the device"};

  *text = '\0';
  if (d->kind == GT_DRAWN_LINES)
    add_line (d, text);
  else if (d->kind == GT_DRAWN_PRODUCT)
    add_call (d, text);
  else if (d->kind == GT_DRAWN_SORT)
    add (text, "gsl_%s: n = %zu, %s", gt_taken[d->id].symbol, d->n, orders[d->order]);
  else if (d->kind == GT_DRAWN_UPDATE)
    add (text, "gsl_%s: n = %zu, strides %zu %zu", gt_taken[d->id].symbol, d->n, d->stride[0],
         d->stride[1]);
  else if (d->listed->family == GT_OF_MATRIX)
    add (text, "%s: %zu x %zu, gap %zu", d->listed->symbol, d->count, d->length, d->gap);
  else
    add (text, "%s: n = %zu, strides %zu %zu", d->listed->symbol, d->n, d->stride[0],
         d->listed->inputs == 2 ? d->stride[1] : 0);
  add (text, ", %s, offset %zu%s, %s, %s", numbers[d->numbers], d->offset, places[d->place],
       gt_mode_names[d->mode], d->all_threads ? "all threads" : "1 thread");
}
