/* Tests of tuning/report/report.c: what is said of winners that are slower than they
   should be.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/catalog.h"
#include "tuning/report/report.h"

static struct gt_device host = {.kind = GT_CPU};

/* A fast sum of a million doubles.  */
static struct gt_entry
entry (enum gt_layout layout, double seconds, double one_reads)
{
  return (struct gt_entry) {
    .problem = {GT_SUM, GT_F64, GT_MODE_FAST, layout, 1 << 20},
    .kernel = gt_catalog_find ("simd", GT_SUM),
    .config = {.threads = 1, .unroll = 8},
    .seconds = seconds,
    .one_reads = one_reads
  };
}

/* The message about CONTIGUOUS beside STRIDED, in TEXT.  Returns of how many winners.  */
static unsigned
say (struct gt_entry contiguous, struct gt_entry strided, int busy,
     char text[1000])
{
  struct gt_entry entries[] = {contiguous, strided};
  const struct gt_profile profile = {.entries = entries, .n_entries = 2};
  FILE *file = tmpfile ();
  const int before = dup (STDOUT_FILENO);
  unsigned told;

  assert_non_null (file);
  assert_true (before >= 0);
  fflush (stdout);
  assert_true (dup2 (fileno (file), STDOUT_FILENO) >= 0);
  told = gt_report_suspects (&host, &profile, NULL, busy);
  fflush (stdout);
  assert_true (dup2 (before, STDOUT_FILENO) >= 0);
  close (before);
  rewind (file);
  text[fread (text, 1, 999, file)] = '\0';
  fclose (file);
  return told;
}

TEST (what_is_slow_is_told)
{
  char text[1000];

  assert_int_equal (say (entry (GT_CONTIGUOUS, 1e-4, 9e-5),
                         entry (GT_STRIDED, 2e-4, 0), 0, text), 0);
  assert_string_equal (text, "");
  assert_int_equal (say (entry (GT_CONTIGUOUS, 1e-4, 2e-5),
                         entry (GT_STRIDED, 2e-4, 0), 0, text), 1);
  assert_non_null (strstr (text, ": 20% of what a plain loop reads\n"));
  assert_int_equal (say (entry (GT_CONTIGUOUS, 3e-4, 2e-4),
                         entry (GT_STRIDED, 2e-4, 0), 0, text), 1);
  assert_non_null (strstr (text, ": 1.50 times as long as strided\n"));
  assert_non_null (strstr (text, "please report:\n"));
  assert_null (strstr (text, "doubtful"));
}

/* A winner that wakes more threads is chosen by more than these times.  */
TEST (other_threads_are_not_compared)
{
  struct gt_entry strided = entry (GT_STRIDED, 2e-4, 0);
  char text[1000];

  strided.config.threads = 2;
  assert_int_equal (say (entry (GT_CONTIGUOUS, 3e-4, 2e-4), strided, 0, text), 0);
}

/* Then it proves nothing, and nobody is asked to report it.  */
TEST (the_machine_was_busy)
{
  char text[1000];

  assert_int_equal (say (entry (GT_CONTIGUOUS, 1e-4, 9e-5),
                         entry (GT_STRIDED, 2e-4, 0), 1, text), 0);
  assert_string_equal (text, "");
  assert_int_equal (say (entry (GT_CONTIGUOUS, 1e-4, 2e-5),
                         entry (GT_STRIDED, 2e-4, 0), 1, text), 1);
  assert_non_null (strstr (text, "these figures doubtful"));
  assert_non_null (strstr (text, ": 20% of what a plain loop reads\n"));
  assert_null (strstr (text, "report:"));
}

RUN_TESTS (NULL, NULL)
