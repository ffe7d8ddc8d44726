/* Running fuzz targets, and what takes too long.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>

#include "tuning/measure/clock.h"

const uint8_t *gt_fuzz_input;
size_t gt_fuzz_input_size;

_Noreturn void
gt_fuzz_fail (const char *file, int line, const char *what)
{
  fprintf (stderr, "%s:%d: this does not hold: %s\n", file, line, what);
  abort ();
}

void *
gt_fuzz_allocate (size_t bytes)
{
  void *memory = malloc (bytes ? bytes : 1);

  GT_FUZZ_CHECK (memory != NULL);
  return memory;
}

const char *
gt_fuzz_file (unsigned which, const void *data, size_t size)
{
  static struct
  {
    char path[32];
    int fd; /* 0: none yet */
  } files[GT_FUZZ_FILES];

  if (files[which].fd == 0)
    {
      files[which].fd = memfd_create ("gsltune-fuzz", 0);
      GT_FUZZ_CHECK (files[which].fd > 0);
      snprintf (files[which].path, sizeof files[which].path,
                "/proc/self/fd/%d", files[which].fd);
    }
  GT_FUZZ_CHECK (ftruncate (files[which].fd, 0) == 0);
  GT_FUZZ_CHECK (pwrite (files[which].fd, data, size, 0) == (ssize_t) size);
  return files[which].path;
}

void
gt_fuzz_check_words (const char *words)
{
  for (; *words; words++)
    GT_FUZZ_CHECK (*words >= ' ' && *words <= '~');
}

FILE *
gt_fuzz_null (void)
{
  static FILE *null;

  if (null == NULL)
    null = fopen ("/dev/null", "w");
  GT_FUZZ_CHECK (null != NULL);
  return null;
}

void
gt_fuzz_take (struct gt_fuzz_bytes *bytes, void *to, size_t n)
{
  const size_t left = (size_t) (bytes->end - bytes->at);
  const size_t taken = n < left ? n : left;

  memset (to, 0, n);
  if (taken)
    memcpy (to, bytes->at, taken);
  bytes->at += taken;
}

char *
gt_fuzz_rest (struct gt_fuzz_bytes *bytes)
{
  const size_t length = (size_t) (bytes->end - bytes->at);
  char *text = gt_fuzz_allocate (length + 1);

  gt_fuzz_take (bytes, text, length);
  text[length] = '\0';
  return text;
}

/* ----------------------------------------------------------- What is slow

   Time is the thread's own, so that other processes do not count.  What is usual grows
   with the size: so many seconds a byte, and as many as if there were some more bytes for
   what every input takes.  Of a slow input the fastest of several runs decides: what is
   found out or allocated once is not the input's.  */

#define MORE_BYTES 256
#define RUNS 5
#define SHORTEST 1e-4 /* seconds that are never too many */

static double usual; /* seconds a byte; 0: not known */
static double slowest;

/* LeakSanitizer's: between them nothing is noted.  */
void __lsan_disable (void) __attribute__ ((weak));
void __lsan_enable (void) __attribute__ ((weak));

void
gt_fuzz_call (const struct gt_fuzz_target *target, const uint8_t *data,
              size_t size)
{
  if (target->leaks && __lsan_disable)
    __lsan_disable ();
  target->run (data, size);
  if (target->leaks && __lsan_enable)
    __lsan_enable ();
}

static double
time_once (const struct gt_fuzz_target *target, const uint8_t *data,
           size_t size)
{
  const double begin = gt_processor_now ();

  gt_fuzz_call (target, data, size);
  return gt_processor_now () - begin;
}

static double
time_best (const struct gt_fuzz_target *target, const uint8_t *data,
           size_t size)
{
  double best = time_once (target, data, size);

  for (int k = 1; k < RUNS; k++)
    {
      const double seconds = time_once (target, data, size);

      if (seconds < best)
        best = seconds;
    }
  return best;
}

static double
per_byte (double seconds, size_t size)
{
  return seconds / (double) (size + MORE_BYTES);
}

void
gt_fuzz_usual (const struct gt_fuzz_target *target, const uint8_t *data,
               size_t size)
{
  const double seconds = time_best (target, data, size);

  if (per_byte (seconds, size) > usual)
    usual = per_byte (seconds, size);
}

void
gt_fuzz_run (const struct gt_fuzz_target *target, const uint8_t *data,
             size_t size)
{
  double seconds, times;

  gt_fuzz_input = data;
  gt_fuzz_input_size = size;
  seconds = time_once (target, data, size);
  if (usual <= 0 || seconds < SHORTEST
      || per_byte (seconds, size) < slowest * usual)
    return;
  times = per_byte (time_best (target, data, size), size) / usual;
  if (times > slowest)
    slowest = times;
  if (times <= GT_FUZZ_SLOW)
    return;
  fprintf (stderr, "%s: %zu bytes took %.1f times as long as usual: %.3g s\n",
           target->name, size, times, seconds);
  abort ();
}

double
gt_fuzz_slowest (void)
{
  return slowest;
}
