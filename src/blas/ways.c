/* The choice of the engine that computes a product in fast mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/ways.h"

#include <stdio.h>
#include <string.h>

#include "src/base/env.h"
#include "src/cpu/openmp.h"
#include "src/plan/model.h"
#include "src/route/reduce.h"

/* ------------------------------------------------------------------- Kinds */

/* The names of a function's turns, the number of sides that determine its shape, and whether
   tiles compute it, for ANY type or for REAL numbers.  */
static const struct family
{
  const char *name;
  const char *turns; /* two letters each; a blank means none */
  char sides;
  enum { NONE, REAL, ANY } tiles;
} families[] = {
  {"gemv", "N T ", 2, REAL}, {"trmv", "N T ", 1, NONE}, {"trsv", "N T ", 1, NONE},
  {"symv", "  ", 1, NONE}, {"hemv", "  ", 1, NONE}, {"ger", "  ", 2, NONE},
  {"geru", "  ", 2, NONE}, {"gerc", "  ", 2, NONE}, {"syr", "  ", 1, NONE},
  {"her", "  ", 1, NONE}, {"syr2", "  ", 1, NONE}, {"her2", "  ", 1, NONE},
  {"gemm", "NNNTTNTT", 3, ANY}, {"symm", "L R ", 3, ANY}, {"hemm", "L R ", 3, ANY},
  {"syrk", "N T ", 3, ANY}, {"herk", "N T ", 3, ANY}, {"syr2k", "N T ", 3, ANY},
  {"her2k", "N T ", 3, ANY}, {"trmm", "LNLTRNRT", 3, ANY}, {"trsm", "LNLTRNRT", 3, ANY},
};

/* Functions that are measured together with another one: they do the same work with the same
   access to memory, except for conjugation or a second product.  */
static const struct
{
  enum gt_blas_id id, leader;
} led[] = {
  {GT_BLAS_zgerc, GT_BLAS_zgeru},  {GT_BLAS_cgerc, GT_BLAS_cgeru},
  {GT_BLAS_zhemm, GT_BLAS_zsymm},  {GT_BLAS_chemm, GT_BLAS_csymm},
  {GT_BLAS_zsyrk, GT_BLAS_zherk},  {GT_BLAS_csyrk, GT_BLAS_cherk},
  {GT_BLAS_dsyr2k, GT_BLAS_dsyrk}, {GT_BLAS_ssyr2k, GT_BLAS_ssyrk},
  {GT_BLAS_zsyr2k, GT_BLAS_zherk}, {GT_BLAS_csyr2k, GT_BLAS_cherk},
  {GT_BLAS_zher2k, GT_BLAS_zherk}, {GT_BLAS_cher2k, GT_BLAS_cherk},
};

static const char *const shape_names[GT_N_SHAPES]
  = {"square", "flat", "panel", "deep", "long", "wide", "tall"};

#define FAR 8 /* the ratio of sides from which on a product has another shape */

static _Atomic uint8_t found[GT_N_BLAS]; /* its number plus 1 */

__attribute__ ((noinline)) static unsigned
find_family (enum gt_blas_id id)
{
  unsigned f = 0;

  while (strcmp (families[f++].name, gt_blas_names[id] + 1) != 0)
    continue;
  atomic_store_explicit (&found[id], (uint8_t) f, memory_order_relaxed);
  return f;
}

/* Finds the name only once.  */
static inline const struct family *
family_of (enum gt_blas_id id)
{
  const unsigned f = atomic_load_explicit (&found[id], memory_order_relaxed);

  return &families[(f ? f : find_family (id)) - 1];
}

static int
is_real (enum gt_blas_id id)
{
  return gt_blas_names[id][0] == 'd' || gt_blas_names[id][0] == 's';
}

static int
is_single (enum gt_blas_id id)
{
  return gt_blas_names[id][0] == 's' || gt_blas_names[id][0] == 'c';
}

int
gt_blas_has_tiles (enum gt_blas_id id)
{
  const struct family *f = family_of (id);

  return f->tiles == ANY || (f->tiles == REAL && is_real (id));
}

int
gt_blas_has_choice (enum gt_blas_id id)
{
  return gt_engines ()->own_is_gsl
         && (gt_engines ()->n > GT_OWN_ENGINE + 1 || gt_blas_has_tiles (id));
}

enum gt_blas_id
gt_blas_leader (enum gt_blas_id id)
{
  for (size_t k = 0; k < sizeof led / sizeof *led; k++)
    if (led[k].id == id)
      return led[k].leader;
  return id;
}

static enum gt_product_shape
shape_of_two (size_t rows, size_t columns)
{
  return columns / FAR >= rows ? GT_WIDE : rows / FAR >= columns ? GT_TALL : GT_SQUARE;
}

static enum gt_product_shape
shape_of_three (const struct gt_product_size *s)
{
  const size_t few = s->m < s->n ? s->m : s->n, many = s->m < s->n ? s->n : s->m;
  const size_t least = few < s->k ? few : s->k, most = many > s->k ? many : s->k;
  const size_t middle = least == s->k ? few : most == s->k ? many : s->k;

  if (most / FAR < least)
    return GT_SQUARE;
  if (most / FAR >= middle && middle / FAR < least)
    return most == s->k ? GT_DEEP : GT_LONG;
  return least == s->k ? GT_FLAT : GT_PANEL;
}

/* Engines do not compute a gemm with a vector like a product of two matrices.  */
static int
is_of_two (const struct family *f)
{
  return f->turns[0] == 'N' && f->turns[1] == 'N';
}

static enum gt_product_shape
shape_in (const struct family *f, const struct gt_product_size *size)
{
  if (f->sides == 1)
    return GT_SQUARE;
  if (f->sides == 2)
    return shape_of_two (size->m, size->n);
  if (is_of_two (f) && (size->m == 1 || size->n == 1))
    return size->m == 1 ? GT_WIDE : GT_TALL;
  return shape_of_three (size);
}

enum gt_product_shape
gt_product_shape (enum gt_blas_id id, const struct gt_product_size *size)
{
  return shape_in (family_of (id), size);
}

/* The product of a matrix and its own transpose has as many rows as columns; if the matrix is
   a square, two of its sides are equal.  */
int
gt_blas_has_kind (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape)
{
  const struct family *f = family_of (id);
  const int is_square = strstr (f->name, "rk") || strstr (f->name, "r2k");
  const int has_side = f->turns[0] == 'L';

  if (2 * (size_t) turn >= strlen (f->turns))
    return 0;
  switch (shape)
    {
    case GT_SQUARE:
      return 1;
    case GT_WIDE:
    case GT_TALL:
      return f->sides == 2 || is_of_two (f);
    case GT_FLAT:
    case GT_DEEP:
      return f->sides == 3 && !has_side;
    case GT_PANEL:
    case GT_LONG:
      return f->sides == 3 && !is_square;
    default:
      return 0;
    }
}

void
gt_blas_kind_text (enum gt_blas_id id, enum gt_turn turn, enum gt_product_shape shape,
                   char text[GT_STEP_KIND_SIZE])
{
  const char *letters = family_of (id)->turns + 2 * turn;
  const int n = letters[0] == ' ' ? 0 : letters[1] == ' ' ? 1 : 2;

  snprintf (text, GT_STEP_KIND_SIZE, "%s%s%.*s %s", gt_blas_names[id], n ? " " : "", n,
            letters, shape_names[shape]);
}

/* ---------------------------------------------------------------- Estimate */

/* Returns whether tiles are faster than GSL's loops: a matrix times a vector needs enough
   terms, triangles must be larger than the part that GSL solves at a time, and complex
   numbers, which are packed, need enough rows.  */
#define VECTOR_TERMS 12
#define TRIANGLE_WORK 8192
#define PACKED_ROWS 8
static int
gains_by_tiles (enum gt_blas_id id, const struct gt_product_size *size)
{
  const struct family *f = family_of (id);
  const int is_triangle = strncmp (f->name, "tr", 2) == 0 && is_real (id);
  const uint64_t least = is_triangle ? TRIANGLE_WORK : gt_blas_estimates[id];

  return gt_blas_has_tiles (id) && gt_product_work (size) >= least
         && (f->sides != 3 ? size->n >= VECTOR_TERMS : is_real (id) || size->m >= PACKED_ROWS);
}

/* Returns whether the first library is faster than GSL's loops and than tiles on one thread;
   for the latter it must not mistake the processor for another one.  This holds for matrices
   times matrices, triangles and vectors, and for additions of long rows.  Some libraries have
   slow calls.  */
#define ADDED_COLUMNS 8
static int
gains_by_library (enum gt_blas_id id, const struct gt_product_size *size)
{
  const struct gt_engines *engines = gt_engines ();
  const struct gt_engine *library = &engines->engine[GT_OWN_ENGINE + 1];
  const size_t least = size->m < size->n ? size->m : size->n;
  const char *name = family_of (id)->name;

  return engines->n > GT_OWN_ENGINE + 1 && least >= library->least_side
         && (!gt_blas_has_tiles (id)
               ? strncmp (name, "ger", 3) != 0 || size->n >= ADDED_COLUMNS
               : library->right_core == NULL
                   && (strncmp (name, "gem", 3) == 0 || strncmp (name, "tr", 2) == 0));
}

/* Multiplications of doubles per nanosecond by tiles on one thread, with registers of 256
   bits.  */
#define TILES_RATE 16

/* Multiplications limit a product of matrices; the size of the matrix limits a product with a
   vector.  */
static unsigned
threads_of (enum gt_blas_id id, uint64_t work)
{
  const int single = is_single (id);
  const double products = (double) work * (is_real (id) ? 1 : 4);
  const struct gt_model_work matrices = {.ns = products / (single ? 2 : 1) / TILES_RATE};
  const struct gt_model_work vector = {.bytes = products * (single ? 4 : 8)};

  return gt_model_threads (&gt_device_host ()->host,
                           family_of (id)->sides == 3 ? &matrices : &vector, gt_most_threads ());
}

struct gt_blas_way
gt_blas_estimate (enum gt_blas_id id, const struct gt_product_size *size)
{
  const struct gt_engines *engines = gt_engines ();
  const uint64_t work = gt_product_work (size);
  struct gt_blas_way way = {engines->engine[GT_OWN_ENGINE].function[id], 1, GT_OWN_ENGINE};

  if (!engines->own_is_gsl || work < gt_blas_estimates[id])
    return way;
  way.threads = gt_blas_has_tiles (id) ? threads_of (id, work) : 1;
  if (gains_by_tiles (id, size) && (way.threads > 1 || !gains_by_library (id, size)))
    way.engine = GT_TILES_ENGINE;
  else
    {
      way.engine = gains_by_library (id, size) ? GT_OWN_ENGINE + 1 : GT_OWN_ENGINE;
      way.threads = 1;
    }
  way.function = engines->engine[way.engine].function[id];
  return way;
}

/* ------------------------------------------------------------------- Zeros */

/* The share of nonzero numbers in a factor at which GSL's function, which skips zeros, is as
   fast as a library's function on one thread, which does not: measured with OpenBLAS, with at
   least 16 products for each number.  */
#define LEAST_EACH 16
static double
share_of (enum gt_blas_id id)
{
  static const double of_gemm[] = {['d'] = 1 / 16.0, ['s'] = 1 / 32.0, ['z'] = 1 / 9.0,
                                   ['c'] = 1 / 18.0};

  return is_of_two (family_of (id)) ? of_gemm[(int) gt_blas_names[id][0]] : 1 / 5.0;
}

/* Returns element I of a sequence that is spread over N, like the fractions of multiples of
   STEP over [0, 1) (the additive recurrence of two dimensions, for which M. Roberts proposes
   these).  */
static inline size_t
spread (uint32_t i, uint32_t step, size_t n)
{
  return (size_t) (((uint64_t) (i * step) * n) >> 32);
}
#define ROW_STEP 0xc13fa9a9u
#define COLUMN_STEP 0x91e10da5u

/* Returns whether at most MOST of SAMPLE numbers, of one or two parts, are not zero; the
   first few are enough for a full factor.  */
static int
are_few_filled (const struct gt_passed_factor *f, uint32_t sample, double most, unsigned parts,
                int single)
{
  const float *s = f->data;
  const double *d = f->data;
  unsigned filled = 0;

  for (uint32_t i = 1; i <= sample && filled <= most; i++)
    {
      const size_t at = parts * (spread (i, ROW_STEP, f->rows) * f->row
                                 + spread (i, COLUMN_STEP, f->columns));

      filled += single ? (s[at] != 0) | (s[at + parts - 1] != 0)
                       : (d[at] != 0) | (d[at + parts - 1] != 0);
    }
  return filled <= most;
}

int
gt_blas_passes_over (enum gt_blas_id id, const struct gt_blas_way *way,
                     const struct gt_passed_factor *f)
{
  const size_t numbers = f->rows * f->columns;
  const uint32_t sample = numbers < 16 * 32    ? 16
                          : numbers < 32 * 64  ? 32
                          : numbers < 64 * 256 ? (uint32_t) numbers / 64
                                               : 256;
  const double most = sample * share_of (id) / way->threads;

  if (f->each < LEAST_EACH || f->rows > UINT32_MAX || f->columns > UINT32_MAX
      || gt_forced (&gt_products))
    return 0;
  return are_few_filled (f, sample, most, is_real (id) ? 1 : 2, is_single (id));
}

/* ------------------------------------------------------------------- Pages */

#define LEAST_PAGE 4096
#define LEAST_BEYOND 32 /* bytes: a vector of doubles */

int
gt_blas_may_leave (const struct gt_blas_way *way, const void *end, size_t step)
{
  const uintptr_t last = (uintptr_t) end - 1;
  const size_t beyond = step < LEAST_BEYOND ? LEAST_BEYOND : step;

  return gt_engines ()->engine[way->engine].reads_beyond
         && last / LEAST_PAGE != (last + beyond) / LEAST_PAGE;
}

/* ------------------------------------------------------------------- Steps */

_Atomic uint64_t gt_blas_least[GT_N_BLAS] = {
#define BLAS_FUNCTION(name, from) [GT_BLAS_##name] = from,
#include "src/blas/functions.inc"
};

static int
write_kind (unsigned function, unsigned kind, char text[GT_STEP_KIND_SIZE])
{
  const enum gt_blas_id id = (enum gt_blas_id) function;
  const enum gt_turn turn = (enum gt_turn) (kind / GT_N_SHAPES);
  const enum gt_product_shape shape = (enum gt_product_shape) (kind % GT_N_SHAPES);

  if (!gt_blas_has_kind (id, turn, shape)
      || (gt_engines ()->own_is_gsl && !gt_blas_has_choice (id)))
    return 0;
  gt_blas_kind_text (gt_blas_leader (id), turn, shape, text);
  return 1;
}

/* If the program has a BLAS of its own, it is the only way, but the caller must decide
   that.  */
static int
engine_called (unsigned function, const char *way)
{
  (void) function;
  return gt_engines ()->own_is_gsl ? gt_engine_named (way) : -1;
}

static struct gt_ready *_Atomic ready[GT_N_BLAS];
static _Atomic int begun;

const struct gt_choices gt_products = {
  "products", GT_N_BLAS, GT_N_TURNS * GT_N_SHAPES, write_kind, engine_called, gt_blas_estimates,
  gt_blas_least, ready, &begun
};

/* -------------------------------------------------------------------- Ways */

/* The numbers that GSL's loops multiply in the time of opening a library and reading a
   profile.  */
#define EARLY_WORK ((uint64_t) 1 << 24)

static _Atomic uint64_t early_work;

void
gt_blas_prepare (void)
{
  atomic_store (&early_work, EARLY_WORK);
  gt_engines ();
  gt_steps_begin (&gt_products);
  gt_steps_begin (&gt_factors);
}

/* Returns the number of threads for a caller that is neither in a team nor in a child of
   fork.  */
static inline unsigned
threads_for (unsigned wanted)
{
  const unsigned most
    = wanted > 1 && !gt_forced (&gt_products) ? gt_most_threads () : wanted;

  if (most == 1 || gt_in_child () || gt_in_parallel_region ())
    return 1;
  return wanted < most ? wanted : most;
}

/* Returns the planned way: the forced one, that of a profile's steps, or the estimated
   one.  */
static struct gt_blas_way
planned (enum gt_blas_id id, enum gt_turn turn, const struct gt_product_size *size)
{
  const struct gt_forced *const forced = gt_forced (&gt_products);
  const struct gt_ready *steps = NULL;
  struct gt_blas_way way;

  if (forced)
    {
      way.engine = forced->way;
      way.threads = forced->threads;
    }
  else
    {
      unsigned k;

      steps = gt_ready (&gt_products, id,
                        GT_PRODUCT_KIND (turn, shape_in (family_of (id), size)));
      if (steps == NULL || steps->n == 0)
        return gt_blas_estimate (id, size);
      k = gt_ready_step (steps, gt_product_work (size));
      way.engine = steps->way[k];
      way.threads = steps->steps[k].config.threads;
    }
  way.function = gt_engines ()->engine[way.engine].function[id];
  return way;
}

int
gt_blas_is_unprepared (const struct gt_choices *choices, uint64_t work)
{
  return !gt_forced (choices)
         && (gt_is_early (&early_work, work, EARLY_WORK)
             || (!atomic_load_explicit (choices->begun, memory_order_acquire) && gt_in_child ()));
}

struct gt_blas_way
gt_blas_way_slowly (enum gt_blas_id id, enum gt_turn turn,
                    const struct gt_product_size *size, void *own)
{
  struct gt_blas_way way = {own, 1, GT_OWN_ENGINE};

  if (!gt_products_are_fast ())
    return way;
  if (gt_blas_is_unprepared (&gt_products, gt_product_work (size)))
    {
      if (gains_by_tiles (id, size) && gt_products_are_gsl ())
        {
          way.engine = GT_TILES_ENGINE;
          gt_reduce_note ("tiles");
        }
      return way;
    }
  way = planned (id, turn, size);
  way.threads = way.engine == GT_TILES_ENGINE ? threads_for (way.threads) : 1;
  if (way.engine != GT_OWN_ENGINE)
    gt_reduce_note (way.engine == GT_TILES_ENGINE ? "tiles" : "blas");
  else if (!gt_engines ()->own_is_gsl)
    gt_reduce_note ("program");
  return way;
}
