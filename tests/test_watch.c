/* Tests of src/preload/watch.c and callers.c: what is counted when the table is full, when
   a process died while it wrote, and for memory that is not what it should be.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_vector.h>
#include <sys/syscall.h>
#include <time.h>

#include "tests/unit.h"

#include "src/preload/callers.h"
#include "src/preload/watch.h"

/* A table in memory that this process and its children share, and its path in the
   environment.  */
static struct gt_counts *
make_table (const struct gt_counts *head, size_t bytes, const char *word)
{
  const int fd = memfd_create ("table", 0);
  struct gt_counts *counts;
  char value[64];

  assert_true (fd >= 0);
  assert_int_equal (ftruncate (fd, (off_t) bytes), 0);
  counts = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert_true (counts != MAP_FAILED);
  memcpy (counts, head, sizeof *head);
  snprintf (value, sizeof value, "%s:/proc/self/fd/%d", word, fd);
  assert_int_equal (setenv (GT_WATCH_VARIABLE, value, 1), 0);
  return counts;
}

static struct gt_counts
head_of (uint32_t n_callers, uint32_t n_slots)
{
  return (struct gt_counts) {.magic = GT_COUNTS_MAGIC,
                             .size_of_slot = sizeof (struct gt_counts_slot),
                             .n_functions = GT_N_TAKEN,
                             .n_callers = n_callers,
                             .n_unreached = 1,
                             .n_slots = GT_COUNTS_OWN_SLOTS + n_slots,
                             .n_samples = 16};
}

/* Starts this program anew, with a number for main: what is watched is found out before
   that is called.  Its time is sampled only while it computes: a sample that a slow machine
   has time for would take a place among the callers.  Returns its exit status.  */
static int
start (const char *functions)
{
  static const uintptr_t ignored[4] = {(uintptr_t) SIG_IGN}; /* as the kernel has it */
  const pid_t child = fork ();
  int status;

  if (child == 0)
    {
      if (strcmp (functions, "compute") != 0)
        syscall (SYS_rt_sigaction, 32, ignored, NULL, 8);
      execl ("/proc/self/exe", "test_watch", functions, (char *) NULL);
      _exit (99);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

/* Calls so many functions from each of three callers.  Returns what is watched.  */
static int
call (unsigned functions)
{
  const void *const callers[]
    = {(char *) malloc + 1, (char *) strcmp + 1, (char *) gsl_vector_alloc + 1};

  for (unsigned id = 0; gt_watching () != GT_WATCH_NOTHING && id < functions;
       id++)
    for (size_t c = 0; c < N_OF (callers); c++)
      {
        struct gt_call call = {.id = (enum gt_taken_id) id, .n = 100,
                               .stride = {2, 1}, .caller = callers[c]};

        gt_watch_begin (&call);
        gt_watch_end (&call);
      }
  return (int) gt_watching ();
}

/* All calls of a function that were counted, and those of them without a caller.  */
static uint64_t
counted (const struct gt_counts *counts, unsigned id, uint64_t *others)
{
  const struct gt_counts_slot *slots = gt_counts_slots (counts);
  uint64_t calls = 0;

  for (uint32_t k = GT_COUNTS_OWN_SLOTS; k < counts->n_slots; k++)
    if (slots[k].key >> 33 == id + 1)
      calls += slots[k].bucket[7].calls;
  *others = slots[2 * id].bucket[7].calls;
  return calls + *others;
}

static void
check_counted (const struct gt_counts *head, const char *functions,
               uint64_t all_others)
{
  struct gt_counts *counts
    = make_table (head, gt_counts_bytes (head), "count");
  uint64_t others = 0, some;

  assert_int_equal (start (functions), GT_WATCH_COUNT);
  for (unsigned id = 0; id < (unsigned) atoi (functions); id++)
    {
      assert_int_equal (counted (counts, id, &some), 3);
      others += some;
    }
  assert_int_equal (others, all_others);
  assert_int_equal (counts->processes, 1);
}

/* Nothing is lost: what finds no room is counted without its caller.  */
TEST (full_tables)
{
  const struct gt_counts roomy = head_of (64, 1024);
  const struct gt_counts few_slots = head_of (64, 20);
  const struct gt_counts few_callers = head_of (3, 1024);

  check_counted (&roomy, "100", 0);
  check_counted (&few_slots, "10", 10);
  check_counted (&few_slots, "100", 280);
  check_counted (&few_callers, "10", 10);
}

/* Computes what is not counted for a fifth of a second.  */
static int
compute (void)
{
  const clock_t end = clock () + CLOCKS_PER_SEC / 5;
  volatile double total = 0;

  /* The clock is asked seldom, so that nearly all samples are in the function.  */
  for (unsigned k = 0; k % 1024 != 0 || clock () < end; k++)
    total += gsl_sf_bessel_J0 (0.01 * (k % 1000));
  return (int) gt_watching ();
}

/* Samples of functions that find no room count, but not as others'.  */
TEST (full_samples)
{
  const struct gt_counts head = head_of (64, 1024);
  struct gt_counts *counts = make_table (&head, gt_counts_bytes (&head), "count");
  struct gt_counts_sample *const samples = gt_counts_samples (counts);

  for (uint32_t k = 0; k < head.n_samples; k++)
    samples[k].key = k + 1;
  assert_int_equal (start ("compute"), GT_WATCH_COUNT);
  assert_true (counts->samples_beside > 0);
  for (uint32_t k = 0; k < head.n_samples; k++)
    assert_int_equal (samples[k].weight, 0);
  /* The first that comes takes the only room; a sample in another function, which the
     first one calls, finds none.  */
  samples[0].key = 0;
  counts->samples_beside = 0;
  assert_int_equal (start ("compute"), GT_WATCH_COUNT);
  assert_true (samples[0].weight > 0 && samples[0].weight <= counts->samples_beside);
  for (uint32_t k = 1; k < head.n_samples; k++)
    assert_int_equal (samples[k].weight, 0);
}

static unsigned
callers_in (const struct gt_counts *counts, uint32_t state)
{
  const struct gt_counts_place *callers = gt_counts_callers (counts);
  unsigned n = 0;

  for (uint32_t k = 1; k < counts->n_callers; k++)
    n += callers[k].state == state;
  return n;
}

/* An entry that is claimed and never was finished is left alone.  */
TEST (a_writer_that_died)
{
  const struct gt_counts head = head_of (64, 1024);
  struct gt_counts *counts
    = make_table (&head, gt_counts_bytes (&head), "count");
  struct gt_counts_place *callers = gt_counts_callers (counts);
  uint64_t others;

  assert_int_equal (start ("1"), GT_WATCH_COUNT);
  assert_int_equal (start ("1"), GT_WATCH_COUNT);
  assert_int_equal (callers_in (counts, GT_COUNTS_READY), 3);
  for (uint32_t k = 1; k < head.n_callers; k++)
    if (callers[k].state == GT_COUNTS_READY)
      callers[k].state = GT_COUNTS_CLAIMED;
  assert_int_equal (start ("1"), GT_WATCH_COUNT);
  assert_int_equal (callers_in (counts, GT_COUNTS_READY), 3);
  assert_int_equal (callers_in (counts, GT_COUNTS_CLAIMED), 3);
  assert_int_equal (counted (counts, 0, &others), 9);
  assert_int_equal (others, 0);
}

static void
assert_unwatched (const struct gt_counts *head, size_t bytes, const char *word)
{
  make_table (head, bytes, word);
  assert_int_equal (start ("1"), GT_WATCH_NOTHING);
}

TEST (not_a_table)
{
  const struct gt_counts good = head_of (64, 64);
  const size_t bytes = gt_counts_bytes (&good);
  struct gt_counts bad = good;

  assert_unwatched (&good, bytes, "counts");
  assert_unwatched (&good, bytes - 1, "count");
  assert_unwatched (&good, 8, "count");
  bad.n_slots = UINT32_MAX;
  assert_unwatched (&bad, bytes, "count");
  bad = good;
  bad.n_functions++;
  assert_unwatched (&bad, bytes, "count");
  bad = good;
  bad.magic[0]++;
  assert_unwatched (&bad, bytes, "report");
  setenv (GT_WATCH_VARIABLE, "count:/proc/self/fd/9999", 1);
  assert_int_equal (start ("1"), GT_WATCH_NOTHING);
  make_table (&good, bytes, "report");
  assert_int_equal (start ("1"), GT_WATCH_REPORT);
}

TEST (buckets)
{
  assert_int_equal (gt_counts_bucket_of (0), 0);
  assert_int_equal (gt_counts_bucket_of (1), 1);
  assert_int_equal (gt_counts_bucket_of (2), 2);
  assert_int_equal (gt_counts_bucket_of (3), 2);
  assert_int_equal (gt_counts_bucket_of (4), 3);
  assert_int_equal (gt_counts_bucket_of (((uint64_t) 1 << 38) - 1), 38);
  assert_int_equal (gt_counts_bucket_of ((uint64_t) 1 << 38), 39);
  assert_int_equal (gt_counts_bucket_of (UINT64_MAX), 39);
}

/* Of what is too long the end is kept: it tells files apart.  */
TEST (long_paths)
{
  char to[5];

  gt_counts_copy_end (to, sizeof to, "abc");
  assert_string_equal (to, "abc");
  gt_counts_copy_end (to, sizeof to, "abcd");
  assert_string_equal (to, "abcd");
  gt_counts_copy_end (to, sizeof to, "abcdef");
  assert_string_equal (to, "cdef");
  assert_true (gt_is_gsl_path ("/usr/lib/libgsl.so.27"));
  assert_true (gt_is_gsl_path ("libgsl.so.28.0.0"));
  assert_false (gt_is_gsl_path ("/usr/lib/libgslcblas.so.0"));
  assert_false (gt_is_gsl_path ("/libgsl.so/libm.so.6"));
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    return strcmp (argv[1], "compute") == 0 ? compute () : call ((unsigned) atoi (argv[1]));
  return run_unit_tests (NULL, NULL);
}
