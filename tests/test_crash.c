/* Tests of crashes while a profile is saved: a tuner that is killed at every
   system call, calls that fail or do less than was asked, and the order of the
   calls, on which it depends what a machine that loses its power has kept.

   Every call meets one error, and another one that goes on; with TEST_CRASHES in
   the environment, as `make check-crashes' has it, all of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>

#include "tests/unit.h"

#include "tests/profile_folder.h"
#include "tests/traced.h"

static char deep[128];  /* the folder that is saved to, in base */
static char saved[320]; /* the file in it */

/* --------------------------------------------------------------- Scenes */

/* The file that a killed tuner left, as it has always been called.  */
static void
leave_temporary (void)
{
  char path[400];
  FILE *stream;

  save_in (deep, 0);
  snprintf (path, sizeof path, "%s/.%s.4711-12-0", deep, strrchr (saved, '/') + 1);
  stream = fopen (path, "w");
  assert_non_null (stream);
  fputs ("{\"half\": ", stream);
  fclose (stream);
}

static void
save_old (void)
{
  save_in (deep, 0);
}

static void
save_old_system (void)
{
  save_in (deep, 1);
}

static void
nothing (void)
{
}

/* Something that is no profile in its place.  */
static void
link_elsewhere (void)
{
  char other[320];

  save_old ();
  snprintf (other, sizeof other, "%s/other", base);
  assert_int_equal (rename (saved, other), 0);
  assert_int_equal (symlink (other, saved), 0);
}

static void
make_fifo (void)
{
  save_old ();
  assert_int_equal (unlink (saved), 0);
  assert_int_equal (mkfifo (saved, 0600), 0);
}

static const struct scene
{
  const char *name;
  void (*prepare) (void);
  int system_wide;
} scenes[] = {
  {"over an old profile", save_old, 0},
  {"into folders that are not there", nothing, 0},
  {"beside what a killed tuner left", leave_temporary, 0},
  {"of the system, over an old one", save_old_system, 1},
  {"of the system, into folders that are not there", nothing, 1},
  {"over a symbolic link", link_elsewhere, 0},
  {"over a FIFO", make_fifo, 0},
};
static const struct scene *scene;

/* The child's report.  */
static struct
{
  char why[600];
} *told;

static struct trace trace;
static unsigned tried;

static void
expect (int condition, const char *what)
{
  if (!condition)
    fail_spoilt (&trace, scene->name, what, told->why);
}

/* Calls on what is below the test's folder.  */
static int
on_our_files (const struct traced_call *call)
{
  return strstr (call->path, base) != NULL;
}

/* ------------------------------------------------------------ One tuner */

enum outcome
{
  SAVED,
  NOT_LOCKED,
  NOT_SAVED
};

/* The profile that is saved differs from the one that is there.  */
static struct gt_profile profile;

static int
tune (void)
{
  const int lock = gt_profile_lock (deep, scene->system_wide, told->why, sizeof told->why);
  int failed;

  if (lock < 0)
    return NOT_LOCKED;
  failed = gt_profile_save (&profile, deep, scene->system_wide, told->why, sizeof told->why);
  close (lock);
  return failed ? NOT_SAVED : SAVED;
}

/* ------------------------------------------------------ What is on disk */

#define MOST_TEXT 65536

/* The contents of the profile, or "" where there is no regular file.  */
static void
read_saved (char text[MOST_TEXT])
{
  const int descriptor = open (saved, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const ssize_t length = descriptor < 0 ? 0 : read (descriptor, text, MOST_TEXT - 1);

  text[length > 0 ? length : 0] = '\0';
  if (descriptor >= 0)
    close (descriptor);
}

static char before[MOST_TEXT], new[MOST_TEXT], after[MOST_TEXT];

/* Files in the folder that are neither the profile nor the lock.  */
static unsigned
strangers (void)
{
  DIR *stream = opendir (deep);
  const struct dirent *entry;
  unsigned n = 0;

  if (stream == NULL)
    return 0;
  while ((entry = readdir (stream)) != NULL)
    n += strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
         && strcmp (entry->d_name, ".lock") != 0
         && strcmp (entry->d_name, strrchr (saved, '/') + 1) != 0;
  closedir (stream);
  return n;
}

/* The folder as the scene has it, and the text that is to be in the file.  */
static void
set_scene (size_t s)
{
  remove_folder (base);
  assert_int_equal (mkdir (base, 0700), 0);
  assert_int_equal (chdir (base), 0);
  umask (022);
  scene = &scenes[s];
  scene->prepare ();
  umask (077);
  read_saved (before);
}

/* ---------------------------------------------------------- Spoilt saves */

/* Runs WORK, in scene S, and spoils a call.  Returns its status.  */
static int
trace_in_scene (size_t s, struct spoiling spoiling,
                int (*counts) (const struct traced_call *call), int (*work) (void))
{
  set_scene (s);
  memset (told, 0, sizeof *told);
  trace.counts = counts;
  trace.spoiling = spoiling;
  return trace_child (work, &trace);
}

/* Saves in scene S.  Returns whether there was a call to be spoilt; then OUTCOME is
   what it says it did, or -1 when it was killed.  */
static int
save_spoilt (size_t s, struct spoiling spoiling,
             int (*counts) (const struct traced_call *call), int *outcome)
{
  const int status = trace_in_scene (s, spoiling, counts, tune);

  if (spoiling.at >= trace.n)
    return 0;
  tried++;
  *outcome = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
  expect (WIFEXITED (status) || (WTERMSIG (status) == SIGKILL && spoiling.how != FAIL
                && spoiling.how != SHORTEN), "it crashed");
  return 1;
}

/* Without /proc nobody tells what a descriptor is of.  */
static int
can_trace (void)
{
  const int status = trace_in_scene (0, (struct spoiling) {0}, on_our_files, tune);

  expect (status <= 0, "one fails that nobody disturbs");
  if (status == 0 && trace.n > 10)
    return 1;
  print_message ("# not tested: no process can be traced here\n");
  return 0;
}

/* Calls after which nothing is known to have been done, so that they can be made again.  */
static int
can_be_repeated (long number)
{
  return number == SYS_openat || number == SYS_read || number == SYS_pread64
         || number == SYS_write || number == SYS_fsync || number == SYS_flock
         || number == SYS_ftruncate || number == SYS_close;
}

/* A failure, which OUTCOME 0 is not, says what went wrong, and where.  */
static void
expect_told (int outcome)
{
  const struct spoiling *spoiling = &trace.spoiling;

  if (outcome == 0)
    return;
  expect (strstr (told->why, strerror (spoiling->error)) != NULL, "it does not say why");
  expect (strstr (told->why, base) != NULL, "it does not say where");
  expect (spoiling->error != EINTR || spoiling->onwards
            || !can_be_repeated (trace.call[spoiling->at].number),
          "an interrupted call was not made again");
}

static const int errors[] = {ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES,
                             ENOMEM, ENOLCK, EFBIG, ENOENT, EMFILE};

/* A call that is interrupted for ever would be tried for ever.  */
static int
is_tried (unsigned at, size_t error, int onwards)
{
  if (onwards && errors[error] == EINTR)
    return 0;
  return getenv ("TEST_CRASHES")
         || (at + (onwards ? 3 : 0)) % N_OF (errors) == error;
}

/* ------------------------------------------------------------- Verdicts */

/* The old profile or the new one, whole, whatever has happened.  */
static void
expect_whole (int must_be_new)
{
  read_saved (after);
  expect (strcmp (after, new) == 0 || (!must_be_new && strcmp (after, before) == 0),
          "neither the old profile nor the new one");
}

/* The next tuner finds nothing in its way, and leaves nothing but its profile.  */
static void
expect_next_tuner_clears (void)
{
  expect (tune () == SAVED, "the next tuner does not save");
  expect_whole (1);
  expect (strangers () == 0, "files are left");
  expect (mode_of (saved) == (scene->system_wide ? 0644 : 0600), "wrong mode of the file");
  expect (mode_of (deep) == (scene->system_wide ? 0755 : 0700), "wrong mode of the folder");
}

static void
look_after_kill (int outcome)
{
  expect_whole (trace.spoiling.how == KILL_AFTER && outcome == SAVED);
  expect_next_tuner_clears ();
}

static void
look_after_error (int outcome)
{
  expect_whole (outcome == SAVED);
  expect_told (outcome);
  expect_next_tuner_clears ();
}

static void
look_after_less (int outcome)
{
  expect (outcome == SAVED, "not saved");
  expect_whole (1);
  expect_next_tuner_clears ();
}

/* Between any two calls, of whatever kind.  */
TEST (killed_at_every_call)
{
  static const enum spoil ways[] = {KILL_BEFORE, KILL_AFTER};
  int outcome;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t w = 0; w < N_OF (ways); w++)
    for (size_t s = 0; s < N_OF (scenes); s++)
      for (unsigned at = 0;
           save_spoilt (s, (struct spoiling) {.how = ways[w], .at = at}, NULL, &outcome);
           at++)
        look_after_kill (outcome);
  print_message ("# a save was killed %u times\n", tried);
}

/* Every call on our files, once and from there on.  */
TEST (failing_at_every_call)
{
  int outcome;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t s = 0; s < N_OF (scenes); s++)
    for (unsigned at = 0, there = 1; there; at++)
      for (size_t e = 0; e < N_OF (errors); e++)
        for (int onwards = 0; onwards <= 1 && there; onwards++)
          if (is_tried (at, e, onwards) && (there = save_spoilt (s, (struct spoiling) {
                                         FAIL, at, errors[e], onwards},
                                       on_our_files, &outcome)))
            look_after_error (outcome);
  print_message ("# a save met an error %u times\n", tried);
}

static int
on_our_data (const struct traced_call *call)
{
  return call->number == SYS_write && on_our_files (call);
}

/* Less than was asked; and nothing, which a file system may answer that is full.  */
TEST (short_writes)
{
  int outcome;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t s = 0; s < N_OF (scenes); s++)
    for (int onwards = 0; onwards <= 1; onwards++)
      for (unsigned at = 0; at < 20; at++)
        if (save_spoilt (s, (struct spoiling) {SHORTEN, at, 0, onwards}, on_our_data,
                         &outcome))
          look_after_less (outcome);
        else
          break;
  for (unsigned at = 0;
       save_spoilt (0, (struct spoiling) {FAIL, at, 0, 1}, on_our_data, &outcome);
       at++)
    {
      expect (outcome == NOT_SAVED, "nothing was written, and it was saved");
      expect_whole (0);
      expect_next_tuner_clears ();
    }
  print_message ("# %u saves had short writes\n", tried);
}

/* ------------------------------------------------------- Loss of power */

/* Returns the first call of NUMBER from FROM on for PATH, or trace.n.  */
static unsigned
find_call (unsigned from, long number, const char *path)
{
  unsigned i = from;

  while (i < trace.n
         && (trace.call[i].number != number || strcmp (trace.call[i].path, path) != 0))
    i++;
  return i;
}

static int
renames (long number)
{
  return number == SYS_renameat2
#ifdef SYS_renameat
         || number == SYS_renameat
#endif
#ifdef SYS_rename
         || number == SYS_rename
#endif
    ;
}

static int
makes_folder (long number)
{
  return number == SYS_mkdirat
#ifdef SYS_mkdir
         || number == SYS_mkdir
#endif
    ;
}

/* A file system may keep a rename before it keeps what was written to the file
   (T. S. Pillai and others, "All file systems are not created equal: on the
   complexity of crafting crash-consistent applications", OSDI 2014).  So: all is
   written, the file is synced, it is renamed, its folder is synced; and so is each
   folder in which one was made.  */
static void
check_order (void)
{
  char temporary[300], parent[300];
  unsigned synced, renamed = 0, written = 0;

  while (renamed < trace.n && !renames (trace.call[renamed].number))
    renamed++;
  expect (renamed < trace.n, "nothing is renamed");
  snprintf (temporary, sizeof temporary, "%s", trace.call[renamed].path);
  for (unsigned i = 0; i < trace.n; i++)
    if (trace.call[i].number == SYS_write && strcmp (trace.call[i].path, temporary) == 0)
      written = i;
  synced = find_call (written, SYS_fsync, temporary);
  expect (written > 0 && written < synced && synced < renamed,
          "the file is not synced before it is renamed");
  expect (find_call (renamed, SYS_fsync, deep) < trace.n, "its folder is not synced");
  for (unsigned i = 0; i < trace.n; i++)
    {
      if (!makes_folder (trace.call[i].number))
        continue;
      snprintf (parent, sizeof parent, "%s", trace.call[i].path);
      *strrchr (parent, '/') = '\0';
      expect (find_call (i, SYS_fsync, parent) < trace.n,
              "a folder that was made may not be there");
    }
}

TEST (order_of_calls)
{
  if (!can_trace ())
    return;
  for (size_t s = 0; s < N_OF (scenes); s++)
    {
      assert_int_equal (trace_in_scene (s, (struct spoiling) {0}, on_our_files, tune), 0);
      check_order ();
    }
}

/* -------------------------------------------------------------- Readers */

static int
read_it (void)
{
  struct gt_profile got;
  const enum gt_profile_status status
    = gt_profile_read (saved, &host, &got, told->why, sizeof told->why);
  const int whole = got.n_steps == SAMPLE_STEPS && got.rejected == 0;

  gt_profile_clear (&got);
  return status == GT_PROFILE_OK ? whole ? 0 : 100 : (int) status;
}

/* A profile that cannot be read is a miss, with its reason; one that can be read is whole.  */
TEST (reads_spoilt)
{
  static const int of_reads[] = {EIO, EINTR, EACCES, ENOMEM, ESTALE, EMFILE};
  int status;

  if (!can_trace ())
    return;
  tried = 0;
  for (size_t e = 0; e <= N_OF (of_reads); e++)
    for (unsigned at = 0, there = 1; there; at++)
      {
        const int error = e < N_OF (of_reads) ? of_reads[e] : 0;

        status = trace_in_scene (0, (struct spoiling) {error ? FAIL : SHORTEN, at,
                                                       error, 0},
                                 on_our_files, read_it);
        there = at < trace.n;
        if (!there)
          break;
        tried++;
        expect (WIFEXITED (status), "it crashed");
        if (trace.call[at].number == SYS_close)
          expect (status == 0, "it was not read");
        else if (error == 0 && trace.call[at].number == SYS_read)
          expect (status == 0, "a short read was taken for the end");
        else if (error == EINTR && can_be_repeated (trace.call[at].number))
          expect (status == 0, "an interrupted call was not made again");
        else if (error)
          expect (WEXITSTATUS (status) == GT_PROFILE_REFUSED
                    && strstr (told->why, strerror (error)),
                  "not refused for that reason");
      }
  print_message ("# %u reads were spoilt\n", tried);
}

/* Somebody who edits the profile where it lies, as no tuner does: in halves, longer
   and shorter, by turns.  */
static void
rewrite_in_place (const char *text)
{
  const size_t length = strlen (text);

  for (unsigned turn = 0;; turn++)
    {
      const int descriptor = open (saved, O_WRONLY);

      if (turn % 3 == 0 && ftruncate (descriptor, 0))
        _exit (1);
      for (size_t i = 0; i < 2; i++)
        if (write (descriptor, text + i * (length / 2), length / 2) < 0)
          _exit (1);
      if (turn % 3 == 1 && ftruncate (descriptor, (off_t) length / 2))
        _exit (1);
      close (descriptor);
    }
}

/* The file is then a profile or a miss.  */
TEST (changed_while_read)
{
  unsigned seen[GT_PROFILE_REFUSED + 8] = {0};
  pid_t child;

  set_scene (0);
  fflush (NULL);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    rewrite_in_place (before);
  for (unsigned i = 0; i < (getenv ("TEST_CRASHES") ? 200000 : 2000); i++)
    {
      struct gt_profile got;
      const enum gt_profile_status status
        = gt_profile_read (saved, &host, &got, told->why, sizeof told->why);

      assert_true ((unsigned) status < N_OF (seen));
      assert_true (status == GT_PROFILE_OK || told->why[0]);
      assert_true (status != GT_PROFILE_OK || got.n_steps <= SAMPLE_STEPS);
      seen[status]++;
      gt_profile_clear (&got);
    }
  assert_int_equal (kill (child, SIGKILL), 0);
  assert_int_equal (waitpid (child, NULL, 0), child);
  print_message ("# %u reads of a file that changes, %u of them whole\n",
                 getenv ("TEST_CRASHES") ? 200000 : 2000, seen[GT_PROFILE_OK]);
}

/* ----------------------------------------------------------------- Main */

FIXTURE (set_up_all)
{
  char why[256];
  char *text;

  told = mmap (NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED || set_up (state))
    return -1;
  snprintf (deep, sizeof deep, "%s/deep/er", base);
  file_in (deep, saved);
  sample_profile (&host, &profile);
  profile.n_steps = 1;
  text = gt_profile_text (&profile, why, sizeof why);
  if (text == NULL)
    return -1;
  snprintf (new, sizeof new, "%s\n", text);
  free (text);
  return 0;
}

FIXTURE (tear_down_all)
{
  profile.n_steps = SAMPLE_STEPS;
  gt_profile_clear (&profile);
  munmap (told, sizeof *told);
  return tear_down (state);
}

RUN_TESTS (set_up_all, tear_down_all)
