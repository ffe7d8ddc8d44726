/* Tests of tuning/text/progress.c: plain lines in a file, a bar on a terminal.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <termios.h>

#include "tests/unit.h"

#include "tuning/measure/clock.h"
#include "tuning/text/progress.h"

static int kept_stderr;

/* Standard error goes to DESCRIPTOR until restore_stderr.  */
static void
replace_stderr (int descriptor)
{
  fflush (stderr);
  kept_stderr = dup (STDERR_FILENO);
  assert_true (kept_stderr >= 0);
  assert_true (dup2 (descriptor, STDERR_FILENO) >= 0);
}

static void
restore_stderr (void)
{
  fflush (stderr);
  assert_true (dup2 (kept_stderr, STDERR_FILENO) >= 0);
  close (kept_stderr);
}

/* A run of STEPS steps of 4 each, which has taken SECONDS all the while.  */
static void
run (unsigned steps, double seconds, const char *now_at)
{
  struct gt_progress progress;

  gt_progress_begin (&progress, "GPU 12", 4.0 * steps, "a name, 7 problems");
  progress.begun = gt_now () - seconds;
  for (unsigned i = 0; i <= steps; i++)
    gt_progress_show (&progress, 4.0 * i, now_at);
  gt_progress_end (&progress);
}

static void
read_all (int descriptor, char *text, size_t size)
{
  ssize_t got, length = 0;

  while ((got = read (descriptor, text + length,
                      size - 1 - (size_t) length)) > 0)
    length += got;
  text[length] = '\0';
}

/* The text that RUN writes into a file.  */
static void
plain_output (unsigned steps, char *text, size_t size)
{
  FILE *file = tmpfile ();

  assert_non_null (file);
  replace_stderr (fileno (file));
  run (steps, 600, "somewhere");
  restore_stderr ();
  assert_int_equal (lseek (fileno (file), 0, SEEK_SET), 0);
  read_all (fileno (file), text, size);
  fclose (file);
}

TEST (plain_lines)
{
  char text[4096];

  plain_output (4, text, sizeof text);
  assert_string_equal (text, "GPU 12: a name, 7 problems\n"
                             "GPU 12: 20% done, 30:00 left\n"
                             "GPU 12: 50% done, 10:00 left\n"
                             "GPU 12: 70% done, 3:20 left\n");
  plain_output (1000, text, sizeof text); /* a line a tenth */
  assert_non_null (strstr (text, "\nGPU 12: 10% done, 90:00 left\n"));
  assert_non_null (strstr (text, "\nGPU 12: 90% done, 1:07 left\n"));
  assert_null (strstr (text, "100%"));
  plain_output (1, text, sizeof text);
  assert_string_equal (text, "GPU 12: a name, 7 problems\n");
  plain_output (0, text, sizeof text);
  assert_string_equal (text, "GPU 12: a name, 7 problems\n");
}

/* The text that RUN writes on a terminal.  Returns 0 where there are none.  */
static int
terminal_output (unsigned steps, const char *now_at, char *text, size_t size)
{
  int master = posix_openpt (O_RDWR | O_NOCTTY), terminal;
  struct termios settings;

  if (master < 0)
    return 0;
  assert_int_equal (grantpt (master), 0);
  assert_int_equal (unlockpt (master), 0);
  terminal = open (ptsname (master), O_RDWR | O_NOCTTY);
  assert_true (terminal >= 0);
  assert_int_equal (tcgetattr (terminal, &settings), 0);
  settings.c_oflag &= ~(tcflag_t) OPOST;
  assert_int_equal (tcsetattr (terminal, TCSANOW, &settings), 0);
  replace_stderr (terminal);
  run (steps, 60, now_at);
  restore_stderr ();
  close (terminal);
  read_all (master, text, size);
  close (master);
  return 1;
}

TEST (bar)
{
  char text[4096];

  if (!terminal_output (4, "somewhere", text, sizeof text))
    return;
  assert_string_equal (
    text, "\r\033[KGPU 12 [            ]   0%  somewhere"
          "\r\033[KGPU 12 [###         ]  25%  3:00 left  somewhere"
          "\r\033[KGPU 12 [######      ]  50%  1:00 left  somewhere"
          "\r\033[KGPU 12 [#########   ]  75%  0:20 left  somewhere"
          "\r\033[KGPU 12 [############] 100%  0:00 left  somewhere"
          "\r\033[K");
}

TEST (bar_fits_a_terminal)
{
  char text[65536], *line = text;

  if (!terminal_output (50, "long_double compensated contiguous 2^14, and more"
                            " than fits in a line of any kind whatsoever",
                        text, sizeof text))
    return;
  for (char *next; line && *line; line = next)
    {
      line += strspn (line, "\r");
      line += strncmp (line, "\033[K", 3) == 0 ? 3 : 0;
      next = strchr (line, '\r');
      assert_true ((next ? (size_t) (next - line) : strlen (line)) < 80);
      assert_null (memchr (line, '\n', next ? (size_t) (next - line) : 0));
    }
  assert_non_null (strstr (text, "left  long_double compensated contiguous"));
}

RUN_TESTS (NULL, NULL)
