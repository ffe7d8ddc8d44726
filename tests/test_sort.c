/* Tests of the functions that sort and select: they are GSL's, bit for bit, and so is
   what they leave in arrays, of each type, whatever the elements are, and by each algorithm
   that this machine has.  The oracle is GSL.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sort_vector.h>
#include <gsl/gsl_statistics.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "tests/unit.h"

#include "kernels/cpu/isa/isa.h"
#include "src/cpu/sort.h"
#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/order_data.h"

#define MOST ((size_t) 1 << 17)    /* elements */
#define ROOM ((size_t) 16 * MOST)  /* bytes, in front of a page that is not there */
#define N_ARRAYS 4

/* Data and more data, what is written, and integers; of GSL, of ours, and as they are at first.  */
enum { GSLS, OURS, FRESH, N_SETS };
static char *array_end[N_SETS][N_ARRAYS];
enum { DATA, MORE_DATA, WORK, INTEGERS };

static char *
fenced (void)
{
  char *const room = mmap (NULL, ROOM + 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  assert_ptr_not_equal (room, MAP_FAILED);
  assert_int_equal (mprotect (room + ROOM, 4096, PROT_NONE), 0);
  return room + ROOM;
}

FIXTURE (make_arrays)
{
  gsl_set_error_handler_off ();
  for (int whose = 0; whose < N_SETS; whose++)
    for (int k = 0; k < N_ARRAYS; k++)
      array_end[whose][k] = fenced ();
  return 0;
}

/* Beside what tests/order_data.h has.  */
enum pattern
{
  SORTED = 100,
  REVERSED,
  ORGAN_PIPE,
  KILLER, /* of medians of three (D. R. Musser, 1997) */
  SHUFFLED,
  N_PATTERNS,
  SOME_NAN, /* one to five among many, with and without sign */
  SOME_TINY, /* as many subnormals among many */
  TINY      /* subnormals, or long doubles of their size; of an odd number none is negative */
};

/* A number for place I of N.  */
static size_t
patterned (enum pattern pattern, size_t i, size_t n)
{
  switch (pattern)
    {
    case REVERSED:
      return n - i;
    case ORGAN_PIPE:
      return i < n / 2 ? i : n - i;
    case KILLER:
      return i < n / 2 ? (i % 2 ? n / 2 + i : i) : 2 * (i - n / 2);
    case SHUFFLED:
      return (i * 7919 + 13) % (n % 7919 ? n : n + 1);
    default:
      return i;
    }
}

/* One call.  */
struct call
{
  int what, data;
  size_t n, stride, k;
};

static size_t
span (const struct call *c)
{
  return c->n ? (c->n - 1) * c->stride + 1 : 0;
}

/* Bytes of any array that a call for elements of SIZE bytes may write.  */
static size_t
written (const struct call *c, size_t size)
{
  return (c->stride + 5) * (c->n + 1) * (size > 8 ? size : 8);
}

enum
{
  SORT, SORT_VECTOR, SORT2, SORT_VECTOR2, INDEX, VECTOR_INDEX, SELECTED, MEDIAN, MAD0, MAD,
  N_CALLS
};

/* Of so many elements what few have shown is not asked again: the edges of K, and what passes a
   vector on.  */
#define MANY 300

static int
is_repeated (const struct call *c)
{
  const int of_vectors = c->what == SORT_VECTOR || c->what == SORT_VECTOR2
                         || c->what == VECTOR_INDEX;
  const int at_edge = c->k == 0 || c->k >= c->n;

  return c->n > MANY && (of_vectors || (at_edge && c->what == SELECTED));
}

/* The bits of the control word that are set for each call: denormals are zeros, and results are
   flushed to zero.  */
static unsigned control;

static void
set_control (unsigned bits)
{
#if defined __x86_64__
  _mm_setcsr ((_mm_getcsr () & ~0x8040u) | bits);
#else
  (void) bits;
#endif
}

#define GT_TEMPLATE "tests/sort_of.inc"
#include "src/each_type.h"

static void
every_type (size_t n, size_t stride)
{
#define X(id, name, infix, ctype, arithmetic) all_calls##infix (n, stride);
  GT_ELEMENT_TYPES (X)
#undef X
}

TEST (few_elements)
{
  for (size_t n = 0; n <= 26; n += 2)
    every_type (n, 1 + n % 3);
  for (size_t n = 1; n <= 19; n += 3)
    every_type (n, 1 + n % 3);
}

TEST (some_elements)
{
  for (size_t n = 41; n <= MANY; n += 37)
    every_type (n, 1 + n % 3);
}

TEST (many_elements)
{
  every_type (1000, 2);
}

/* So many that a selection looks through blocks.  */
TEST (selections)
{
  static const int whats[] = {SELECTED, MEDIAN};

  for (size_t w = 0; w < N_OF (whats); w++)
    for (size_t stride = 1; stride < 3; stride++)
      for (int data = 0; data < N_PATTERNS; data = data + 1 == N_SOWN ? SORTED : data + 1)
        {
#define X(id, name, infix, ctype, arithmetic) \
  agree##infix (&(struct call) {whats[w], data, 2600, stride, 1100});
          GT_ELEMENT_TYPES (X)
#undef X
        }
}

/* Calls of all functions with elements of DATA, of types that are real.  */
static void
every_real_type (int data, size_t n, size_t stride)
{
  for (int what = 0; what < N_CALLS; what++)
    {
      const struct call c = {what, data, n, stride, n / 3};

      agree (&c);
      agree_float (&c);
      agree_long_double (&c);
    }
}

/* What vqsort must not be given is seen, wherever it is.  */
TEST (few_nan_among_many)
{
  for (size_t n = 100; n < 2500; n += 71)
    every_real_type (SOME_NAN, n, 1 + n % 2);
  for (size_t n = 19999; n < 20004; n++)
    every_real_type (SOME_NAN, n, 1);
}

/* GSL compares in the caller's environment: to its comparisons subnormals are zeros there.  */
TEST (denormals_are_zeros)
{
#if defined __x86_64__
  for (control = 0x40; control <= 0x8040; control += 0x8000)
    for (size_t n = 2; n < 3000; n = n * 3 + 1)
      {
        every_real_type (TINY, n, 1 + n % 2);
        every_real_type (SOME_TINY, n, 1 + n % 2);
      }
  control = 0;
#else
  SKIP ("denormals are zeros on x86 alone");
#endif
}

/* One element has the greatest value of its type, or several have.  */
TEST (greatest_keys)
{
  unsigned long x[1200];
  size_t p[2][1200];
  uint64_t seed = 3;

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    for (size_t n = 770; n < 1200 && gt_isa_runs ((enum gt_isa) isa); n += 13)
      for (size_t greatest = 1; greatest < 4; greatest++)
        {
          gt_isa_set_limit ((enum gt_isa) isa);
          for (size_t i = 0; i < n; i++)
            x[i] = random_word (&seed);
          for (size_t k = 0; k < greatest; k++)
            x[(n / 3 + 100 * k) % n] = ULONG_MAX;
          gsltune_sort_ulong_index (p[0], x, 1, n);
          gsl_sort_ulong_index (p[1], x, 1, n);
          assert_memory_equal (p[0], p[1], n * sizeof **p);
        }
  gt_isa_set_limit (GT_N_ISAS - 1);
}

/* Nearly all elements are one number, the others a little less.  */
TEST (one_value_and_less)
{
  static const double values[] = {0x1p-1060, 1e-300, 0.125, 1, 3, -0.125, -0x1p-1060, 0};
  static const float float_values[] = {0x1p-140f, 1e-30f, 0.125f, 1, 3, -0.125f, -0x1p-140f, 0};
  double x[2][700];
  float y[2][700];

  for (size_t v = 0; v < N_OF (values); v++)
    for (size_t n = 30; n <= 700; n += 67)
      for (size_t at = 0; at < n; at += n / 7)
        {
          for (size_t i = 0; i < n; i++)
            {
              x[0][i] = values[v];
              y[0][i] = float_values[v];
            }
          for (size_t k = 0; k < 6; k++)
            {
              x[0][(at + 7 * k) % n] = nextafter (x[0][(at + 7 * k + 6) % n], -HUGE_VAL);
              y[0][(at + 7 * k) % n] = nextafterf (y[0][(at + 7 * k + 6) % n], -HUGE_VALF);
            }
          memcpy (x[1], x[0], n * sizeof (double));
          memcpy (y[1], y[0], n * sizeof (float));
          gsltune_sort (x[0], 1, n);
          gsl_sort (x[1], 1, n);
          gsltune_sort_float (y[0], 1, n);
          gsl_sort_float (y[1], 1, n);
          assert_memory_equal (x[0], x[1], n * sizeof (double));
          assert_memory_equal (y[0], y[1], n * sizeof (float));
        }
}

/* Elements for what threads share: random, few different ones, in order and the other way.
   None is NaN, and zeros have one sign.  */
static void
fill_for_threads (unsigned kind, void *elements, size_t n, int pattern)
{
  const size_t size = gt_sort_size (kind), bytes = n * size;
  uint64_t *const words = elements, seed = n;

  for (size_t i = 0; i < bytes / 8 + 2; i++)
    {
      const uint64_t random = random_word (&seed) >> 1 & ~(uint64_t) 0x4000400040004000;

      words[i] = pattern == 0   ? random
                 : pattern == 1 ? random & 0x0003000300030003
                 : pattern == 2 ? i
                                : n - i;
    }
}

/* Several threads sort as one does, elements of each kind of element.  */
TEST (threads_share)
{
  static const size_t lengths[] = {1, 2, 1023, 1024, 8191, 8192, 8193, 70001};
  uint64_t *const one = malloc (16 * MOST), *const many = malloc (16 * MOST);

  for (unsigned kind = 0; kind < GT_N_SORT_KINDS; kind++)
    for (size_t l = 0; l < 4 * N_OF (lengths) && gt_sort_has_vqsort (kind); l++)
      for (unsigned threads = 2; threads < 6; threads++)
        {
          const size_t n = lengths[l / 4], bytes = n * gt_sort_size (kind);

          fill_for_threads (kind, one, n, (int) l % 4);
          memcpy (many, one, bytes);
          gt_sort_elements (kind, one, n);
          gt_sort (kind, many, n, threads);
          assert_memory_equal (one, many, bytes);
        }
  free (one);
  free (many);
}

/* Vectors that overlap are exchanged element by element, as GSL does.  */
TEST (overlapping_vectors)
{
  for (size_t n = 2; n < 40; n++)
    for (size_t offset = 0; offset < 6; offset++)
      for (size_t stride = 1; stride < 4; stride++)
        {
          double x[2][200];
          uint64_t seed = n;

          for (size_t i = 0; i < 200; i++)
            x[0][i] = x[1][i] = (double) (random_word (&seed) >> 50);
          gsltune_sort2 (x[0], stride, x[0] + offset, stride, n);
          gsl_sort2 (x[1], stride, x[1] + offset, stride, n);
          assert_memory_equal (x[0], x[1], sizeof x[0]);
        }
}

/* Above the limit GSL sorts, where scratch memory would be needed; the same comes of it.  */
TEST (scratch_limit)
{
  const size_t limit = gsltune_get_scratch_limit ();

  gsltune_set_scratch_limit (0);
  every_type (200, 2);
  every_type (1000, 1);
  gsltune_set_scratch_limit (limit);
}

RUN_TESTS (make_arrays, NULL)
