/* Tests of src/preload/watch.c and callers.c: the counts, entries of
   a process that died while it wrote, and memory that is not what it should be.
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
head_of (uint32_t n_libraries)
{
  return (struct gt_counts) {.magic = GT_COUNTS_MAGIC,
                             .size_of_slot = sizeof (struct gt_counts_slot),
                             .n_functions = GT_N_TAKEN,
                             .n_libraries = n_libraries,
                             .n_unreached = 1,
                             .n_samples = 16};
}

/* Starts this program anew, with a number for main: what is watched is found out before
   that is called.  Its time is sampled only while it computes.  Returns its exit status.  */
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

/* Calls so many functions three times each.  Returns what is watched.  */
static int
call (unsigned functions)
{
  for (unsigned id = 0; gt_watching () != GT_WATCH_NOTHING && id < functions; id++)
    for (unsigned k = 0; k < 3; k++)
      {
        struct gt_call call = {.id = (enum gt_taken_id) id, .n = 100, .stride = {2, 1},
                               .caller = (char *) malloc + 1};

        gt_watch_begin (&call);
        gt_watch_end (&call);
      }
  return (int) gt_watching ();
}

TEST (all_calls_are_counted)
{
  const struct gt_counts head = head_of (64);
  struct gt_counts *const counts = make_table (&head, gt_counts_bytes (&head), "count");

  assert_int_equal (start ("100"), GT_WATCH_COUNT);
  assert_int_equal (counts->processes, 1);
  assert_int_equal (start ("100"), GT_WATCH_COUNT);
  assert_int_equal (counts->processes, 2);
  for (unsigned id = 0; id < GT_N_TAKEN; id++)
    {
      uint64_t calls = 0;

      for (unsigned k = 0; k < GT_COUNTS_STRIPES; k++)
        calls += gt_counts_slots (counts)[gt_counts_slot_of (id, 0, k)].bucket[7].calls;
      assert_int_equal (calls, id < 100 ? 6 : 0);
    }
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
  const struct gt_counts head = head_of (64);
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

/* An entry that is claimed and never was finished is left alone.  */
TEST (places_are_entered_once)
{
  struct gt_counts_place table[3] = {{.state = GT_COUNTS_CLAIMED, .object = "a"}};
  const struct gt_counts_place a = {.object = "a"}, b = {.object = "b"}, c = {.object = "c"};

  assert_int_equal (gt_counts_enter (table, 3, &a), 1);
  assert_int_equal (gt_counts_enter (table, 3, &b), 2);
  assert_int_equal (gt_counts_enter (table, 3, &a), 1);
  assert_int_equal (gt_counts_enter (table, 3, &c), -1);
  assert_int_equal (table[0].state, GT_COUNTS_CLAIMED);
}

static void
assert_unwatched (const struct gt_counts *head, size_t bytes, const char *word)
{
  make_table (head, bytes, word);
  assert_int_equal (start ("1"), GT_WATCH_NOTHING);
}

TEST (not_a_table)
{
  const struct gt_counts good = head_of (64);
  const size_t bytes = gt_counts_bytes (&good);
  struct gt_counts bad = good;

  assert_unwatched (&good, bytes, "counts");
  assert_unwatched (&good, bytes - 1, "count");
  assert_unwatched (&good, 8, "count");
  bad.n_libraries = UINT32_MAX;
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
