/* The table "exact": device-resident data from the call to the value on the host, exact mode
   beside fast mode, on ordinary numbers and on numbers of very different size.

   Cold data, windows and turns as in bench_gpu.c.

   The best way to compute exact sums depends on the numbers, and the library may remember
   which was best last.  So the table has them as programs make them: sums at addresses and of
   device vectors that stay, again and again; and the first sum of a vector, after one of the
   other kind of numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/gpu.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/target.h"
#include "tuning/text/cli.h"

#define KI ((uint64_t) 1 << 10)
#define MI ((uint64_t) 1 << 20)

/* ---------------------------------------------------------------- Form */

enum
{
  N,
  EXPONENTS,
  FAST_SECONDS,
  ADDRESS_SECONDS, /* exact mode, as the next two */
  VECTOR_SECONDS,
  FIRST_SECONDS,
  ADDRESS_RATE,
  ADDRESS_GAIN,
  VECTOR_GAIN,
  FIRST_GAIN
};

/* Binary exponents of numbers: so many up and down.  */
#define MIDDLE_RANGE 40
#define F64_RANGE 500
#define F32_RANGE 100

#define EXACT_FORM(type)                                                     \
  .name = "exact " type,                                                     \
  .title = type " on the GPU, cold data, from the call to the value on the"  \
           " host: exact mode beside fast mode; exponents +-0: random"       \
           " numbers between -1 and 1, else such ones times powers of two;"  \
           " address: gsltune_device_sum; vector: of a device vector that"   \
           " stays; first: of a new one, after numbers of the other kind",   \
  .columns = {[N] = {"n", "n", GT_UNIT_COUNT},                               \
              [EXPONENTS] = {"exponents +-", "exponents", GT_UNIT_COUNT},    \
              [FAST_SECONDS] = {"fast", "fast_seconds", GT_UNIT_SECONDS},    \
              [ADDRESS_SECONDS] = {"address", "address_seconds",             \
                                   GT_UNIT_SECONDS},                         \
              [VECTOR_SECONDS] = {"vector", "vector_seconds",                \
                                  GT_UNIT_SECONDS},                          \
              [FIRST_SECONDS] = {"first", "first_seconds",                   \
                                 GT_UNIT_SECONDS},                           \
              [ADDRESS_RATE] = {"address", "address_bytes_per_second",       \
                                GT_UNIT_BANDWIDTH},                          \
              [ADDRESS_GAIN] = {"address/fast", "address_ratio",             \
                                GT_UNIT_GAIN},                               \
              [VECTOR_GAIN] = {"vector/fast", "vector_ratio", GT_UNIT_GAIN}, \
              [FIRST_GAIN] = {"first/fast", "first_ratio", GT_UNIT_GAIN}},   \
  .second = EXPONENTS

/* One bar for sums at addresses, one for those of vectors.  */
#define TWO_BARS(text, bound, n, range)                                      \
  {"by address, at least " text, ADDRESS_GAIN, bound, n, n, range},       \
  {"vectors, at least " text, VECTOR_GAIN, bound, n, n, range}

#define WIDE_BARS(text, range)                                               \
  {"vectors, at least 0.75 of fast mode's speed at 2^25, exponents " text,   \
   VECTOR_GAIN, 0.75, 32 * MI, 32 * MI, range},                           \
  {"vectors, at least 0.75 of fast mode's speed at 2^29, exponents " text,   \
   VECTOR_GAIN, 0.75, 512 * MI, 512 * MI, range}

const struct gt_form gt_exact_forms[2] = {
  {
    EXACT_FORM ("double"),
    .bars = {TWO_BARS ("0.92 of fast mode's speed at 2^24", 0.92, 16 * MI, 0),
             TWO_BARS ("0.96 of fast mode's speed at 2^28", 0.96, 256 * MI, 0),
             TWO_BARS ("0.55 of fast mode's speed at 2^24, exponents +-500",
                       0.55, 16 * MI, F64_RANGE)}
  },
  {
    EXACT_FORM ("float"),
    .bars = {TWO_BARS ("0.88 of fast mode's speed at 2^24", 0.88, 16 * MI, 0),
             TWO_BARS ("0.93 of fast mode's speed at 2^28", 0.93, 256 * MI, 0),
             WIDE_BARS ("+-40", MIDDLE_RANGE), WIDE_BARS ("+-100", F32_RANGE)}
  }
};

/* A third of the buffer has ordinary numbers, one has wide ones, and one has such as fit in
   a window (kernels/cuda/exact_window.cuh), but not in one level of it.  */
enum kind
{
  ORDINARY,
  MIDDLE,
  WIDE,
  N_KINDS
};

#define MOST_VECTORS 1024 /* short ones then lie in the L2 cache */
struct exact
{
  struct gt_bench_gpu part[N_KINDS];
  struct gsltune_device_memory vector[MOST_VECTORS]; /* one a window */
  unsigned n_vectors;
  unsigned rounds;
};

static int
range_of (enum gt_arithmetic arithmetic, enum kind kind)
{
  return kind == ORDINARY         ? 0
         : kind == MIDDLE         ? MIDDLE_RANGE
         : arithmetic == GT_F32 ? F32_RANGE
                                  : F64_RANGE;
}

static void
widen (struct gt_data *data, int range)
{
  uint64_t state = 1;

  for (size_t i = 0; i < data->period; i++)
    {
      const uint64_t random = gt_random (&state) >> 32;
      const int by = (int) (random % (2 * (unsigned) range + 1)) - range;

      if (data->arithmetic == GT_F32)
        ((float *) data->pattern)[i] = ldexpf (((float *) data->pattern)[i], by);
      else
        ((double *) data->pattern)[i] = ldexp (((double *) data->pattern)[i], by);
    }
}

static int
fill_parts (struct exact *exact, const struct gt_bench_gpu *bench,
             enum gt_arithmetic arithmetic)
{
  for (int kind = 0; kind < N_KINDS; kind++)
    {
      struct gt_bench_gpu *part = &exact->part[kind];

      *part = *bench;
      part->data = (struct gt_data) {0};
      part->bytes = bench->bytes / N_KINDS / 256 * 256;
      part->buffer = bench->buffer + kind * part->bytes;
      part->at = 0;
      if (gt_data_init (&part->data, arithmetic, GT_DATA_FULL))
        {
          gt_error ("bench: no memory for test data");
          return -1;
        }
      widen (&part->data, range_of (arithmetic, (enum kind) kind));
      if (gt_gpu_fill (part))
        return -1;
    }
  return 0;
}

/* Adds the first N elements of one period to M.  */
static int
add_elements (gsltune_moments *m, const struct gt_data *data, size_t n)
{
  return data->arithmetic == GT_F32 ? gsltune_moments_add_float (m, data->pattern, 1, n)
                                    : gsltune_moments_add (m, data->pattern, 1, n);
}

/* The correctly rounded sum of the first N elements of the repeated pattern: the
   period's sum times how often it comes, by doubling.  */
static int
right_sum (const struct gt_data *data, uint64_t n, double *sum)
{
  gsltune_moments *all = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  gsltune_moments *power = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  int status = all == NULL || power == NULL || add_elements (power, data, data->period)
               || add_elements (all, data, n % data->period);

  for (uint64_t q = n / data->period; q > 0 && status == 0; q /= 2)
    {
      if (q % 2)
        status = gsltune_moments_merge (all, power);
      if (status == 0)
        status = gsltune_moments_merge (power, power);
    }
  if (status == 0)
    *sum = data->arithmetic == GT_F32 ? (double) gsltune_moments_sum_float (all)
                                      : gsltune_moments_sum (all);
  else
    gt_error ("bench: no memory for the sum of the test data");
  gsltune_moments_free (all);
  gsltune_moments_free (power);
  return status ? -1 : 0;
}

static int
verify_exact (struct gt_bench_gpu *part, uint64_t n)
{
  double right, sums[2];

  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  if (right_sum (&part->data, n, &right)
      || gt_call_address (part, part->buffer, n, &sums[0])
      || gt_call_device_vector (part, part->buffer, n, &sums[1]))
    return -1;
  for (int i = 0; i < 2; i++)
    if (sums[i] != right)
      {
        gt_error ("bench: wrong exact sum of %llu elements: %.17g instead of"
                  " %.17g", (unsigned long long) n, sums[i], right);
        return -1;
      }
  return 0;
}

/* The mean time of a call on COUNT windows.  */
static int
time_calls (struct gt_bench_gpu *bench, gt_gpu_call *call, uint64_t n, unsigned count,
            double *seconds)
{
  struct gt_windows w = gt_gpu_windows (bench, n, count);
  const char *data = w.from;
  double begin = gt_now (), sum = 0;

  for (unsigned k = 0; k < count; k++)
    if (call (bench, data + k % w.windows * w.step, n, &sum))
      return -1;
  *seconds = isnan (sum) ? NAN : (gt_now () - begin) / count;
  return 0;
}

/* The mean time of COUNT sums of the vectors, in turn.  */
static int
time_vectors (struct exact *exact, const struct gt_bench_gpu *part,
              unsigned count, double *seconds)
{
  double begin = gt_now (), sum;

  for (unsigned k = 0; k < count; k++)
    if (gt_call_memory (part, &exact->vector[k % exact->n_vectors], &sum))
      return -1;
  *seconds = (gt_now () - begin) / count;
  return 0;
}

/* The first sum of a vector that reads the next window, after one of the other
   kind's.  */
static int
time_first (struct exact *exact, enum kind kind, uint64_t n, double *seconds)
{
  struct gt_bench_gpu *part = &exact->part[kind];
  struct gt_bench_gpu *other = &exact->part[kind == ORDINARY ? WIDE : ORDINARY];
  struct gt_windows before = gt_gpu_windows (other, n, 1);
  struct gt_windows w = gt_gpu_windows (part, n, 1);
  double begin, sum;

  if (gt_call_device_vector (other, before.from, n, &sum))
    return -1;
  begin = gt_now ();
  if (gt_call_device_vector (part, w.from, n, &sum))
    return -1;
  *seconds = gt_now () - begin;
  return 0;
}

static int
exact_round (struct exact *exact, enum kind kind, uint64_t n, unsigned count,
             double seconds[FIRST_SECONDS + 1])
{
  struct gt_bench_gpu *part = &exact->part[kind];

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  if (time_calls (part, gt_call_address, n, count, &seconds[FAST_SECONDS]))
    return -1;
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  return time_calls (part, gt_call_address, n, count,
                     &seconds[ADDRESS_SECONDS])
             || time_vectors (exact, part, count, &seconds[VECTOR_SECONDS])
             || time_first (exact, kind, n, &seconds[FIRST_SECONDS])
           ? -1 : 0;
}

/* Vectors in the first windows of the part.  */
static void
make_vectors (struct exact *exact, struct gt_bench_gpu *part, uint64_t n)
{
  struct gt_windows w;

  part->at = 0;
  w = gt_gpu_windows (part, n, MOST_VECTORS);
  exact->n_vectors = w.windows;
  for (unsigned i = 0; i < w.windows; i++)
    exact->vector[i] = (struct gsltune_device_memory) {
      .data = (void *) (w.from + i * w.step), .n = n, .stride = 1,
      .gpu = part->gpu
    };
}

/* The first round tells how long the others shall be, and does not count.  */
static int
exact_row (struct exact *exact, enum kind kind, uint64_t n,
           struct gt_row *row)
{
  static double seconds[FIRST_SECONDS + 1][GT_BENCH_ROUNDS];
  struct gt_bench_gpu *part = &exact->part[kind];
  double one[FIRST_SECONDS + 1];
  unsigned count;

  make_vectors (exact, part, n);
  if (verify_exact (part, n) || exact_round (exact, kind, n, 1, one))
    return -1;
  count = gt_gpu_batch (part, n, fmax (one[ADDRESS_SECONDS],
                                       one[VECTOR_SECONDS]));
  for (unsigned r = 0; r < exact->rounds; r++)
    {
      if (exact_round (exact, kind, n, count, one))
        return -1;
      for (int c = FAST_SECONDS; c <= FIRST_SECONDS; c++)
        seconds[c][r] = one[c];
    }
  row->value[N] = (double) n;
  row->value[EXPONENTS] = range_of (part->data.arithmetic, kind);
  for (int c = FAST_SECONDS; c <= FIRST_SECONDS; c++)
    row->value[c] = gt_median (seconds[c], exact->rounds);
  row->value[ADDRESS_RATE]
    = (double) (n * part->data.size) / row->value[ADDRESS_SECONDS];
  for (int c = ADDRESS_SECONDS; c <= FIRST_SECONDS; c++)
    row->value[ADDRESS_GAIN + c - ADDRESS_SECONDS]
      = row->value[FAST_SECONDS] / row->value[c];
  return 0;
}

static int
exact_rows (struct exact *exact, unsigned last, struct gt_sheet *sheet)
{
  static const unsigned exponents[] = {10, 16, 20, 24, 25, 28, 29};
  size_t size = exact->part[0].data.size, bytes = exact->part[0].bytes;

  for (int kind = 0; kind < N_KINDS; kind++)
    for (unsigned i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
      {
        if (exponents[i] > last)
          break;
        if (size << exponents[i] > bytes)
          {
            snprintf (sheet->note, sizeof sheet->note, "2^%u and longer are"
                      " left out: too little free GPU memory.", exponents[i]);
            break;
          }
        if (exact_row (exact, (enum kind) kind, (uint64_t) 1 << exponents[i],
                       &sheet->rows[sheet->n_rows++]))
          return -1;
      }
  return 0;
}

int
gt_bench_exact (struct gt_bench *all, struct gt_sheet *sheet)
{
  static struct exact exact;
  enum gt_mode mode = gt_mode_now ();
  int status = -1;

  exact.rounds = all->options.rounds;
  if (fill_parts (&exact, &all->gpu,
                   sheet->form == gt_exact_forms ? GT_F64 : GT_F32)
      == 0)
    status = exact_rows (&exact, all->options.max_exponent, sheet);
  gt_set_mode (mode);
  for (int kind = 0; kind < N_KINDS; kind++)
    gt_data_clear (&exact.part[kind].data);
  return status;
}
