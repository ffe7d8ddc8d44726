/* Tests of several exact sums at once on a GPU: every entry point of every such reduction
   leaves the accumulators that adding one element after the other gives, word for word.  On a
   device of tests/softgpu, or on the machine's own GPU where on_gpu.sh asks for that.

   With the argument `long' and a number, so many random cases more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/device/geometry.h"
#include "tests/sums_oracle.h"
#include "tests/gpu_subjects.h"

static unsigned long cases;
static uint64_t seed = 20261122;

FIXTURE (find_exact)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (int r = 0; r < GT_N_REDUCTIONS; r++)
      for (int a = 0; a < GT_FIRST_COMPLEX && gt_reduction_sums (r); a++)
        for (int l = 0; l < GT_N_LAYOUTS; l++)
          add_subjects ((struct subject) {.kernel = &gt_catalog[k],
                                          .reduction = (enum gt_reduction) r,
                                          .arithmetic = (enum gt_arithmetic) a,
                                          .mode = GT_MODE_EXACT,
                                          .layout = (enum gt_layout) l});
  return n_subjects ? 0 : -1;
}

/* ------------------------------------------------------------------- Data */

/* Exponents, of doubles and of floats, that elements have: COUNT of them from FIRST
   on; one in WIDE, if that is not zero, has any.  One in ODD is something special.
   Where they CANCEL every second element is the one before, with the other sign,
   but for its last digit now and then.  */
struct kind
{
  const char *name;
  unsigned first[2], count[2], wide, odd;
  int cancel;
};

static const struct kind kinds[] = {
  {"similar", {1021, 125}, {2, 2}, 0, 0, 0},
  {"within 40", {983, 107}, {80, 40}, 0, 0, 0},
  {"any", {0, 0}, {2047, 255}, 0, 0, 0},
  {"that cancel", {1010, 120}, {30, 10}, 0, 0, 1},
  {"any that cancel", {0, 0}, {2047, 255}, 0, 0, 1},
  {"whose products overflow", {1500, 190}, {40, 10}, 0, 0, 0},
  {"whose products overflow and underflow", {500, 60}, {1050, 140}, 0, 0, 1},
  {"whose products underflow", {480, 50}, {60, 20}, 0, 0, 0},
  {"whose products are nothing", {0, 0}, {400, 40}, 0, 0, 1},
  {"whose squares are the largest that fit", {1500, 170}, {14, 10}, 0, 0, 0},
  {"zero and subnormal", {0, 0}, {1, 1}, 0, 5, 0},
  {"with outliers", {1000, 120}, {10, 4}, 300, 0, 1},
  {"with zeros", {1021, 125}, {3, 3}, 0, 3, 0},
  {"with infinities", {1021, 125}, {3, 3}, 0, 700, 0},
  {"any with infinities", {0, 0}, {2047, 255}, 0, 700, 0},
};

static uint64_t
below (uint64_t limit)
{
  return random_word (&seed) % limit;
}

/* Zeros mostly; where ODD is large, now and then an infinity or NaN.  */
static double
odd_number (const struct kind *kind)
{
  static const double some[] = {0.0, -0.0, 0.0, INFINITY, -INFINITY, NAN};

  return some[below (kind->odd > 100 ? N_OF (some) : 3)];
}

/* As ARITHMETIC, which is one of reals, has it.  */
static double
random_number (const struct kind *kind, enum gt_arithmetic arithmetic,
               double before, int second)
{
  const int single = arithmetic == GT_F32;
  const int digits = single ? 23 : 52, bias = single ? 127 : 1023;
  const uint64_t bits = random_word (&seed), hidden = (uint64_t) 1 << digits;
  uint64_t exponent;
  double x;

  if (kind->odd && below (kind->odd) == 0)
    return odd_number (kind);
  if (kind->cancel && second)
    return bits % 97 ? -before : single ? -nextafterf ((float) before, 0)
                                        : -nextafter (before, 0);
  exponent = kind->wide && below (kind->wide) == 0
               ? below ((uint64_t) (2 * bias + 1))
               : kind->first[single] + below (kind->count[single]);
  x = ldexp ((double) ((bits & (hidden - 1)) | (exponent ? hidden : 0)),
             (int) (exponent ? exponent : 1) - bias - digits);
  return bits >> 63 ? -x : x;
}

/* A vector among poison, and where it ends on the GPU.  */
struct vector
{
  char *elements; /* from the poison on */
  size_t capacity;
  void *memory;   /* the GPU's */
};

#define MOST_ELEMENTS ((size_t) 1 << 18)

static struct vector vectors[2];

FIXTURE (make_room)
{
  for (int v = 0; v < 2; v++)
    {
      vectors[v].capacity = MOST_ELEMENTS * sizeof (double);
      vectors[v].elements = malloc (vectors[v].capacity);
      assert_non_null (vectors[v].elements);
    }
  if (find_exact (state))
    return -1;
  for (int v = 0; v < 2; v++)
    if (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, vectors[v].capacity, &vectors[v].memory))
      return -1;
  return 0;
}

FIXTURE (free_room)
{
  for (int v = 0; v < 2; v++)
    {
      free (vectors[v].elements);
      gt_gpus->free (gpu, GT_PLACE_DEVICE, vectors[v].memory);
    }
  return 0;
}

/* N elements of KIND with STRIDE from element OFFSET on; *ON_GPU is the same in
   memory that ends with them.  */
static struct gt_operand
fill_vector (const struct vector *v, enum gt_arithmetic arithmetic,
             const struct kind *kind, size_t n, size_t stride, size_t offset,
             struct gt_operand *on_gpu)
{
  const size_t size = gt_element_size (arithmetic);
  const size_t count = offset + (n ? (n - 1) * stride + 1 : 1);
  char *first = v->elements + offset * size;
  char *at = (char *) v->memory + v->capacity - count * size;

  assert_true (count <= MOST_ELEMENTS);
  fill_poison (arithmetic, v->elements, count);
  for (size_t i = 0; i < n; i++)
    if (arithmetic > GT_F32)
      put_integer (arithmetic, first, i * stride, random_word (&seed));
    else
      put_element (arithmetic, first, i * stride, random_number (kind, arithmetic,
                                  get_element (arithmetic, first, (i ? i - 1 : 0) * stride),
                                  i % 2));
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, at, v->elements, count * size), 0);
  *on_gpu = (struct gt_operand) {at + offset * size, stride};
  return (struct gt_operand) {first, stride};
}

/* ------------------------------------------------------------------ Cases */

/* A block of this size has the shared memory that it needs.  */
static int
fits (const struct subject *s, unsigned block)
{
  const struct gt_problem problem = problem_of (s);
  const struct gt_sm_limits *sm = &gt_gpus->device_of (gpu)->gpu.sm;

  return block * gt_kernel_shared (s->kernel, &problem) + (4 << 10)
         <= sm->shared_per_block_optin;
}

static struct gt_config
config_of (struct subject *s)
{
  struct gt_config config;

  do
    config = next_config (s);
  while (!fits (s, config.block));
  return config;
}

/* TASK on the GPU is what TASK is on the host.  */
static void
compare (const struct subject *s, const struct gt_config *config,
         const struct gt_task *task, struct gt_operand x, struct gt_operand y,
         const char *kind)
{
  struct gt_plan plan = {.kernel = s->kernel, .config = *config};
  struct gt_task on_gpu = *task;
  struct gt_exact_sums expected;
  union gt_value value;
  int status, differs;

  on_gpu.x = x;
  on_gpu.y = y;
  oracle_sums (task, &expected);
  memset (&value, 0xcb, sizeof value);
  status = gt_gpus->compute (gpu, &plan, &on_gpu, NULL, &value);
  if (status)
    fail_msg ("%s %s: %s", gt_reductions[s->reduction].name, s->kernel->name,
              gt_gpus->error (status));
  differs = oracle_differs (s->reduction, &value.exact, &expected);
  if (differs >= 0)
    {
      union gt_value right = {.exact = expected};

      fail_msg ("%s %s %s, numbers %s, block %u, %u blocks per SM, n = %zu,"
                " strides %zu and %zu, at %zu and %zu: sum %d is about %.17g instead of %.17g",
                gt_reductions[s->reduction].name, s->kernel->name,
                gt_arithmetics[s->arithmetic].name, kind, config->block,
                config->blocks_per_sm, (size_t) task->problem.n,
                (size_t) x.stride, (size_t) y.stride,
                (size_t) x.data % 128, (size_t) y.data % 128, differs,
                gt_value_sum (&task->problem, &value, (unsigned) differs),
                gt_value_sum (&task->problem, &right, (unsigned) differs));
    }
}

static void
check_case (struct subject *s, const struct kind *kind, size_t n)
{
  const int strided = s->layout == GT_STRIDED;
  const struct gt_config config = config_of (s);
  struct gt_operand x[2], y[2] = {{NULL, 0}, {NULL, 0}};
  struct gt_task task;

  x[0] = fill_vector (&vectors[0], s->arithmetic, kind, n,
                      strided ? 1 + below (4) : 1, below (20), &x[1]);
  if (gt_reductions[s->reduction].inputs == 2)
    y[0] = fill_vector (&vectors[1], s->arithmetic, kind, n,
                        strided ? 1 + below (4) : 1, below (20), &y[1]);
  task = gt_task_of_pair (s->reduction, s->arithmetic, GT_MODE_EXACT, x[0], y[0], n);
  task.problem.layout = s->layout;
  task.shift[0] = below (2) ? 0.3 : random_number (&kinds[below (3)], GT_F64, 0, 0);
  task.shift[1] = -1.75;
  task.scale = below (2) ? 1.7 : random_number (&kinds[1], GT_F64, 0, 0);
  compare (s, &config, &task, x[1], y[1], kind->name);
}

/* Whether elements of a subject are of kinds: integers are of one.  */
static int
has_kinds (const struct subject *s)
{
  return s->arithmetic <= GT_LDBL;
}

TEST (accumulators_are_right)
{
  for (unsigned k = 0; k < n_subjects; k++)
    for (unsigned kind = 0; kind < N_OF (kinds); kind++)
      if (kind < 2 || has_kinds (&subjects[k]))
        check_case (&subjects[k], &kinds[kind], 1 + below (3000));
}

TEST (short_vectors)
{
  static const size_t lengths[] = {0, 1, 2, 31, 32, 33, 65};

  for (unsigned k = 0; k < n_subjects; k++)
    for (unsigned l = 0; l < N_OF (lengths); l++)
      check_case (&subjects[k], &kinds[(k + l) % N_OF (kinds)], lengths[l]);
}

/* A launch of any exact kernel takes no more elements than its blocks may.  */
TEST (the_longest_launches)
{
  for (unsigned k = 0; k < n_subjects; k++)
    {
      const struct subject *s = &subjects[k];
      const struct gt_plan plan
        = {.kernel = s->kernel, .config = {1, 128, s->unroll, 2}};
      struct gt_problem problem = problem_of (s);

      problem.n = UINT64_MAX;
      assert_true (gt_gpus->most (gpu, &plan, &problem)
                   == gt_exact_most (&plan.config, gpu->device->gpu.sms, GT_EXACT_BLOCK));
    }
}

/* A block may take next to nothing, so that many launches follow one another, each
   of which finds the grid's accumulators empty.  */
TEST (many_launches)
{
  uint64_t before = gpu->exact_block;

  gpu->exact_block = 2;
  for (unsigned k = 0; k < n_subjects; k += 1 + (unsigned) below (3))
    check_case (&subjects[k], &kinds[below (N_OF (kinds))], 2000);
  gpu->exact_block = before;
}

/* A kernel that gives up is followed by one that does not.  */
TEST (any_range_takes_over)
{
  for (unsigned k = 0; k < n_subjects; k++)
    if (has_kinds (&subjects[k]) && subjects[k].kernel->shared == 0)
      {
        memset (&gpu->ranges, 0, sizeof gpu->ranges);
        check_case (&subjects[k], &kinds[2], 40000);
      }
}

TEST (random_cases)
{
  for (unsigned long c = 0; c < cases; c++)
    check_case (&subjects[below (n_subjects)], &kinds[below (N_OF (kinds))],
                below (below (50) ? 700 : 60000));
}

int
main (int argc, char **argv)
{
  if (argc > 2 && strcmp (argv[1], "long") == 0)
    {
      cases = strtoul (argv[2], NULL, 10);
      argc = 1;
    }
  prepare_for_gpu (argc, argv);
  return run_unit_tests (make_room, free_room);
}
