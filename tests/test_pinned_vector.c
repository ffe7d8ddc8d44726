/* Tests of vectors in pinned memory (src/gpu/pinned_vector.c):
   in plain memory where there is no GPU, on the devices of tests/softgpu, and
   on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/scenario.h"
#include "tests/vector_shapes.h"

#if HAVE_CUDA
#include "src/cuda/cuda_driver.h"
#include "src/device/gpus.h"
#endif

#define VIEW(infix, data, n, stride) \
  ((gsl_vector##infix) {n, stride, data, NULL, 0})

/* Whether the driver knows ADDRESS as host memory of its own or registered.  */
static int
is_pinned (const void *address)
{
#if HAVE_CUDA
  const struct gt_cuda_driver *driver = gt_cuda_driver (NULL);
  unsigned type;

  return driver
         && driver->cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                           (CUdeviceptr) (uintptr_t) address)
              == CUDA_SUCCESS
         && type == CU_MEMORYTYPE_HOST;
#else
  (void) address;
  return 0;
#endif
}

/* ------------------------------------------------ Scenarios of all types */

/* The fate of the memory: whether alloc gives pinned memory, pin pins, and
   unpin unpins.  Unless they do, pin and unpin return REFUSED.  */
struct fate
{
  int alloc, pin, unpin, refused;
};

#define X(ID, name, infix, ctype, id)                                         \
  static void allocated##infix (size_t n, int pinned)                         \
  {                                                                           \
    gsl_vector##infix *v = gsltune_vector##infix##_alloc (n);                 \
    gsl_vector##infix *w = gsltune_vector##infix##_calloc (n);                \
    union gt_value sum;                                                         \
    CHECK (v && v->size == n && v->stride == 1 && v->data && v->owner == 0);  \
    CHECK (v->block && v->block->size == n && v->block->data == v->data);     \
    CHECK ((uintptr_t) v->data % 64 == 0);                                    \
    CHECK (w && w->size == n && w->stride == 1 && w->data != v->data);        \
    pinned = pinned && n > 0 && GT_##id != GT_LDBL;                           \
    CHECK (is_pinned (v->data) == pinned);                                    \
    CHECK (!n || is_pinned (w->data + (n - 1)) == pinned);                    \
    sum = put_exact (GT_##id, v->data, n, 1, n);                              \
    for (size_t i = 0; i < n; i++)                                            \
      CHECK (w->data[i] == 0);                                                \
    CHECK (gsltune_vector##infix##_sum (v) == GT_LEADING (sum, ctype));       \
    CHECK (gsltune_vector##infix##_sum (w) == 0);                             \
    gsltune_vector##infix##_free (v);                                         \
    gsltune_vector##infix##_free (w);                                         \
    gsltune_vector##infix##_free (NULL);                                      \
  }                                                                           \
                                                                              \
  static void registered##infix (size_t n, size_t stride,                     \
                                 const struct fate *fate)                     \
  {                                                                           \
    size_t span = n ? (n - 1) * stride + 1 : 1;                               \
    ctype *x = malloc (span * sizeof *x);                                     \
    gsl_vector##infix v = VIEW (infix, x, n, stride);                         \
    int any = n > 0 && GT_##id != GT_LDBL;                                    \
    union gt_value sum;                                                         \
    CHECK (x);                                                                \
    fill_poison (GT_##id, x, span);                                           \
    sum = put_exact (GT_##id, x, n, stride, n);                               \
    CHECK (gsltune_vector##infix##_pin (&v)                                   \
           == (any && !fate->pin ? fate->refused : GSL_SUCCESS));             \
    for (size_t i = 0; i < span; i += span < 8 ? 1 : span / 8)                \
      CHECK (is_pinned (x + i) == (any && fate->pin));                        \
    CHECK (is_pinned (x + (span - 1)) == (any && fate->pin));                 \
    CHECK (gsltune_vector##infix##_sum (&v) == GT_LEADING (sum, ctype));      \
    CHECK (gsltune_vector##infix##_unpin (&v)                                 \
           == (any && !fate->unpin ? fate->refused : GSL_SUCCESS));           \
    CHECK (is_pinned (x) == (any && fate->pin && !fate->unpin));              \
    CHECK (gsltune_vector##infix##_sum (&v) == GT_LEADING (sum, ctype));      \
    /* Memory that is still pinned may not go back to malloc.  */             \
    if (!any || !fate->pin || fate->unpin)                                    \
      free (x);                                                               \
  }                                                                           \
                                                                              \
  static void all##infix (const struct fate *fate)                            \
  {                                                                           \
    for (size_t k = 0; k < N_OF (lengths); k++)                               \
      allocated##infix (lengths[k], fate->alloc);                             \
    for (size_t k = 0; k < N_OF (lengths); k++)                               \
      for (size_t s = 0; s < N_OF (strides); s++)                             \
        registered##infix (lengths[k], strides[s], fate);                     \
  }
GT_ELEMENT_TYPES (X)
#undef X

/* GSL's default error handler aborts: it is in force here.  */
static void
all_types (int alloc, int pin, int unpin, int refused)
{
  const struct fate fate = {alloc, pin, unpin, refused};

#define X(ID, name, infix, ctype, id) all##infix (&fate);
  GT_ELEMENT_TYPES (X)
#undef X
}

SCENARIO (plain)
{
  all_types (0, 0, 0, GSL_SUCCESS);
}

/* More than there can be, and so many that their bytes, counted modulo 2^64, are few.  */
SCENARIO (no_memory)
{
  static const size_t much[] = {SIZE_MAX / 32, SIZE_MAX / 8 + 2};

  gsl_set_error_handler (note_error);
  for (size_t k = 0; k < N_OF (much); k++)
    {
      handler_calls = 0;
      CHECK (gsltune_vector_alloc (much[k]) == NULL);
      CHECK (handler_calls == 1 && handler_code == GSL_ENOMEM);
      CHECK (gsltune_vector_long_double_calloc (much[k]) == NULL);
      CHECK (handler_calls == 2 && handler_code == GSL_ENOMEM);
    }
}

#if HAVE_CUDA

/* ----------------------------------------------------- Scenarios on a GPU */

SCENARIO (pinned)
{
  all_types (1, 1, 1, GSL_EFAILED);
}

/* The driver refuses one thing.  */

SCENARIO (no_alloc)
{
  all_types (0, 1, 1, GSL_EFAILED);
}

SCENARIO (no_pin)
{
  all_types (1, 0, 0, GSL_EFAILED);
}

SCENARIO (no_unpin)
{
  all_types (1, 1, 0, GSL_EFAILED);
}

#define LONG 20000

/* Memory that is pinned already, as a whole or in part.  */
SCENARIO_TEST (already_pinned, "GSLTUNE_DEVICE=cuda", h200)
{
  gsl_vector *v = gsltune_vector_calloc (LONG), *w = gsl_vector_alloc (LONG);
  double *x = w->data, sum = put_exact (GT_F64, x, LONG, 1, 3).f64[0];
  double where_it_lies;
  gsl_vector middle = VIEW (, x + 5000, 5000, 2);
  gsl_vector rest = VIEW (, x + 7000, LONG - 7000, 1);

  gsl_vector_memcpy (v, w);
  CHECK (gsltune_device_sum (v->data, 1, LONG, NULL, &where_it_lies)
           == GSL_SUCCESS && where_it_lies == sum);
  CHECK (gsltune_vector_pin (v) == GSL_SUCCESS);
  CHECK (gsltune_vector_unpin (v) == GSL_EFAILED);
  CHECK (is_pinned (v->data));
  gsltune_vector_free (v);
  CHECK (gsltune_vector_unpin (w) == GSL_EFAILED);
  CHECK (gsltune_vector_pin (w) == GSL_SUCCESS);
  CHECK (gsltune_vector_pin (w) == GSL_SUCCESS);
  CHECK (gsltune_vector_pin (&middle) == GSL_SUCCESS);
  CHECK (gsltune_device_sum (x, 1, LONG, NULL, &where_it_lies)
           == GSL_SUCCESS && where_it_lies == sum);
  CHECK (gsltune_vector_unpin (&middle) == GSL_EFAILED);
  CHECK (gsltune_vector_unpin (w) == GSL_SUCCESS);
  CHECK (!is_pinned (x));
  /* Sums of what is pinned in part are right too.  */
  CHECK (gsltune_vector_pin (&middle) == GSL_SUCCESS);
  CHECK (gsltune_vector_pin (w) == GSL_EFAILED);
  CHECK (gsltune_vector_pin (&rest) == GSL_EFAILED);
  CHECK (gsltune_vector_sum (w) == sum);
  for (size_t from = 0; from < 10000; from += 1111)
    {
      gsl_vector part = VIEW (, x + from, LONG - from, 1);
      CHECK (gsltune_vector_sum (&part) == gsl_vector_sum (&part));
    }
  CHECK (gsltune_vector_unpin (&middle) == GSL_SUCCESS);
  CHECK (gsltune_vector_pin (w) == GSL_SUCCESS);
  CHECK (gsltune_vector_unpin (w) == GSL_SUCCESS);
  gsl_vector_free (w);
}

/* More elements than bytes can be counted are no vector to pin.  */
SCENARIO_TEST (too_long, "GSLTUNE_DEVICE=cuda", h200)
{
  double x = 0;

  CHECK (gsltune_vector_pin (&VIEW (, &x, SIZE_MAX, 1)) == GSL_EFAILED);
  CHECK (gsltune_vector_pin (&VIEW (, &x, SIZE_MAX / 2, 3)) == GSL_EFAILED);
  CHECK (gsltune_vector_pin (&VIEW (, &x, 2, SIZE_MAX)) == GSL_EFAILED);
}

/* The first launch ends the GPU's context.  */
SCENARIO (context_fails)
{
  double x[1000], sum = put_exact (GT_F64, x, N_OF (x), 1, 4).f64[0];
  gsl_vector *v = gsltune_vector_alloc (N_OF (x)), *w;
  gsl_vector ours = VIEW (, x, N_OF (x), 1);

  CHECK (is_pinned (v->data));
  gsl_vector_memcpy (v, &ours);
  gsltune_set_mode (GSLTUNE_MODE_COMPENSATED); /* never the short way */
  CHECK (gsltune_vector_sum (v) == sum);
  w = gsltune_vector_alloc (N_OF (x));
  gsl_vector_memcpy (w, v);
  CHECK (gsltune_vector_pin (&ours) == GSL_SUCCESS);
  CHECK (gsltune_vector_sum (v) == sum && gsltune_vector_sum (w) == sum
         && gsltune_vector_sum (&ours) == sum);
  CHECK (gsltune_vector_unpin (&ours) == GSL_SUCCESS);
  gsltune_vector_free (v);
  gsltune_vector_free (w);
}

/* A child makes no call (softgpu would say so), has plain memory, and frees what it likes.  */
static void
in_forked_child (gsl_vector *v, gsl_vector *ours)
{
  gsl_vector *w = gsltune_vector_calloc (1000);

  CHECK (gsltune_vector_pin (w) == GSL_SUCCESS);
  CHECK (gsltune_vector_unpin (w) == GSL_SUCCESS);
  CHECK (gsltune_vector_unpin (ours) == GSL_SUCCESS);
  CHECK (gsltune_vector_sum (w) == 0);
  gsltune_vector_free (v);
  gsltune_vector_free (w);
}

SCENARIO_TEST (forked, "GSLTUNE_DEVICE=cuda", h200)
{
  double x[1000], sum = put_exact (GT_F64, x, N_OF (x), 1, 5).f64[0];
  gsl_vector *v = gsltune_vector_alloc (N_OF (x));
  gsl_vector ours = VIEW (, x, N_OF (x), 1);
  int status;
  pid_t child;

  gsl_vector_memcpy (v, &ours);
  CHECK (gsltune_vector_pin (&ours) == GSL_SUCCESS);
  fflush (NULL);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      alarm (60);
      in_forked_child (v, &ours);
      _exit (0);
    }
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK (is_pinned (v->data) && is_pinned (x));
  CHECK (gsltune_vector_sum (v) == sum && gsltune_vector_sum (&ours) == sum);
  CHECK (gsltune_vector_unpin (&ours) == GSL_SUCCESS);
  gsltune_vector_free (v);
}

#if HAVE_CUDA
/* A GPU that is not used any more, for an error that has not ended its context, gives
   back what was pinned for it.  */
SCENARIO (given_up)
{
  static double x[100000];
  const gsl_vector v = VIEW (, x, N_OF (x), 1);

  CHECK (gsltune_vector_pin (&v) == GSL_SUCCESS && is_pinned (x));
  CHECK (gsltune_vector_sum (&v) == 0 && gt_gpu_chosen (NULL) == NULL);
  CHECK (gsltune_vector_unpin (&v) == GSL_SUCCESS && !is_pinned (x));
  CHECK (gsltune_vector_unpin (&v) == GSL_SUCCESS);
  CHECK (gsltune_vector_pin (&v) == GSL_SUCCESS && !is_pinned (x));
}
#endif

/* A mistake that loses the elements, and nothing worse.  */
SCENARIO_TEST (freed_by_gsl, "GSLTUNE_DEVICE=cuda", h200)
{
  gsl_vector *v = gsltune_vector_calloc (1000);
  double *x = v->data;

  gsl_vector_free (v);
  CHECK (is_pinned (x) && x[999] == 0);
}

#define WORKERS 8

static void *
work (void *argument)
{
  double *x = argument, sum = gsl_vector_sum (&VIEW (, x, 1000, 1));

  for (int round = 0; round < 50; round++)
    {
      gsl_vector *v = gsltune_vector_alloc (1000);
      CHECK (gsltune_vector_pin (&VIEW (, x, 1000, 1)) == GSL_SUCCESS);
      gsl_vector_memcpy (v, &VIEW (, x, 1000, 1));
      CHECK (gsltune_vector_sum (v) == sum);
      CHECK (gsltune_vector_sum (&VIEW (, x, 1000, 1)) == sum);
      CHECK (gsltune_vector_unpin (&VIEW (, x, 1000, 1)) == GSL_SUCCESS);
      gsltune_vector_free (v);
    }
  return NULL;
}

SCENARIO_TEST (threads, "GSLTUNE_DEVICE=cuda", h200)
{
  static _Alignas (65536) double x[WORKERS][8192];
  pthread_t thread[WORKERS];

  gsltune_set_mode (GSLTUNE_MODE_COMPENSATED); /* never the short way */
  for (size_t k = 0; k < WORKERS; k++)
    {
      put_exact (GT_F64, x[k], 1000, 1, k);
      CHECK (!pthread_create (&thread[k], NULL, work, x[k]));
    }
  for (size_t k = 0; k < WORKERS; k++)
    CHECK (!pthread_join (thread[k], NULL));
}

/* Without a sum, so that the library itself holds nothing.  */
#define X(ID, name, infix, ctype, id)                                         \
  static void come_and_go##infix (int go)                                     \
  {                                                                           \
    static ctype x[100];                                                      \
    gsl_vector##infix *v = gsltune_vector##infix##_alloc (100);               \
    gsl_vector##infix *w = gsltune_vector##infix##_calloc (100);              \
    CHECK (gsltune_vector##infix##_pin (&VIEW (infix, x, 100, 1))             \
           == GSL_SUCCESS);                                                   \
    if (!go)                                                                  \
      return;                                                                 \
    CHECK (gsltune_vector##infix##_unpin (&VIEW (infix, x, 100, 1))           \
           == GSL_SUCCESS);                                                   \
    gsltune_vector##infix##_free (v);                                         \
    gsltune_vector##infix##_free (w);                                         \
  }
GT_ELEMENT_TYPES (X)
#undef X

SCENARIO (freed)
{
#define X(ID, name, infix, ctype, id) come_and_go##infix (1);
  GT_ELEMENT_TYPES (X)
#undef X
}

SCENARIO (leaked)
{
  come_and_go (0);
  come_and_go_uchar (0);
}

#endif

/* ------------------------------------------------------------------ Tests */

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("plain", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("plain", "", "GSLTUNE_DEVICE=cpu", h200);
  EXPECT_SCENARIO ("plain", "", "GSLTUNE_DEVICE=cuda:77", h200);
}

#if HAVE_CUDA

TEST (every_type_on_a_gpu)
{
  EXPECT_SCENARIO ("pinned", "", "GSLTUNE_DEVICE=auto", h200);
  EXPECT_SCENARIO ("pinned", "", "GSLTUNE_DEVICE=cuda", h200);
  EXPECT_SCENARIO ("pinned", "", "GSLTUNE_DEVICE=cuda", "GSLTUNE_MODE=compensated", h200);
}

/* Errors that pass, and one that ends the GPU's context: then nothing is pinned
   that was not before.  */
SOFTGPU_TEST (a_driver_that_refuses)
{
  static const char *const codes[] = {"1", "2", "304", "800", "801"};
  char word[80];

  for (size_t k = 0; k < N_OF (codes); k++)
    {
      snprintf (word, sizeof word, "SOFTGPU_FAIL=cuMemHostAlloc:*=%s", codes[k]);
      EXPECT_SCENARIO ("no_alloc", "", "GSLTUNE_DEVICE=cuda", word, h200);
      snprintf (word, sizeof word, "SOFTGPU_FAIL=cuMemHostRegister:*=%s", codes[k]);
      EXPECT_SCENARIO ("no_pin", "", "GSLTUNE_DEVICE=cuda", word, h200);
      snprintf (word, sizeof word, "SOFTGPU_FAIL=cuMemHostUnregister:*=%s", codes[k]);
      EXPECT_SCENARIO ("no_unpin", "", "GSLTUNE_DEVICE=cuda", word, h200);
    }
  EXPECT_SCENARIO ("plain", "", "SOFTGPU_FAIL=cuMemHostAlloc:*=999", h200);
  EXPECT_SCENARIO ("plain", "", "SOFTGPU_FAIL=cuDevicePrimaryCtxRetain:*=2", h200);
  EXPECT_SCENARIO ("context_fails", "", "GSLTUNE_DEVICE=cuda",
                   "SOFTGPU_FAIL=cuLaunchKernel:1=700", h200);
  EXPECT_SCENARIO ("given_up", "", "GSLTUNE_DEVICE=cuda",
                   "SOFTGPU_FAIL=cuLaunchKernel:1=999", h200);
}

SOFTGPU_TEST (several_gpus)
{
  EXPECT_SCENARIO ("pinned", "", "GSLTUNE_DEVICE=cuda:1", h200_and_a100);
}

SOFTGPU_TEST (leaks)
{
  const char *const settings[] = {"SOFTGPU_LEAKS=1", h200,
                                  "ASAN_OPTIONS=detect_leaks=0", NULL};

  EXPECT_SCENARIO ("freed", "", "SOFTGPU_LEAKS=1", h200);
  assert_int_equal (run_scenario ("leaked", settings), 99);
  assert_string_equal (scenario_output, "softgpu: leaked 6 host allocations\n");
}

#endif

/* AddressSanitizer ends a program that asks for more than there can be, or says so.  */
SOFTGPU_TEST (short_of_memory)
{
  EXPECT_SCENARIO ("no_memory", NULL, "CUDA_VISIBLE_DEVICES=",
                   "ASAN_OPTIONS=allocator_may_return_null=1");
  EXPECT_SCENARIO ("no_memory", NULL, "ASAN_OPTIONS=allocator_may_return_null=1", h200);
}

RUN_SCENARIOS (NULL, NULL)
