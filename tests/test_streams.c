/* Tests of results that stay in device memory: each as GNU MP has it, rounded once, for
   numbers of all sizes; in streams, in other contexts, in graphs that are run again with
   other elements.  On a device of tests/softgpu, and unchanged on the machine's own GPU where
   on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "src/gpu/device_memory.h"
#include "tests/device_vectors.h"
#include "tests/drawn.h"
#include "tests/oracle.h"
#include "tests/softgpu/softgpu_hooks.h"

/* ------------------------------------------------------------ The driver's */

static struct
{
  const struct gt_cuda_driver *driver;
  CUresult (*begin) (CUstream, CUstreamCaptureMode);
  CUresult (*end) (CUstream, CUgraph *);
  CUresult (*create) (CUcontext *, unsigned, CUdevice);
  CUresult (*destroy) (CUcontext);
  CUstream stream;
  gsltune_scratch *scratch;
  void *results; /* room for those of all rows */
} the;

static void
open_driver (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CUcontext context;
  CUdevice device;

  the.driver = gt_cuda_driver (NULL);
  CHECK (the.driver && library);
  *(void **) &the.begin = dlsym (library, "cuStreamBeginCapture_v2");
  *(void **) &the.end = dlsym (library, "cuStreamEndCapture");
  *(void **) &the.create = dlsym (library, on_real_gpu () ? "cuCtxCreate_v2" : "cuCtxCreate");
  *(void **) &the.destroy = dlsym (library, "cuCtxDestroy_v2");
  CHECK (the.begin && the.end && the.create && the.destroy);
  CHECK (!the.driver->cuDeviceGet (&device, 0));
  CHECK (!the.driver->cuDevicePrimaryCtxRetain (&context, device));
  CHECK (!the.driver->cuCtxPushCurrent (context));
  CHECK (!the.driver->cuStreamCreate (&the.stream, CU_STREAM_NON_BLOCKING));
  dlclose (library);
}

/* Device memory of the test's own.  */
static void *
taken (size_t bytes)
{
  CUdeviceptr address;

  CHECK (!the.driver->cuMemAlloc (&address, bytes));
  return (void *) (uintptr_t) address;
}

static void
give_back (void *memory)
{
  CHECK (!the.driver->cuMemFree ((CUdeviceptr) (uintptr_t) memory));
}

static void
put (void *to, const void *from, size_t bytes)
{
  CHECK (!the.driver->cuMemcpyHtoD ((CUdeviceptr) (uintptr_t) to, from, bytes));
}

/* The result that STREAM has left at FROM.  */
static void
get (void *to, const void *from, size_t bytes, CUstream stream)
{
  CHECK (!the.driver->cuStreamSynchronize (stream));
  CHECK (!the.driver->cuMemcpyDtoH (to, (CUdeviceptr) (uintptr_t) from, bytes));
}

/* ------------------------------------------------------------------- Data */

static uint64_t seed = 1;

/* What all functions are given; integers, and fast sums, less.  */
static const enum kind kinds[]
  = {AROUND_ZERO, WHOLE, EQUAL, OF_ZEROS, HUGE_ONES, ALL_SIZES, CANCELLING, LARGEST_ONES, SUBNORMAL,
     HALFWAY, NEAR_ROOTS, SPECIAL};
enum { N_FAST = 4, N_OF_INTEGERS = 5 };

/* ------------------------------------------------------------------- Types */

#define MOST_ROWS 64

typedef void any_function (void);
typedef int one (const void *v, void *to, void *stream, gsltune_mode mode, gsltune_scratch *scratch);
typedef int two (const void *v, const void *w, void *to, void *stream, gsltune_mode mode,
                 gsltune_scratch *scratch);
typedef double now (const void *v, const void *w);

/* A row of streams.def for one type.  */
struct row
{
  const char *name;
  enum {AS_ONE, AS_BOTH, AS_PAIR, AS_STATISTIC} form;
  enum gt_finish_as as;
  enum gt_reduction reduction;
  size_t size; /* of a result */
  any_function *to;
  any_function *now; /* of power sums, the function that waits */
};

struct type
{
  const struct row *rows;
  size_t n_rows, size;
  int is_real, is_float;
  enum gt_element_type id;
  enum gt_arithmetic arithmetic;
  void (*expect) (const void *elements, size_t n, size_t index[2], void *wrapped);
};

#define GT_TEMPLATE "tests/streams_type.inc"
#include "src/each_type.h"

static const struct type *const types[] = {
#define X(id, name, infix, ctype, arithmetic) &type_of##infix,
  GT_GPU_ELEMENT_TYPES (X)
#undef X
};

/* Device memory with N elements, STRIDE apart, as a view, and the same on the host.  */
struct operand
{
  const struct type *type;
  struct gsltune_device_memory view;
  char *host;
  void *device;
};

static void
fill_operand (struct operand *a, enum kind kind)
{
  const size_t size = a->type->size;

  draw_elements (a->type->id, a->host, 1, a->view.n, kind, &seed);
  for (size_t i = 0; i < a->view.n; i++)
    put ((char *) a->device + i * a->view.stride * size, a->host + i * size, size);
  /* A copy may be under way when its call returns, and no other stream waits for it.  */
  CHECK (!the.driver->cuStreamSynchronize (NULL));
}

static void
make_operand (struct operand *a, const struct type *type, enum kind kind, size_t n, size_t stride)
{
  const char *why;

  a->type = type;
  a->host = malloc (n * type->size + 1);
  a->device = taken ((n * stride + 1) * type->size);
  CHECK (a->host && !gt_device_memory_view (&a->view, type->arithmetic, a->device, stride, n, &why));
  a->view.n = n;
  fill_operand (a, kind);
}

/* Element I, of elements without gaps, becomes X.  */
static void
set_element (struct operand *a, size_t i, double x)
{
  const size_t size = a->type->size;
  const float f = (float) x;

  memcpy (a->host + i * size, size == 4 ? (const void *) &f : &x, size);
  put ((char *) a->device + i * size, a->host + i * size, size);
  CHECK (!the.driver->cuStreamSynchronize (NULL));
}

static void
free_operand (struct operand *a)
{
  free (a->host);
  give_back (a->device);
}

/* ------------------------------------------------------------------ Oracle */

static struct oracle oracle;
static mpfr_t exact;

static void
begin_oracle (void)
{
  oracle_begin (&oracle);
  mpfr_init (exact);
}

/* Gives the oracle the elements of X and Y.  */
static void
load (const struct operand *x, const struct operand *y)
{
  oracle_load (&oracle, x->type->id, x->host, 1, y->host, 1, x->view.n, NULL);
}

/* The value NAME of what was loaded, as a double or, of SIZE 4, a float.  */
static double
expected (const char *name, int part, size_t size)
{
  CHECK (oracle_value (exact, &oracle, name, part));
  return size == 4 ? (double) mpfr_get_flt (exact, MPFR_RNDN) : mpfr_get_d (exact, MPFR_RNDN);
}

/* ---------------------------------------------------------------- Checking */

/* Whether RESULT, of SIZE bytes, is NUMBER; NaN is as good as any other.  */
static int
is_number (const void *result, size_t size, double number)
{
  const double d = size == 8 ? *(const double *) result : (double) *(const float *) result;

  return d == number || (d != d && number != number);
}

/* Where fast sums may be.  */
static int
is_near (const void *result, size_t size, double number, double magnitudes)
{
  const double d = size == 8 ? *(const double *) result : (double) *(const float *) result;

  return is_number (result, size, number)
         || (isfinite (number) && fabs (d - number) <= (size == 8 ? 0x1p-50 : 0x1p-20) * magnitudes);
}

static double
element_of (const struct operand *a, size_t i)
{
  return a->type->is_float ? (double) ((const float *) a->host)[i] : ((const double *) a->host)[i];
}

static size_t
largest_magnitude (const struct operand *x)
{
  size_t found = 0;
  double most = -1;

  for (size_t i = 0; i < x->view.n; i++)
    if (fabs (element_of (x, i)) > most)
      {
        found = i;
        most = fabs (element_of (x, i));
      }
  return found;
}

static int
is_alike (double x, double y)
{
  return x == y || (x != x && y != y);
}

/* RESULT is that of the function that waits, and GNU MP's.  Weights come first.  */
static void
check_statistic (const struct row *row, const struct operand *x, const struct operand *y,
                 double result)
{
  const int weighted = row->name[0] == 'w';

  load (weighted ? y : x, weighted ? x : y);
  if (oracle_value (exact, &oracle, row->name, 0))
    CHECK (is_alike (result, mpfr_get_d (exact, MPFR_RNDN)));
  CHECK (is_alike (result, ((now *) row->now) (weighted ? &y->view : &x->view,
                                               weighted ? &x->view : &y->view)));
}

/* The results of ROW for X and Y, one result behind the other.  */
static void
check_row (const struct row *row, const struct operand *x, const struct operand *y,
           const char result[2][8], int fast)
{
  const struct type *const t = x->type;
  size_t index[2] = {0, 0}, found[2];
  char wrapped[8];

  if (row->form == AS_STATISTIC)
    {
      check_statistic (row, x, y, *(const double *) result[0]);
      return;
    }
  memcpy (found, result, sizeof found);
  load (x, y);
  t->expect (x->host, x->view.n, index, wrapped);
  if (row->reduction == GT_AMAX)
    CHECK (found[0] == largest_magnitude (x));
  else if (gt_reductions[row->reduction].algebra == GT_ALGEBRA_ORDER)
    for (int k = 0; k < (row->form == AS_BOTH ? 2 : 1); k++)
      {
        const size_t at = index[row->form == AS_BOTH ? k : row->reduction == GT_MAX];

        CHECK (row->as == GT_FINISH_INDEX ? found[k] == at
                 : memcmp (result[k], x->host + at * t->size, t->size) == 0);
      }
  else if (!t->is_real && row->as == GT_FINISH_ELEMENT)
    CHECK (memcmp (result[0], wrapped, t->size) == 0);
  else if (fast && row->as < GT_FINISH_MEAN)
    CHECK (is_near (result[0], row->size, expected (row->name, 0, row->size),
                    (double) y->view.n + expected ("asum", 0, 8)));
  else
    CHECK (is_number (result[0], row->size, expected (row->name, 0, row->size)));
}

static int
call (const struct row *row, const struct operand *x, const struct operand *y, void *to,
      CUstream stream, gsltune_mode mode, gsltune_scratch *scratch)
{
  if (row->form == AS_ONE)
    return ((one *) row->to) (&x->view, to, stream, mode, scratch);
  /* Both are two results where a pair has a second vector and one.  */
  if (row->form == AS_BOTH)
    return ((two *) row->to) (&x->view, to, (char *) to + 8, stream, mode, scratch);
  return row->name[0] == 'w' ? ((two *) row->to) (&y->view, &x->view, to, stream, mode, scratch)
                             : ((two *) row->to) (&x->view, &y->view, to, stream, mode, scratch);
}

/* The rows to look at: statistics of power sums come last, and have no second kernel.  */
static int leaves_statistics;

static size_t
rows_of (const struct type *t)
{
  size_t n = t->n_rows;

  while (leaves_statistics && t->rows[n - 1].form == AS_STATISTIC)
    n--;
  return n;
}

/* Where results arrive, and nothing is that could be taken for one.  */
static void
forget_results (void *to)
{
  CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) to, 0xee, MOST_ROWS * 2 * 8, the.stream));
}

/* All rows of a type, put into the stream at once and looked at behind it.  MODE is
   exact or fast.  */
static void
check_all (const struct operand *x, const struct operand *y, char (*to)[2][8],
           gsltune_mode mode, gsltune_scratch *scratch)
{
  const struct type *const t = x->type;
  char result[MOST_ROWS][2][8];

  forget_results (to);
  for (size_t k = 0; k < rows_of (t); k++)
    CHECK (!call (&t->rows[k], x, y, to[k], the.stream, mode, scratch));
  get (result, to, sizeof result, the.stream);
  for (size_t k = 0; k < rows_of (t); k++)
    check_row (&t->rows[k], x, y, (const char (*)[8]) result[k], mode == GSLTUNE_MODE_FAST);
}

static void
open_scene (void)
{
  open_driver ();
  begin_oracle ();
  CHECK ((the.scratch = gsltune_scratch_alloc (0)));
  the.results = taken (MOST_ROWS * 2 * 8);
  forget_results (the.results);
}

static void
close_scene (void)
{
  CUcontext context;

  gsltune_scratch_free (the.scratch);
  give_back (the.results);
  CHECK (!the.driver->cuStreamDestroy (the.stream));
  CHECK (!the.driver->cuCtxPopCurrent (&context));
}

/* ------------------------------------------------------------------- Tests */

/* One call of each row.  */
static void
check_once (const struct type *type, enum kind kind, size_t n, size_t l, gsltune_mode mode,
            gsltune_scratch *scratch, void *to)
{
  struct operand x, y;

  make_operand (&x, type, kind, n, 1 + l % 3);
  make_operand (&y, type, kind == SPECIAL ? AROUND_ZERO : kind, n, 1 + l % 2);
  check_all (&x, &y, to, mode, scratch);
  free_operand (&x);
  free_operand (&y);
}

static void
check_lengths (gsltune_mode mode, const size_t *lengths, size_t n_lengths)
{

  open_scene ();
  for (size_t t = 0; t < N_OF (types); t++)
    for (size_t l = 0; l < n_lengths; l++)
      for (size_t k = 0; k < (!types[t]->is_real             ? N_OF_INTEGERS
                              : mode == GSLTUNE_MODE_FAST ? N_FAST : N_OF (kinds)); k++)
        check_once (types[t], kinds[k], lengths[l], l + k, mode, k % 2 ? the.scratch : NULL, the.results);
  close_scene ();
}

SCENARIO_TEST (exact_results, NOTHING, h200)
{
  check_lengths (GSLTUNE_MODE_EXACT, (const size_t[]) {1, 4, 32, 300}, 4);
}

/* The statistics of power sums alone.  */
static void
check_statistics (const struct operand *x, const struct operand *y, void *to)
{
  double result;

  for (size_t k = 0; k < x->type->n_rows; k++)
    if (x->type->rows[k].form == AS_STATISTIC)
      {
        CHECK (!call (&x->type->rows[k], x, y, to, the.stream, GSLTUNE_MODE_EXACT, NULL));
        get (&result, to, sizeof result, the.stream);
        check_statistic (&x->type->rows[k], x, y, result);
      }
}

/* An infinite weight; and elements that differ from their mean by less than its 64 bits.  */
SCENARIO_TEST (weights_and_means, NOTHING, h200)
{
  static const enum kind some[] = {OF_ZEROS, EQUAL, AROUND_ZERO};
  struct operand x, y;

  open_scene ();
  for (size_t k = 0; k < N_OF (some); k++)
    {
      make_operand (&x, types[k % 2], some[k], 3, 1);
      make_operand (&y, types[k % 2], AROUND_ZERO, 3, 1);
      set_element (&y, 1, INFINITY);
      check_statistics (&x, &y, the.results);
      free_operand (&x);
      free_operand (&y);
    }
  make_operand (&x, types[0], OF_ZEROS, 5000, 1);
  for (size_t i = 0; i < 5000; i++)
    set_element (&x, i, i == 77 ? -1 - DBL_EPSILON : -1);
  check_statistics (&x, &x, the.results);
  free_operand (&x);
  close_scene ();
}

/* As if the GPU had one multiprocessor, so that threads have several elements, of sizes
   for which their window has to move.  */
SCENARIO_TEST (several_elements, NOTHING, h200)
{
  struct gt_device *device;
  struct operand x, y;
  int sms;

  open_scene ();
  make_operand (&x, types[0], ALL_SIZES, 1500, 1);
  make_operand (&y, types[0], AROUND_ZERO, 1500, 1);
  device = (struct gt_device *) ((struct gt_open_gpu *) x.view.gpu)->device;
  sms = device->gpu.sms;
  device->gpu.sms = 1;
  check_statistics (&x, &y, the.results);
  fill_operand (&x, CANCELLING);
  fill_operand (&y, ALL_SIZES);
  check_statistics (&x, &y, the.results);
  device->gpu.sms = sms;
  free_operand (&x);
  free_operand (&y);
  close_scene ();
}

/* Little of it, for tools that make each launch take long (bench/gpu-session).  */
SCENARIO (brief)
{
  static const enum kind some[] = {AROUND_ZERO, ALL_SIZES, CANCELLING, SPECIAL};

  open_scene ();
  for (size_t t = 0; t < 3; t++)
    for (size_t k = 0; k < N_OF (some) && (k < 2 || types[t]->is_real); k++)
      {
        struct operand x, y;

        make_operand (&x, types[t], some[k], 700, 1 + k % 2);
        make_operand (&y, types[t], AROUND_ZERO, 700, 1);
        check_all (&x, &y, the.results, GSLTUNE_MODE_EXACT, k ? the.scratch : NULL);
        free_operand (&x);
        free_operand (&y);
      }
  close_scene ();
}

/* They are exact, too.  */
SCENARIO_TEST (compensated_results, NOTHING, h200)
{
  check_lengths (GSLTUNE_MODE_COMPENSATED, (const size_t[]) {33}, 1);
}

SCENARIO_TEST (fast_results, NOTHING, h200)
{
  check_lengths (GSLTUNE_MODE_FAST, (const size_t[]) {1, 300}, 2);
}

/* ---------------------------------------------------------- Second kernels */

/* Sums of parts of X as rows, some of which are settled.  */
static void
sum_rows (const struct operand *x, gsltune_scratch *scratch)
{
  gsltune_device_matrix_view m = gsltune_device_matrix_view_array (x->device, 90, 100);
  gsltune_device_vector_view to = gsltune_device_vector_view_array (taken (90 * sizeof (double)), 1, 90);

  CHECK (!gsltune_device_matrix_row_sum_to (&m.matrix, &to.vector, the.stream, GSLTUNE_MODE_EXACT, scratch));
  CHECK (!the.driver->cuStreamSynchronize (the.stream));
  give_back (to.vector.memory.data);
}

/* One that gives up, and one that decides; and one that settles all by itself, however
   long it takes.  Each leaves the scratch memory as the next call wants it, as lines do.  */
SCENARIO_TEST (two_kernels, NOTHING, h200)
{
  static const enum kind some[] = {ALL_SIZES, AROUND_ZERO, SPECIAL, HUGE_ONES};

  open_scene ();
  leaves_statistics = 1;
  for (size_t t = 0; t < 2; t++)
    for (size_t k = 0; k < N_OF (some); k++)
      {
        struct operand x, y;

        make_operand (&x, types[t], some[k], 9000, 1);
        make_operand (&y, types[t], AROUND_ZERO, 9000, 1);
        ((struct gt_open_gpu *) x.view.gpu)->keep_few = 5000;
        if (t == 0)
          sum_rows (&x, the.scratch);
        check_all (&x, &y, the.results, GSLTUNE_MODE_EXACT, the.scratch);
        if (some[k] == ALL_SIZES)
          {
            ((struct gt_open_gpu *) x.view.gpu)->keep_few = GT_KEEP_FEW;
            check_all (&x, &y, the.results, GSLTUNE_MODE_EXACT, the.scratch);
          }
        free_operand (&x);
        free_operand (&y);
      }
  close_scene ();
}

/* ---------------------------------------------------------- Complex vectors */

/* The functions of complex vectors, of double and of float.  */
#define BOTH_TYPES(name, rest) \
  {(any_function *) gsltune_device_vector_complex_##name##rest, (any_function *) gsltune_device_vector_complex_float_##name##rest}
#define COMPLEX_ROW(name) #name, BOTH_TYPES (name, _to)

static const struct
{
  const char *name;
  any_function *to[2];
  int inputs, results;
} complex_rows[] = {
  {COMPLEX_ROW (dotu), 2, 2},
  {COMPLEX_ROW (dotc), 2, 2},
  {COMPLEX_ROW (nrm2), 1, 1},
  {COMPLEX_ROW (asum), 1, 1},
  {COMPLEX_ROW (iamax), 1, 0},
};

/* Complex vectors among the elements of two operands, which have as many as they reach over.  */
struct complex_pair
{
  struct operand x, y;
  struct gsltune_device_memory of_x, of_y;
};

static void
make_complex (struct complex_pair *c, size_t type, enum kind kind, size_t n, size_t x_stride, size_t y_stride)
{
  make_operand (&c->x, types[type], kind, 2 * n * x_stride, 1);
  make_operand (&c->y, types[type], kind == SPECIAL ? AROUND_ZERO : kind, 2 * n * y_stride, 1);
  c->of_x = c->x.view;
  c->of_y = c->y.view;
  c->of_x.n = c->of_y.n = n;
  c->of_x.stride = x_stride;
  c->of_y.stride = y_stride;
}

static void
free_complex (struct complex_pair *c)
{
  free_operand (&c->x);
  free_operand (&c->y);
}

static size_t
largest_complex (const struct complex_pair *c)
{
  double most = -1;
  size_t found = 0;

  for (size_t i = 0; i < c->of_x.n; i++)
    {
      const size_t at = 2 * i * c->of_x.stride;
      double size = fabs (element_of (&c->x, at)) + fabs (element_of (&c->x, at + 1));

      size = c->x.type->is_float ? (double) (float) size : size;
      if (size > most)
        {
          found = i;
          most = size;
        }
    }
  return found;
}

static void
put_complex (const struct complex_pair *c, char (*to)[2][8], gsltune_mode mode, gsltune_scratch *scratch)
{
  for (size_t k = 0; k < N_OF (complex_rows); k++)
    {
      any_function *const function = complex_rows[k].to[c->x.type->is_float];

      CHECK (!(complex_rows[k].inputs == 2
                 ? ((two *) function) (&c->of_x, &c->of_y, to[k], the.stream, mode, scratch)
                 : ((one *) function) (&c->of_x, to[k], the.stream, mode, scratch)));
    }
}

static void
check_complex (const struct complex_pair *c, char (*to)[2][8], int fast)
{
  const size_t size = c->x.type->size;
  char result[N_OF (complex_rows)][2][8];
  size_t index;

  get (result, to, sizeof result, the.stream);
  oracle_load (&oracle, c->x.type->is_float ? GT_TYPE_COMPLEX_FLOAT : GT_TYPE_COMPLEX, c->x.host,
               c->of_x.stride, c->y.host, c->of_y.stride, c->of_x.n, NULL);
  for (size_t k = 0; k < N_OF (complex_rows); k++)
    {
      memcpy (&index, result[k], sizeof index);
      CHECK (complex_rows[k].results || index == largest_complex (c));
      for (int part = 0; part < complex_rows[k].results; part++)
        {
          const char *const at = (const char *) result[k] + (size_t) part * size;
          const double number = expected (complex_rows[k].name, part, size);

          CHECK (fast && complex_rows[k].name[0] != 'n' ? is_near (at, size, number, 2 * (double) c->of_x.n) : is_number (at, size, number));
        }
    }
}

SCENARIO_TEST (complex_results, NOTHING, h200)
{
  static const size_t lengths[] = {1, 2, 300, 9000}, strides[][2] = {{1, 1}, {3, 1}, {2, 5}};
  struct complex_pair c;

  open_scene ();
  for (size_t at = 0; at < 2 * N_OF (lengths) * N_OF (kinds); at++)
    {
      const size_t l = at / 2 / N_OF (kinds), k = at / 2 % N_OF (kinds), s = at % N_OF (strides);
      const enum kind kind = kinds[k];

      make_complex (&c, at % 2, kind, lengths[l], strides[s][0], strides[s][1]);
      ((struct gt_open_gpu *) c.of_x.gpu)->keep_few = at / 2 % 3 ? 5000 : GT_KEEP_FEW;
      put_complex (&c, the.results, k % 2 ? GSLTUNE_MODE_COMPENSATED : GSLTUNE_MODE_EXACT, k % 3 ? the.scratch : NULL);
      check_complex (&c, the.results, 0);
      if (kind == AROUND_ZERO)
        {
          put_complex (&c, the.results, GSLTUNE_MODE_FAST, the.scratch);
          check_complex (&c, the.results, 1);
        }
      free_complex (&c);
    }
  close_scene ();
}

/* The kernels that a product of X and Y takes, and then a sum of X's elements.  */
static void
count_kernels (const struct complex_pair *c, uint64_t few, unsigned long of_product, unsigned long of_sum)
{
  void *const library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *const to = the.results;
  softgpu_report_function *const report = (softgpu_report_function *) dlsym (library, "softgpu_report");
  struct softgpu_report r[3];

  CHECK (report);
  ((struct gt_open_gpu *) c->of_x.gpu)->keep_few = few;
  report (&r[0]);
  CHECK (!((two *) complex_rows[0].to[0]) (&c->of_x, &c->of_y, to, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  report (&r[1]);
  CHECK (!gsltune_device_vector_sum_to ((const gsltune_device_vector *) &c->x.view, to, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  report (&r[2]);
  for (int k = 0; k < 2; k++)
    CHECK (r[k + 1].calls[SOFTGPU_cuLaunchKernel] + r[k + 1].calls[SOFTGPU_cuLaunchKernelEx]
             - r[k].calls[SOFTGPU_cuLaunchKernel] - r[k].calls[SOFTGPU_cuLaunchKernelEx]
           == (k ? of_sum : of_product));
  dlclose (library);
}

/* Of few elements one kernel settles all by itself; of more another one follows.  */
SCENARIO (passes)
{
  struct complex_pair c;

  open_scene ();
  make_complex (&c, 0, AROUND_ZERO, 1000, 1, 1);
  count_kernels (&c, 2000, 4, 1);
  count_kernels (&c, 999, 8, 2);
  free_complex (&c);
  close_scene ();
}

SOFTGPU_TEST (kernels_of_passes)
{
  EXPECT_SCENARIO ("passes", "", NOTHING, h200);
}

/* One graph for elements of all kinds; as if the GPU had one multiprocessor ALONE, whose threads
   have several elements, so that kernels give up.  */
static void
check_complex_graph (size_t type, size_t n, size_t stride, int alone, gsltune_scratch *scratch)
{
  void *to = the.results;
  struct complex_pair c;
  struct gt_device *device;
  CUgraphExec exec;
  CUgraph graph;
  int sms;

  make_complex (&c, type, AROUND_ZERO, n, stride, 1);
  device = (struct gt_device *) ((struct gt_open_gpu *) c.of_x.gpu)->device;
  sms = device->gpu.sms;
  device->gpu.sms = alone ? 1 : sms;
  ((struct gt_open_gpu *) c.of_x.gpu)->keep_few = 1000;
  CHECK (!the.begin (the.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  put_complex (&c, to, scratch ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_PROCESS, scratch);
  device->gpu.sms = sms;
  CHECK (!the.end (the.stream, &graph) && graph);
  CHECK (!the.driver->cuGraphInstantiateWithFlags (&exec, graph, 0));
  for (size_t k = 0; k < N_OF (kinds); k++)
    {
      fill_operand (&c.x, kinds[k]);
      forget_results (to);
      CHECK (!the.driver->cuGraphLaunch (exec, the.stream));
      check_complex (&c, to, 0);
    }
  CHECK (!the.driver->cuGraphExecDestroy (exec) && !the.driver->cuGraphDestroy (graph));
  free_complex (&c);
}

SCENARIO_TEST (complex_graphs, "SOFTGPU_LATE=1", h200)
{

  open_scene ();
  check_complex_graph (0, 400, 1, 0, the.scratch);
  check_complex_graph (1, 400, 2, 0, NULL);
  check_complex_graph (0, 3000, 2, 1, the.scratch);
  close_scene ();
}

/* Of no elements all is 0; lengths differ; on the host.  */
SCENARIO_TEST (complex_errors, NOTHING, h200)
{
  const gsltune_device_vector_complex *x, *y;
  struct complex_pair c;
  gsl_complex found;
  gsl_complex *to;
  size_t index;

  gsl_set_error_handler (note_error);
  open_scene ();
  make_complex (&c, 0, AROUND_ZERO, 10, 1, 1);
  x = (const gsltune_device_vector_complex *) &c.of_x;
  y = (const gsltune_device_vector_complex *) &c.of_y;
  to = taken (sizeof *to);
  CHECK (gsltune_device_vector_complex_dotu_to (x, y, NULL, the.stream, GSLTUNE_MODE_PROCESS, NULL) == GSL_EINVAL);
  c.of_y.n = 0;
  CHECK (gsltune_device_vector_complex_dotc_to (x, y, to, the.stream, GSLTUNE_MODE_PROCESS, NULL) == GSL_EBADLEN);
  CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) to, 0xff, sizeof *to, the.stream));
  CHECK (!gsltune_device_vector_complex_dotu_to (y, y, to, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  get (&found, to, sizeof found, the.stream);
  CHECK (GSL_REAL (found) == 0 && GSL_IMAG (found) == 0);
  CHECK (!gsltune_device_vector_complex_iamax_to (y, (size_t *) to, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  get (&index, to, sizeof index, the.stream);
  CHECK (index == 0 && handler_calls == 0);
  free_complex (&c);
  give_back (to);
  close_scene ();
}

/* ------------------------------------------------------------------ Graphs */

/* All rows captured, with scratch memory or from a pool of the graph's; then the graph runs
   for elements that were not there.  */
static void
check_graph (const struct type *type, size_t n, gsltune_scratch *scratch)
{
  static const enum kind some[] = {ALL_SIZES, AROUND_ZERO, SPECIAL, CANCELLING};
  char result[MOST_ROWS][2][8], (*to)[2][8] = the.results;
  struct operand x, y;
  CUgraphExec exec;
  CUgraph graph;

  make_operand (&x, type, AROUND_ZERO, n, 1);
  make_operand (&y, type, AROUND_ZERO, n, 2);
  ((struct gt_open_gpu *) x.view.gpu)->keep_few = 5000;
  /* A capture in the strictest mode, with calls that would end it if they asked.  */
  CHECK (!the.begin (the.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  for (size_t k = 0; k < rows_of (type); k++)
    CHECK (!call (&type->rows[k], &x, &y, to[k], the.stream,
                  scratch ? GSLTUNE_MODE_EXACT : GSLTUNE_MODE_PROCESS, scratch));
  CHECK (!the.end (the.stream, &graph) && graph);
  CHECK (!the.driver->cuGraphInstantiateWithFlags (&exec, graph, 0));
  for (size_t k = 0; k < N_OF (some); k++)
    {
      fill_operand (&x, some[k]);
      fill_operand (&y, some[k] == SPECIAL ? AROUND_ZERO : some[k]);
      forget_results (to);
      CHECK (!the.driver->cuGraphLaunch (exec, the.stream));
      get (result, to, sizeof result, the.stream);
      for (size_t r = 0; r < rows_of (type); r++)
        check_row (&type->rows[r], &x, &y, (const char (*)[8]) result[r], 0);
    }
  CHECK (!the.driver->cuGraphExecDestroy (exec) && !the.driver->cuGraphDestroy (graph));
  free_operand (&x);
  free_operand (&y);
}

SCENARIO_TEST (graphs, "SOFTGPU_LATE=1", h200)
{

  open_scene ();
  check_graph (types[0], 400, the.scratch);
  check_graph (types[1], 400, NULL);
  check_graph (types[3], 1000, NULL);
  leaves_statistics = 1;
  check_graph (types[0], 9000, the.scratch);
  close_scene ();
}

/* Sums of rows, and with scratch memory variances of columns and segments, some of which the
   second kernel settles; on one graph, after itself.  */
SCENARIO_TEST (lines_graph, "SOFTGPU_LATE=1", h200)
{
  enum { ROWS = 30, COLUMNS = 20 };
  static const enum kind some[] = {ALL_SIZES, AROUND_ZERO, CANCELLING, HALFWAY, SPECIAL};
  enum { SEGMENTS = 3 };
  double results[ROWS + COLUMNS + SEGMENTS + 1], *to;
  unsigned long ends[] = {0, 0, 100, ROWS * COLUMNS};
  gsltune_device_vector_view sums, variances, means, all;
  gsltune_device_vector_ulong_view offsets;
  gsltune_device_matrix_view m;
  struct operand x, row;
  CUgraphExec exec;
  CUgraph graph;

  open_scene ();
  make_operand (&x, types[0], AROUND_ZERO, ROWS * COLUMNS, 1);
  to = taken (sizeof results);
  m = gsltune_device_matrix_view_array (x.device, ROWS, COLUMNS);
  sums = gsltune_device_vector_view_array (to, 1, ROWS);
  variances = gsltune_device_vector_view_array (to + ROWS, 1, COLUMNS);
  means = gsltune_device_vector_view_array (to + ROWS + COLUMNS, 1, SEGMENTS);
  all = gsltune_device_vector_view_array (x.device, 1, ROWS * COLUMNS);
  offsets = gsltune_device_vector_ulong_view_array (taken (sizeof ends), 1, SEGMENTS + 1);
  CHECK (!the.begin (the.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK (!gsltune_device_matrix_row_sum_to (&m.matrix, &sums.vector, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  CHECK (!gsltune_device_matrix_column_variance_to (&m.matrix, &variances.vector, the.stream,
                                                         GSLTUNE_MODE_EXACT, the.scratch));
  CHECK (!gsltune_device_vector_segment_mean_to (&all.vector, &offsets.vector, &means.vector, the.stream,
                                                      GSLTUNE_MODE_EXACT, the.scratch));
  CHECK (!gsltune_device_vector_sum_to (&all.vector, to + N_OF (results) - 1, the.stream,
                                             GSLTUNE_MODE_EXACT, the.scratch));
  CHECK (!the.end (the.stream, &graph) && graph);
  CHECK (!the.driver->cuGraphInstantiateWithFlags (&exec, graph, 0));
  for (size_t k = 0; k < N_OF (some); k++)
    {
      fill_operand (&x, some[k]);
      ends[2] += 70;
      put (offsets.vector.memory.data, ends, sizeof ends);
      CHECK (!the.driver->cuStreamSynchronize (NULL));
      CHECK (!the.driver->cuGraphLaunch (exec, the.stream));
      get (results, to, sizeof results, the.stream);
      load (&x, &x);
      CHECK (is_alike (results[N_OF (results) - 1], expected ("sum", 0, 8)));
      CHECK (results[ROWS + COLUMNS] == 0);
      for (int s = 1; s < SEGMENTS; s++)
        CHECK (is_alike (results[ROWS + COLUMNS + s],
                         gsltune_stats_mean ((const double *) x.host + ends[s], 1, ends[s + 1] - ends[s])));
      row = x;
      row.view.n = COLUMNS;
      for (size_t i = 0; i < ROWS; i++, row.host += COLUMNS * sizeof (double))
        {
          load (&row, &row);
          CHECK (is_alike (results[i], expected ("sum", 0, 8)));
        }
      for (size_t j = 0; j < COLUMNS; j++)
        CHECK (is_alike (results[ROWS + j],
                         gsltune_stats_variance ((const double *) x.host + j, COLUMNS, ROWS)));
    }
  CHECK (!the.driver->cuGraphExecDestroy (exec) && !the.driver->cuGraphDestroy (graph));
  free_operand (&x);
  give_back (offsets.vector.memory.data);
  give_back (to);
  close_scene ();
}

/* ----------------------------------------------------------------- Streams */

/* Work put into a stream is done in its order: between two fills of the elements, with
   nobody waiting, and beside another stream with scratch memory of its own.  */
SCENARIO_TEST (order_of_streams, "SOFTGPU_LATE=1", h200)
{
  gsltune_scratch *scratch[2];
  struct operand x[2];
  double sums[2][8], *to[2];
  CUstream streams[2];

  open_scene ();
  CHECK (!the.driver->cuStreamCreate (&streams[1], CU_STREAM_NON_BLOCKING));
  streams[0] = the.stream;
  for (int s = 0; s < 2; s++)
    {
      make_operand (&x[s], types[0], OF_ZEROS, 1000, 1);
      scratch[s] = gsltune_scratch_alloc (0);
      to[s] = taken (sizeof sums[s]);
    }
  for (int k = 0; k < 8; k++)
    for (int s = 0; s < 2; s++)
      {
        /* The bytes of a double of 0x3f3f...: one of a kind for each.  */
        CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) x[s].device,
                                             (unsigned char) (0x30 + 2 * k + s), 8000, streams[s]));
        CHECK (!gsltune_device_vector_sum_to ((const gsltune_device_vector *) &x[s].view, to[s] + k,
                                                   streams[s], GSLTUNE_MODE_EXACT, scratch[s]));
      }
  for (int s = 1; s >= 0; s--)
    {
      get (sums[s], to[s], sizeof sums[s], streams[s]);
      for (int k = 0; k < 8; k++)
        {
          unsigned char bytes[8];
          double element;

          memset (bytes, 0x30 + 2 * k + s, 8);
          memcpy (&element, bytes, 8);
          CHECK (sums[s][k] == element * 1000);
        }
      free_operand (&x[s]);
      give_back (to[s]);
      gsltune_scratch_free (scratch[s]);
    }
  CHECK (!the.driver->cuStreamDestroy (streams[1]));
  close_scene ();
}

/* Elements, results and scratch memory of a context that is not the primary one; on its default
   stream, and on one of its own, which is known by itself.  */
SCENARIO_TEST (other_contexts, NOTHING, h200)
{
  gsltune_scratch *scratch;
  CUcontext other, popped;
  CUstream stream;
  struct operand x;
  CUdevice device;
  double sum, *to;
  gsltune_device_vector_view result;
  gsltune_device_matrix_view line;
  void *room;

  open_scene ();
  CHECK (!the.driver->cuDeviceGet (&device, 0) && !the.create (&other, 0, device));
  CHECK (!the.driver->cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  make_operand (&x, types[0], ALL_SIZES, 20000, 1);
  ((struct gt_open_gpu *) x.view.gpu)->keep_few = 5000;
  load (&x, &x);
  to = taken (sizeof *to);
  room = taken (gsltune_scratch_size (0));
  scratch = gsltune_scratch_view (room, gsltune_scratch_size (0), stream);
  CHECK (scratch && !gsltune_scratch_view (room, gsltune_scratch_size (0) - 1, stream));
  CHECK (!gsltune_device_vector_sum_to ((const gsltune_device_vector *) &x.view, to, NULL,
                                             GSLTUNE_MODE_EXACT, NULL));
  get (&sum, to, sizeof sum, NULL);
  CHECK (sum == expected ("sum", 0, 8));
  CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) to, 0xff, sizeof *to, stream));
  /* The thread is in the primary context while the stream is not.  */
  CHECK (!the.driver->cuCtxPopCurrent (&popped) && popped == other);
  CHECK (!gsltune_device_vector_sum_to ((const gsltune_device_vector *) &x.view, to, stream,
                                             GSLTUNE_MODE_EXACT, scratch));
  CHECK (!the.driver->cuCtxPushCurrent (other));
  get (&sum, to, sizeof sum, stream);
  CHECK (sum == expected ("sum", 0, 8));
  line = gsltune_device_matrix_view_array (x.device, 1, 20000);
  result = gsltune_device_vector_view_array (to, 1, 1);
  CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) to, 0xff, sizeof *to, stream));
  CHECK (!gsltune_device_matrix_row_sum_to (&line.matrix, &result.vector, stream, GSLTUNE_MODE_PROCESS, NULL));
  get (&sum, to, sizeof sum, stream);
  CHECK (sum == expected ("sum", 0, 8));
  gsltune_scratch_free (scratch);
  give_back (room);
  give_back (to);
  free_operand (&x);
  CHECK (!the.driver->cuStreamDestroy (stream) && !the.destroy (other));
  close_scene ();
}

/* ------------------------------------------------------------------ Errors */

SCENARIO_TEST (errors, NOTHING, h200)
{
  const gsltune_device_vector *v;
  struct operand x, y;
  double sum, *to;

  gsl_set_error_handler (note_error);
  open_scene ();
  make_operand (&x, types[0], AROUND_ZERO, 10, 1);
  make_operand (&y, types[0], AROUND_ZERO, 9, 1);
  v = (const gsltune_device_vector *) &x.view;
  to = taken (sizeof *to);
  CHECK (gsltune_device_vector_sum_to (v, NULL, the.stream, GSLTUNE_MODE_PROCESS, NULL) == GSL_EINVAL);
  CHECK (gsltune_device_vector_minmax_to (v, to, NULL, the.stream, GSLTUNE_MODE_PROCESS, NULL) == GSL_EINVAL);
  CHECK (gsltune_device_vector_sum_to (v, to, the.stream, (gsltune_mode) 4, the.scratch) == GSL_EINVAL);
  CHECK (gsltune_device_vector_dot_to (v, (const gsltune_device_vector *) &y.view, to, the.stream, GSLTUNE_MODE_PROCESS, NULL)
         == GSL_EBADLEN);
  CHECK (gsltune_scratch_alloc (7) == NULL && gsltune_scratch_alloc (-1) == NULL);
  CHECK (gsltune_scratch_size (7) == 0 && gsltune_scratch_view (&sum, 1 << 20, NULL) == NULL);
  /* Of no elements.  */
  x.view.n = 0;
  CHECK (gsltune_device_vector_max_to (v, to, the.stream, GSLTUNE_MODE_PROCESS, NULL) == GSL_EDOM);
  CHECK (!the.driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) to, 0xff, sizeof *to, the.stream));
  CHECK (!gsltune_device_vector_sd_to (v, to, the.stream, GSLTUNE_MODE_PROCESS, NULL));
  get (&sum, to, sizeof sum, the.stream);
  CHECK (sum == 0);
  x.view.n = 10;
  CHECK (handler_calls == 0);
  give_back (to);
  free_operand (&x);
  free_operand (&y);
  close_scene ();
}

static void
check_complex_here (void)
{
  double parts[] = {1, 2, 3, -4};
  const gsl_vector_complex view = {2, 1, parts, NULL, 0};
  gsltune_device_vector_complex *v = gsltune_device_vector_complex_alloc (2);
  gsl_complex product;
  size_t index;

  CHECK (v && !gsltune_device_vector_complex_set (v, &view));
  CHECK (!gsltune_device_vector_complex_dotu_to (v, v, &product, NULL, GSLTUNE_MODE_PROCESS, NULL));
  CHECK (GSL_REAL (product) == -10 && GSL_IMAG (product) == -20);
  CHECK (!gsltune_device_vector_complex_dotc_to (v, v, &product, NULL, GSLTUNE_MODE_PROCESS, NULL));
  CHECK (GSL_REAL (product) == 30 && GSL_IMAG (product) == 0);
  CHECK (!gsltune_device_vector_complex_iamax_to (v, &index, NULL, GSLTUNE_MODE_PROCESS, NULL) && index == 1);
  gsltune_device_vector_complex_free (v);
}

/* Where there is no GPU vectors are on the host, and so are results.  */
SCENARIO_TEST (without_a_gpu, "GSLTUNE_DEVICE=cpu")
{
  double x[] = {1, 1e100, 1, -1e100}, sum;
  gsltune_device_vector *v = gsltune_device_vector_alloc (4);
  gsltune_scratch *scratch = gsltune_scratch_alloc (0);
  const gsl_vector view = VIEW (x, 4, 1);
  size_t least, largest;

  CHECK (v && scratch && !gsltune_device_vector_on_gpu (v) && gsltune_scratch_size (0) == 0);
  CHECK (!gsltune_device_vector_set (v, &view));
  CHECK (!gsltune_device_vector_sum_to (v, &sum, NULL, GSLTUNE_MODE_EXACT, scratch) && sum == 2);
  CHECK (!gsltune_device_vector_minmax_index_to (v, &least, &largest, NULL, GSLTUNE_MODE_PROCESS, NULL) && least == 3 && largest == 1);
  CHECK (!gsltune_device_vector_dot_to (v, v, &sum, NULL, GSLTUNE_MODE_PROCESS, NULL) && sum == 2e200);
  gsltune_scratch_free (scratch);
  gsltune_device_vector_free (v);
  check_complex_here ();
}

RUN_SCENARIOS (NULL, NULL)
