/* Fuzz target: what gsltune doctor reads of /proc, /sys and nvidia-smi.  An input is a
   file after the other: its number, and what is in it up to a null byte.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/command.h"
#include "tests/profile_sample.h"
#include "tuning/measure/machine.h"

/* The ends of files' names, and the parts of questions.  */
static const char *const names[]
  = {"/proc/loadavg", "/proc/stat", "/proc/cpuinfo", "/proc/meminfo",
     "/proc/self/cgroup", "/proc/self/mountinfo", "/cpu.max",
     "/cpu.cfs_quota_us", "/cpu.cfs_period_us", "/cpu0/cpufreq/scaling_governor",
     "/cpu4095/cpufreq/scaling_governor", "/no_turbo", "/boost", "/enabled",
     "/current_clocksource", "--query-gpu=persistence_mode",
     "--query-compute-apps", "--query-gpu=clocks_throttle_reasons"};
enum
{
  N_NAMES = sizeof names / sizeof *names,
  FIRST_QUESTION = 15
};

static struct
{
  const uint8_t *text;
  size_t n;
} content[N_NAMES];

static FILE *
open_content (size_t i)
{
  if (content[i].n > 0)
    return fmemopen ((void *) (uintptr_t) content[i].text, content[i].n, "r");
  errno = ENOENT;
  return NULL;
}

static FILE *
open_file (const char *path)
{
  const size_t length = strlen (path);

  for (size_t i = 0; i < FIRST_QUESTION; i++)
    {
      const size_t n = strlen (names[i]);

      if (length >= n && memcmp (path + length - n, names[i], n) == 0)
        return open_content (i);
    }
  errno = ENOENT;
  return NULL;
}

static FILE *
ask (const char *command)
{
  for (size_t i = FIRST_QUESTION; i < N_NAMES; i++)
    if (strstr (command, names[i]))
      return open_content (i);
  errno = ENOENT;
  return NULL;
}

static void
check (const struct gt_finding *finding)
{
  GT_FUZZ_CHECK (finding->subject != NULL && finding->fitness < GT_N_FITNESS);
  GT_FUZZ_CHECK (finding->found[0] != '\0');
  gt_fuzz_check_words (finding->found);
}

static void
take_files (const uint8_t *data, size_t size)
{
  const uint8_t *end = data + size;

  memset (content, 0, sizeof content);
  while (data < end)
    {
      const size_t i = *data++ % N_NAMES;
      const uint8_t *null = memchr (data, 0, (size_t) (end - data));

      content[i].text = data;
      content[i].n = (size_t) ((null ? null : end) - data);
      data = null ? null + 1 : end;
    }
}

int
gt_fuzz_machine (const uint8_t *data, size_t size)
{
  static struct gt_device host, gpu;
  struct gt_finding findings[GT_MOST_FINDINGS];
  size_t n;

  if (host.host.threads == 0)
    {
      host = sample_host ();
      gpu = sample_gpu ();
      strcpy (gpu.gpu.uuid, "GPU-5e3a1f6c");
    }
  take_files (data, size);
  gt_fuzz_open = open_file;
  gt_fuzz_ask = ask;
  n = gt_machine_host ("", &host.host, findings);
  GT_FUZZ_CHECK (n > 0 && n <= GT_MOST_FINDINGS);
  for (size_t i = 0; i < n; i++)
    check (&findings[i]);
  n = gt_machine_gpu (&gpu.gpu, findings);
  GT_FUZZ_CHECK (n > 0 && n <= GT_MOST_FINDINGS);
  for (size_t i = 0; i < n; i++)
    check (&findings[i]);
  gt_fuzz_open = NULL;
  gt_fuzz_ask = NULL;
  return 0;
}
