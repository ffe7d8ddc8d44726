/* Tests of exhaustive sweeps and of the files with all that they measure.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/own_folder.h"
#include "tests/sweep_scene.h"
#include "tuning/store/measurements.h"

/* -------------------------------------------------------------- The sweep */

/* Runs an exhaustive sweep of SCENE into TABLE.  */
static void
measure_all (struct scene *scene, struct gt_measurements *table)
{
  memset (table, 0, sizeof *table);
  scene->sweep.effort = GT_EFFORT_EXHAUSTIVE;
  scene->sweep.table = table;
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  strcpy (table->device_name, "Example H200");
  strcpy (table->silicon, "cuda-9.0-1sm-1gib-l2-1mib");
  strcpy (table->created, "2026-01-02T03:04:05Z");
}

TEST (everything_is_measured)
{
  struct scene *scene = OPEN (1, 30, 20, 10, 40, 50, 60);
  struct gt_measurements table;

  scene->candidate[0].verdict = GT_PRUNED_WAVES;
  scene->candidate[2].verdict = GT_PRUNED_IN_FLIGHT;
  scene->candidate[3].verdict = GT_PRUNED_LAUNCH;
  scene->candidate[4].verdict = GT_PRUNED_UNAVAILABLE;
  scene->wrong = 1u << 5;
  measure_all (scene, &table);
  assert_int_equal (scene->entry.config.blocks_per_sm, 3);
  assert_true (scene->entry.effort == GT_EFFORT_EXHAUSTIVE);
  assert_int_equal (scene->entry.candidates, 4);
  assert_int_equal (scene->entry.pruned, 2);
  assert_int_equal (scene->entry.failed, 1);
  assert_int_equal (table.n, 6);
  assert_int_equal (table.chosen_default, 1);
  for (unsigned i = 0; i < 6; i++)
    {
      const struct gt_measured *m = &table.measured[i];

      assert_int_equal (gt_measured_works (m), i < 3);
      assert_int_equal (m->n[GT_TIMED_LONGER], i < 3 ? GT_REPEATS : 0);
      assert_int_equal (m->n[GT_TIMED_BRIEFLY], i < 3 ? GT_REPEATS : 0);
      assert_int_equal (m->n[GT_TIMED_SPACED], 0);
    }
  assert_true (table.measured[0].candidate.verdict == GT_PRUNED_WAVES);
  assert_true (table.measured[2].candidate.verdict == GT_PRUNED_IN_FLIGHT);
  assert_true (table.measured[5].candidate.failed);
  expect_close (gt_measured_score (&table.measured[2]), 10e-6);
  gt_measurements_clear (&table);
  scene_close (scene);
}

TEST (threads_are_timed_after_pauses)
{
  static const unsigned threads[] = {1, 2, 4};
  struct scene *scene = OPEN (0, 30, 20, 10);
  struct gt_measurements table;

  set_threads (scene, threads);
  measure_all (scene, &table);
  assert_int_equal (table.measured[1].n[GT_TIMED_SPACED], GT_REPEATS);
  assert_true (scene->fake.renewals >= GT_REPEATS);
  gt_measurements_clear (&table);
  scene_close (scene);
}

TEST (failing_ones_are_no_more_timed)
{
  struct scene *scene = OPEN (0, 30, 20, 10);
  struct gt_measurements table;

  scene->fails_from[2] = 7;
  measure_all (scene, &table);
  assert_int_equal (scene->entry.config.blocks_per_sm, 2);
  assert_int_equal (scene->timed[2], 7);
  assert_false (gt_measured_works (&table.measured[2]));
  gt_measurements_clear (&table);
  scene_close (scene);
}

/* --------------------------------------------------------------- The file */

static char folder[64];
static char path[128];

FIXTURE (set_up)
{
  make_test_folder (folder);
  snprintf (path, sizeof path, "%s/x.measurements.jsonl", folder);
  return 0;
}

FIXTURE (tear_down)
{
  remove_folder (folder);
  return 0;
}

/* The timings of a sweep with one of each kind of candidates.  */
static void
make_table (struct gt_measurements *table)
{
  struct scene *scene = OPEN (1, 30, 20, 10, 40, 50);

  scene->candidate[3].verdict = GT_PRUNED_LAUNCH;
  scene->wrong = 1u << 4;
  scene->jitter = 0.01;
  measure_all (scene, table);
  scene_close (scene);
}

struct seen
{
  const struct gt_measurements *expected;
  unsigned n, stop_at;
};

static int
compare (const struct gt_measurements *m, void *closure)
{
  struct seen *seen = closure;
  const struct gt_measurements *e = seen->expected;

  seen->n++;
  assert_memory_equal (&m->problem, &e->problem, sizeof e->problem);
  assert_string_equal (m->silicon, e->silicon);
  assert_string_equal (m->created, e->created);
  assert_int_equal (m->n, e->n);
  assert_int_equal (m->chosen_default, e->chosen_default);
  for (unsigned i = 0; i < m->n; i++)
    {
      const struct gt_measured *a = &m->measured[i], *b = &e->measured[i];

      assert_ptr_equal (a->candidate.kernel, b->candidate.kernel);
      assert_memory_equal (&a->candidate.config, &b->candidate.config,
                           sizeof b->candidate.config);
      assert_int_equal (a->candidate.verdict, b->candidate.verdict);
      assert_int_equal (a->candidate.grid, b->candidate.grid);
      assert_int_equal (a->candidate.failed, b->candidate.failed);
      assert_string_equal (a->candidate.why, b->candidate.why);
      assert_int_equal (a->n[GT_TIMED_LONGER], b->n[GT_TIMED_LONGER]);
      for (unsigned k = 0; k < a->n[GT_TIMED_LONGER]; k++)
        expect_close (a->seconds[GT_TIMED_LONGER][k],
                      b->seconds[GT_TIMED_LONGER][k]);
    }
  return seen->n == seen->stop_at;
}

static int
append (const struct gt_measurements *table, char why[300])
{
  return gt_measurements_append (table, path, 0, why, 300);
}

TEST_WITH (what_is_written_is_read, set_up, tear_down)
{
  struct gt_measurements table;
  struct seen seen = {&table, 0, 0};
  char why[300];

  make_table (&table);
  for (int i = 0; i < 3; i++)
    assert_int_equal (append (&table, why), 0);
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), 0);
  assert_int_equal (seen.n, 3);
  seen = (struct seen) {&table, 0, 2};
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), 1);
  assert_int_equal (seen.n, 2);
  gt_measurements_clear (&table);
}

static void
check_refused (const char *text, const char *expected)
{
  struct seen seen = {NULL, 0, 0};
  FILE *stream = fopen (path, "w");
  char why[300] = "";

  assert_non_null (stream);
  fprintf (stream, "%s\n", text);
  assert_int_equal (fclose (stream), 0);
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), -1);
  if (strstr (why, expected) == NULL)
    fail_msg ("%s: \"%s\"", text, why);
}

TEST_WITH (what_is_none_is_refused, set_up, tear_down)
{
#define SUM "{\"format\": 1, \"operation\": \"sum\", \"type\": \"f64\","       \
            " \"mode\": \"fast\", \"layout\": \"contiguous\", "
  char why[300];

  check_refused ("{", "line 1: it is not JSON");
  check_refused ("", "line 1: it is not JSON");
  check_refused ("{}", "not of format 1");
  check_refused ("{\"format\": 1}", "\"operation\" is missing");
  check_refused (SUM "\"n\": 0}", "there is no such problem");
  check_refused (SUM "\"n\": 5}", "there are no candidates");
  check_refused (SUM "\"n\": 5, \"default\": 1, \"candidates\": [{}]}",
                 "there are no candidates");
  check_refused (SUM "\"n\": 5, \"candidates\": [{}]}",
                 "\"verdict\" is missing");
  check_refused (SUM "\"n\": 5, \"candidates\": [{\"verdict\": \"good\"}]}",
                 "\"verdict\" is unknown");
  check_refused (SUM "\"n\": 5, \"candidates\": [{\"verdict\": \"same\","
                     " \"kernel\": \"none\"}]}",
                 "kernel \"none\" is unknown");
  check_refused (SUM "\"n\": 5, \"candidates\": [{\"verdict\": \"same\","
                     " \"kernel\": \"a\\u001bb\"}]}",
                 "kernel \"a?b\" is unknown");
  assert_int_equal (gt_measurements_read ("/absent/x", compare, NULL, why,
                                          sizeof why), -1);
  assert_int_equal (gt_measurements_read ("/", compare, NULL, why,
                                          sizeof why), -1);
  assert_non_null (strstr (why, "cannot read /: Is a directory"));
  assert_int_equal (gt_measurements_append (&(struct gt_measurements) {.n = 0},
                                            "/absent/x", 0, why, sizeof why),
                    -1);
  assert_non_null (strstr (why, "cannot write /absent/x"));
}

/* A null byte does not end a line, a line without a newline is what a killed tuner left,
   and one without an end is not read for ever.  */
TEST_WITH (lines_that_are_none, set_up, tear_down)
{
  struct gt_measurements table;
  struct seen seen = {&table, 0, 0};
  FILE *stream;
  char why[300];

  make_table (&table);
  assert_int_equal (append (&table, why), 0);
  stream = fopen (path, "a");
  assert_non_null (stream);
  fputs ("{\"format\": 1}", stream);
  assert_int_equal (fclose (stream), 0);
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), 0);
  assert_int_equal (seen.n, 1);
  assert_int_equal (append (&table, why), 0);
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), 0);
  assert_int_equal (seen.n, 3);
  stream = fopen (path, "r+");
  assert_non_null (stream);
  assert_int_equal (fseek (stream, -1, SEEK_END), 0);
  fwrite ("\0\n", 1, 2, stream);
  assert_int_equal (fclose (stream), 0);
  assert_int_equal (gt_measurements_read (path, compare, &seen, why,
                                          sizeof why), -1);
  assert_non_null (strstr (why, "line 2: it is not JSON"));
  assert_int_equal (gt_measurements_read ("/dev/zero", compare, &seen, why,
                                          sizeof why), -1);
  assert_non_null (strstr (why, "cannot read /dev/zero: File too large"));
  gt_measurements_clear (&table);
}

/* As a profile: the system's is for all users, a user's own for nobody else, whatever
   the umask says.  */
TEST_WITH (who_may_read_what_is_kept, set_up, tear_down)
{
  static const mode_t umasks[] = {0, 022, 077, 0177};
  struct gt_measurements table;
  struct stat status;
  char why[300];

  make_table (&table);
  for (unsigned i = 0; i < N_OF (umasks); i++)
    for (int system_wide = 0; system_wide <= 1; system_wide++)
      {
        const mode_t before = umask (umasks[i]);

        assert_int_equal (gt_measurements_append (&table, path, system_wide, why,
                                                  sizeof why), 0);
        assert_int_equal (umask (before), umasks[i]);
        assert_int_equal (stat (path, &status), 0);
        assert_int_equal (status.st_mode & 07777, system_wide ? 0644 : 0600);
        assert_int_equal (unlink (path), 0);
      }
  gt_measurements_clear (&table);
}

/* A file that is no file of ours is not written to.  */
TEST_WITH (what_is_no_file_is_left_alone, set_up, tear_down)
{
  struct gt_measurements table;
  char why[300], other[160];
  struct stat status;

  make_table (&table);
  assert_int_equal (mkfifo (path, 0600), 0);
  assert_int_equal (append (&table, why), -1);
  assert_non_null (strstr (why, "Invalid argument"));
  assert_int_equal (unlink (path), 0);
  snprintf (other, sizeof other, "%s/other", folder);
  assert_int_equal (symlink (other, path), 0);
  assert_int_equal (append (&table, why), -1);
  assert_int_equal (lstat (other, &status), -1);
  assert_int_equal (unlink (path), 0);
  gt_measurements_clear (&table);
}

RUN_TESTS (NULL, NULL)
