/* The table "sort-gpu": sorts of device vectors beside CUB's radix sort, and medians beside these
   sorts.

   A call is timed on the host's clock from its beginning until it is complete; both take turns,
   and the median of the rounds counts.  CUB sorts from one vector to another.  Ours sorts in place,
   so its elements are put there before, untimed; it makes an index of numbers of 64 bits without
   being given any, where CUB moves numbers of 32 bits that are there.  Scratch memory of both is there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/gpu.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/text/cli.h"

#define FIRST_EXPONENT 12
#define LAST_EXPONENT 26
#define CHECKED_EXPONENT 20 /* longer results are not looked at */

enum
{
  N,
  CUB_KEYS,
  OUR_KEYS,
  KEYS,
  CUB_PAIRS,
  OUR_PAIRS,
  PAIRS,
  MEDIAN,
  OF_SORT
};

#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)
#define SORT_FORM(type)                                                                       \
  {                                                                                           \
    .name = "sort-gpu " type,                                                                 \
    .title = type " on the GPU, from the call to its end: sorts beside cub::DeviceRadixSort," \
             " and medians",                                                                  \
    .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                                              \
                [CUB_KEYS] = {"CUB", "cub_seconds", GT_UNIT_SECONDS},                         \
                [OUR_KEYS] = {"sort", "sort_seconds", GT_UNIT_SECONDS},                       \
                [KEYS] = {"sort/CUB", "sort_ratio", GT_UNIT_GAIN},                            \
                [CUB_PAIRS] = {"CUB, pairs", "cub_pairs_seconds", GT_UNIT_SECONDS},           \
                [OUR_PAIRS] = {"stable index", "index_seconds", GT_UNIT_SECONDS},             \
                [PAIRS] = {"index/CUB", "index_ratio", GT_UNIT_GAIN},                         \
                [MEDIAN] = {"median", "median_seconds", GT_UNIT_SECONDS},                     \
                [OF_SORT] = {"median/sort", "median_ratio", GT_UNIT_GAIN}},                   \
    .bars = {{"sort: at least 0.95 of CUB's speed from 2^12 to 2^26", KEYS, 0.95, 4 * KI,     \
              64 * MI, 0, GT_ANY},                                                            \
             {"index: at least 0.95 of CUB's speed from 2^12 to 2^26", PAIRS, 0.95, 4 * KI,   \
              64 * MI, 0, GT_ANY},                                                            \
             {"median: at least 8 times as fast as a sort at 2^26", OF_SORT, 8, 64 * MI,      \
              64 * MI, 0, GT_ANY}},                                                           \
  }
/* By enum gt_cub_type.  */
const struct gt_form gt_sort_gpu_forms[3]
  = {SORT_FORM ("double"), SORT_FORM ("float"), SORT_FORM ("int")};

/* Vectors of the longest row.  */
enum buffer
{
  ELEMENTS, /* not sorted */
  SORTED,   /* by ours */
  BY_CUB,
  INDEXES,  /* of 32 bits, in their order */
  INDEXES_BY_CUB,
  INDEX,    /* of 64 bits */
  STORAGE,  /* CUB's */
  N_BUFFERS
};

struct sorts
{
  struct gt_bench_gpu *bench;
  enum gt_cub_type type;
  size_t size;
  char *buffer[N_BUFFERS];
  size_t storage;
};

static struct gt_cub_sort_problem
cubs (const struct sorts *s, uint64_t n, int pairs)
{
  return (struct gt_cub_sort_problem) {
    .type = s->type, .n = n,
    .from = s->buffer[ELEMENTS], .to = s->buffer[BY_CUB],
    .index_from = pairs ? s->buffer[INDEXES] : NULL,
    .index_to = pairs ? s->buffer[INDEXES_BY_CUB] : NULL,
    .storage = s->buffer[STORAGE], .storage_size = s->storage
  };
}

/* Random elements, and indexes.  */
static int
fill (const struct sorts *s, uint64_t n)
{
  double *const x = malloc (n * sizeof *x);
  uint32_t *const index = malloc (n * sizeof *index);
  uint64_t state = 1;
  int failed = x == NULL || index == NULL;

  for (uint64_t i = 0; i < n && !failed; i++)
    {
      gt_random (&state);
      index[i] = (uint32_t) i;
      if (s->type == GT_CUB_INT)
        ((int *) x)[i] = (int) (state >> 32);
      else if (s->type == GT_CUB_FLOAT)
        ((float *) x)[i] = (float) (state >> 40) / 0x1p24f;
      else
        x[i] = (double) (state >> 11) / 0x1p53;
    }
  failed = failed
           || gt_gpus->copy (s->bench->gpu, GT_TO_DEVICE, s->buffer[ELEMENTS], x, n * s->size)
           || gt_gpus->copy (s->bench->gpu, GT_TO_DEVICE, s->buffer[INDEXES], index,
                             n * sizeof *index);
  free (x);
  free (index);
  return failed ? -1 : 0;
}

static int
begin (struct sorts *s, uint64_t n)
{
  size_t bytes[N_BUFFERS] = {n * s->size, n * s->size, n * s->size, n * sizeof (uint32_t),
                             n * sizeof (uint32_t), n * sizeof (uint64_t), 256};

  if (s->bench->cub)
    {
      struct gt_cub_sort_problem pairs = cubs (s, n, 1);

      pairs.index_from = pairs.index_to = (char *) 256;
      if (gt_gpu_check_cub (gt_cub_sort (s->bench->cub, &pairs)))
        return -1;
      bytes[STORAGE] = s->storage = pairs.storage_size;
    }
  for (int k = 0; k < N_BUFFERS; k++)
    if (gt_gpu_check ("memory for sorts", gt_gpus->alloc (s->bench->gpu, GT_PLACE_DEVICE, bytes[k],
                                                          (void **) &s->buffer[k])))
      return -1;
  return fill (s, n);
}

static void
end (const struct sorts *s)
{
  for (int k = 0; k < N_BUFFERS; k++)
    if (s->buffer[k])
      gt_gpus->free (s->bench->gpu, GT_PLACE_DEVICE, s->buffer[k]);
}

/* A call of ours by its column.  */
static int
call_ours (const struct sorts *s, unsigned column, uint64_t n, double *seconds)
{
  const struct gsltune_device_memory x
    = {.data = s->buffer[column == OUR_KEYS ? SORTED : ELEMENTS], .n = n, .stride = 1,
       .gpu = s->bench->gpu};
  gsltune_device_vector v = {x};
  gsltune_device_vector_float f = {x};
  gsltune_device_vector_int i = {x};
  gsltune_device_vector_ulong p
    = {{.data = s->buffer[INDEX], .n = n, .stride = 1, .gpu = s->bench->gpu}};
  double from, median = 0;
  int status = 0;

  if (column == OUR_KEYS
      && gt_gpu_check ("copying", gt_gpus->copy (s->bench->gpu, GT_ON_DEVICE, s->buffer[SORTED],
                                                 s->buffer[ELEMENTS], n * s->size)))
    return -1;
  from = gt_now ();
  switch (column)
    {
    case OUR_KEYS:
      status = s->type == GT_CUB_INT     ? gsltune_device_vector_int_sort (&i)
               : s->type == GT_CUB_FLOAT ? gsltune_device_vector_float_sort (&f)
                                         : gsltune_device_vector_sort (&v);
      break;
    case OUR_PAIRS:
      status = s->type == GT_CUB_INT     ? gsltune_device_vector_int_sort_index_stable (&p, &i)
               : s->type == GT_CUB_FLOAT ? gsltune_device_vector_float_sort_index_stable (&p, &f)
                                         : gsltune_device_vector_sort_index_stable (&p, &v);
      break;
    default:
      median = s->type == GT_CUB_INT     ? gsltune_device_vector_int_median (&i)
               : s->type == GT_CUB_FLOAT ? gsltune_device_vector_float_median (&f)
                                         : gsltune_device_vector_median (&v);
    }
  *seconds = gt_now () - from;
  return status || isnan (median) ? -1 : 0;
}

static int
call (const struct sorts *s, unsigned column, uint64_t n, double *seconds)
{
  struct gt_cub_sort_problem sort = cubs (s, n, column == CUB_PAIRS);
  double from;

  if (column != CUB_KEYS && column != CUB_PAIRS)
    return call_ours (s, column, n, seconds);
  *seconds = NAN;
  if (s->bench->cub == NULL)
    return 0;
  from = gt_now ();
  if (gt_gpu_check_cub (gt_cub_sort (s->bench->cub, &sort)))
    return -1;
  *seconds = gt_now () - from;
  return 0;
}

static double
element (const struct sorts *s, const char *x, uint64_t i)
{
  return s->type == GT_CUB_INT     ? (double) ((const int *) x)[i]
         : s->type == GT_CUB_FLOAT ? (double) ((const float *) x)[i]
                                   : ((const double *) x)[i];
}

/* Whether ours are in order: 0, or -1 after a message.  */
static int
verify (const struct sorts *s, uint64_t n)
{
  char *const x = malloc (n * s->size), *const sorted = malloc (n * s->size);
  uint64_t *const p = malloc (n * sizeof *p);
  int failed
    = x == NULL || sorted == NULL || p == NULL
      || gt_gpus->copy (s->bench->gpu, GT_TO_HOST, x, s->buffer[ELEMENTS], n * s->size)
      || gt_gpus->copy (s->bench->gpu, GT_TO_HOST, sorted, s->buffer[SORTED], n * s->size)
      || gt_gpus->copy (s->bench->gpu, GT_TO_HOST, p, s->buffer[INDEX], n * sizeof *p);

  for (uint64_t i = 0; i < n && !failed; i++)
    failed = p[i] >= n || element (s, x, p[i]) != element (s, sorted, i)
             || (i > 0 && element (s, sorted, i - 1) > element (s, sorted, i));
  free (x);
  free (sorted);
  free (p);
  if (failed)
    gt_error ("bench: %llu elements are not sorted", (unsigned long long) n);
  return failed ? -1 : 0;
}

static int
make_row (const struct sorts *s, unsigned rounds, uint64_t n, struct gt_row *row)
{
  static const unsigned timed[] = {CUB_KEYS, OUR_KEYS, CUB_PAIRS, OUR_PAIRS, MEDIAN};
  const size_t n_timed = sizeof timed / sizeof *timed;
  double seconds[sizeof timed / sizeof *timed][GT_BENCH_ROUNDS], warm;

  for (size_t k = 0; k < n_timed; k++)
    if (call (s, timed[k], n, &warm))
      return -1;
  if (n <= (uint64_t) 1 << CHECKED_EXPONENT && verify (s, n))
    return -1;
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < n_timed; k++)
      if (call (s, timed[k], n, &seconds[k][r]))
        return -1;
  row->value[N] = (double) n;
  for (size_t k = 0; k < n_timed; k++)
    row->value[timed[k]] = gt_median (seconds[k], rounds, NULL);
  row->value[KEYS] = row->value[CUB_KEYS] / row->value[OUR_KEYS];
  row->value[PAIRS] = row->value[CUB_PAIRS] / row->value[OUR_PAIRS];
  row->value[OF_SORT] = row->value[OUR_KEYS] / row->value[MEDIAN];
  return 0;
}

int
gt_bench_sort_gpu (struct gt_bench *all, struct gt_sheet *sheet)
{
  const unsigned most = all->options.max_exponent;
  const unsigned last = most < LAST_EXPONENT ? most : LAST_EXPONENT;
  const size_t limit = gsltune_get_scratch_limit ();
  struct sorts s = {.bench = &all->gpu, .type = (enum gt_cub_type) (sheet->form - gt_sort_gpu_forms)};
  int status;

  s.size = s.type == GT_CUB_DOUBLE ? sizeof (double) : sizeof (float);
  gt_gpu_note_cub (s.bench, sheet);
  gsltune_set_scratch_limit (SIZE_MAX);
  status = last < FIRST_EXPONENT ? 0 : begin (&s, (uint64_t) 1 << last);
  for (unsigned k = FIRST_EXPONENT; k <= last && status == 0; k++)
    status = make_row (&s, all->options.rounds, (uint64_t) 1 << k,
                       &sheet->rows[sheet->n_rows++]);
  end (&s);
  gsltune_set_scratch_limit (limit);
  gsltune_release ();
  return status;
}
