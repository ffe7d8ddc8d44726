/* Tests of crashes while measurements are kept: a tuner that is killed at every system
   call of an append, calls that fail or do less than was asked, and their order.

   Every call meets one error, and another one that goes on; with TEST_CRASHES in
   the environment, as `make check-crashes' has it, all of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>

#include "tests/unit.h"

#include "tests/own_folder.h"
#include "tests/spoilt_save.h"
#include "tuning/store/measurements.h"

static char base[64];
static char kept[96]; /* the file */

#define CANDIDATES 40 /* whose line is longer than what is read at once */

static struct gt_measurements table;

static void
make_table (void)
{
  table = (struct gt_measurements) {
    .problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20},
    .silicon = "cuda-9.0-1sm-1gib-l2-1mib",
    .created = "2026-01-02T03:04:05Z",
    .n = CANDIDATES
  };
  table.measured = calloc (CANDIDATES, sizeof *table.measured);
  assert_non_null (table.measured);
  for (unsigned i = 0; i < CANDIDATES; i++)
    {
      struct gt_measured *measured = &table.measured[i];

      measured->candidate.kernel = gt_catalog_find ("simd", GT_SUM);
      measured->candidate.config.threads = i + 1;
      measured->n[GT_TIMED_LONGER] = 1;
      measured->seconds[GT_TIMED_LONGER][0] = 1e-6 * (i + 1);
    }
}

enum outcome
{
  KEPT,
  NOT_KEPT
};

/* Keeps problem after problem of as many elements.  */
static int
keep (uint64_t elements)
{
  table.problem.n = elements;
  return gt_measurements_append (&table, kept, 0, told->why,
                                 sizeof told->why)
           ? NOT_KEPT : KEPT;
}

static int
keep_next (void)
{
  return keep (3 << 20);
}

/* --------------------------------------------------------------- Scenes */

static void
nothing (void)
{
}

static void
keep_two (void)
{
  assert_int_equal (keep (1 << 20), KEPT);
  assert_int_equal (keep (2 << 20), KEPT);
}

static void
tear (off_t from_end)
{
  struct stat status;

  assert_int_equal (stat (kept, &status), 0);
  assert_int_equal (truncate (kept, status.st_size - from_end), 0);
}

/* Files that tuners left which were killed in an append.  */
static void
tear_the_second (void)
{
  keep_two ();
  tear (100);
}

static void
tear_the_newline (void)
{
  keep_two ();
  tear (1);
}

static void
tear_the_first (void)
{
  assert_int_equal (keep (1 << 20), KEPT);
  tear (5000);
}

static const struct scene
{
  const char *name;
  void (*prepare) (void);
} scenes[] = {
  {"into a new file", nothing},
  {"behind two problems", keep_two},
  {"over half a second problem", tear_the_second},
  {"over a second problem but for its newline", tear_the_newline},
  {"over half a first problem", tear_the_first},
};
/* ------------------------------------------------------ What is on disk */

#define MOST_TEXT 65536

struct text
{
  char text[MOST_TEXT];
  size_t n, whole; /* bytes, and those of whole lines */
};

static struct text before, after, line;

static void
read_kept (struct text *got)
{
  const int descriptor = open (kept, O_RDONLY);
  const ssize_t n = descriptor < 0 ? 0 : read (descriptor, got->text, MOST_TEXT);

  assert_true (n >= 0 && n < MOST_TEXT);
  got->n = got->whole = (size_t) n;
  while (got->whole > 0 && got->text[got->whole - 1] != '\n')
    got->whole--;
  if (descriptor >= 0)
    close (descriptor);
}

/* The scene's whole lines and, where MORE is 1, the one that is appended.  */
static int
holds (const struct text *got, int more)
{
  return got->whole == before.whole + (more ? line.n : 0)
         && memcmp (got->text, before.text, before.whole) == 0
         && (!more
             || memcmp (got->text + before.whole, line.text, line.n) == 0);
}

static unsigned
files (void)
{
  DIR *stream = opendir (base);
  unsigned n = 0;

  assert_non_null (stream);
  while (readdir (stream))
    n++;
  closedir (stream);
  return n - 2; /* . and .. */
}

static int
count_one (const struct gt_measurements *m, void *closure)
{
  unsigned *n = closure;

  *n += m->n == CANDIDATES;
  return 0;
}

/* How many problems a reader finds, -1 when it finds fault.  */
static int
problems (void)
{
  char why[300];
  unsigned n = 0;

  if (access (kept, F_OK))
    return 0;
  return gt_measurements_read (kept, count_one, &n, why, sizeof why) ? -1 : (int) n;
}

static unsigned
count_lines (const struct text *got)
{
  unsigned n = 0;

  for (size_t i = 0; i < got->whole; i++)
    n += got->text[i] == '\n';
  return n;
}

static void
set_scene (size_t s)
{
  remove_folder (base);
  assert_int_equal (mkdir (base, 0700), 0);
  scene_name = scenes[s].name;
  scenes[s].prepare ();
  read_kept (&before);
}

/* ------------------------------------------------------------- Verdicts */

/* Readers find what was there, and what was appended or nothing of it.  */
static void
expect_whole (int must_be_new)
{
  read_kept (&after);
  expect (holds (&after, 1) || (!must_be_new && holds (&after, 0)),
          "neither the old lines nor the new ones");
  expect (problems () == (int) count_lines (&after),
          "a reader finds something else");
}

/* The next append leaves nothing but whole lines.  */
static void
expect_next_clears (void)
{
  const int more = holds (&after, 1);

  expect (keep_next () == KEPT, "the next append does not succeed");
  read_kept (&after);
  expect (after.n == after.whole, "half a line is left");
  expect (after.n == before.whole + (1 + (size_t) more) * line.n,
          "lines are lost, or there twice");
  expect (problems () == (int) count_lines (&after), "it cannot be read");
  expect (files () == 1, "files are left");
}

/* ---------------------------------------------------------------- Tests */

/* Where nothing but one call failed, the file is as it was, but for what a killed tuner
   left of a line.  */
static void
expect_as_before (void)
{
  expect (holds (&after, 0), "it says that it is not kept, but it is");
  expect (after.n == after.whole
            || (after.n == before.n
                && memcmp (after.text, before.text, after.n) == 0),
          "half a line is left");
  expect (files () == (before.n > 0), "the file is gone, or an empty one left");
}

static void
look_after_kill (int outcome)
{
  expect_whole (outcome == KEPT);
  expect_next_clears ();
}

static void
look_after_error (int outcome)
{
  expect_whole (outcome == KEPT);
  expect_told (outcome);
  if (outcome == NOT_KEPT && !trace.spoiling.onwards)
    expect_as_before ();
  expect_next_clears ();
}

static void
look_after_less (int outcome)
{
  expect (outcome == KEPT, "not kept");
  expect_whole (1);
  expect_next_clears ();
}

static int
on_our_data (const struct traced_call *call)
{
  return (call->number == SYS_write || call->number == SYS_pread64)
         && on_our_files (call);
}

/* Less than was asked; and nothing, which a file system may answer that is full.  */
TEST (short_writes)
{
  int outcome;

  if (!can_trace ())
    return;
  shorten_everywhere (on_our_data, look_after_less);
  for (unsigned at = 0;
       save_spoilt (1, (struct spoiling) {FAIL, at, 0, 1}, on_our_data, &outcome);
       at++)
    look_after_kill (outcome);
  print_message ("# %u appends had short reads or writes\n", tried);
}

/* A file system may keep a newline before it keeps what is in front of it: all of the
   line is on the disk before that, and the name of a new file, too.  */
TEST (order_of_calls)
{
  if (!can_trace ())
    return;
  for (size_t s = 0; s < N_OF (scenes); s++)
    {
      unsigned writes = 0, synced = 0, folder = 0;

      assert_int_equal (trace_in_scene (s, (struct spoiling) {0}, on_our_files,
                                        keep_next),
                        0);
      for (unsigned i = 0; i < trace.n; i++)
        {
          const struct traced_call *call = &trace.call[i];

          writes += call->number == SYS_write;
          if (call->number != SYS_fsync)
            continue;
          folder += writes == 0 && strcmp (call->path, base) == 0;
          synced += writes == synced + 1 && strcmp (call->path, kept) == 0;
        }
      expect (writes == 2 && synced == 2,
              "the line and its newline are not synced one after the other");
      expect (folder == 1, "the folder is not synced");
    }
}

/* A line that cannot be read is told, with its reason; one that can be read is whole.  */
static int
read_it (void)
{
  unsigned n = 0;

  if (gt_measurements_read (kept, count_one, &n, told->why, sizeof told->why))
    return 100;
  return (int) n;
}

static int
on_our_reads (const struct traced_call *call)
{
  return call->number == SYS_read && on_our_files (call);
}

TEST (reads_spoilt)
{
  static const int of_reads[] = {EIO, EACCES, ENOMEM, ESTALE, EMFILE};
  int status = 0;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t e = 0; e <= N_OF (of_reads); e++)
    for (unsigned at = 0;; at++)
      {
        const int error = e < N_OF (of_reads) ? of_reads[e] : 0;

        status = trace_in_scene (2, (struct spoiling) {error ? FAIL : SHORTEN, at,
                                                       error, 0},
                                 error ? on_our_files : on_our_reads, read_it);
        if (at >= trace.n)
          break;
        tried++;
        expect (WIFEXITED (status), "it crashed");
        if (WEXITSTATUS (status) == 100)
          expect (error && strstr (told->why, strerror (error)),
                  "it does not say what went wrong");
        else
          expect (WEXITSTATUS (status) == 1, "it read something else");
      }
  print_message ("# %u reads were spoilt\n", tried);
}

FIXTURE (set_up)
{
  make_test_folder (base);
  snprintf (kept, sizeof kept, "%s/x.measurements.jsonl", base);
  make_table ();
  assert_int_equal (share_told (), 0);
  saving.noun = "an append";
  saving.folder = base;
  saving.save = keep_next;
  saving.set_scene = set_scene;
  saving.scenes = N_OF (scenes);
  saving.least = 2;
  saving.look_after_kill = look_after_kill;
  saving.look_after_error = look_after_error;
  assert_int_equal (keep_next (), KEPT);
  read_kept (&line);
  return 0;
}

FIXTURE (tear_down)
{
  remove_folder (base);
  gt_measurements_clear (&table);
  return munmap (told, sizeof *told);
}

RUN_TESTS (set_up, tear_down)
