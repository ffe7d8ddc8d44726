/* The environment, read once, when the library is loaded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/env.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "kernels/cpu/isa/isa.h"
#include "src/base/names.h"

struct gt_env gt_env;
const struct gt_modes gt_modes_of[GT_N_CHOSEN_MODES]
  = {[GT_MODE_FAST] = {GT_MODE_FAST, GT_MODE_FAST, SIZE_MAX},
     [GT_MODE_COMPENSATED] = {GT_MODE_COMPENSATED, GT_MODE_EXACT, 0},
     [GT_MODE_EXACT] = {GT_MODE_EXACT, GT_MODE_EXACT, 0},
     [GT_MODE_AUTO] = {GT_MODE_AUTO, GT_MODE_EXACT, 0}};
struct gt_modes gt_process_modes = {GT_MODE_AUTO, GT_MODE_EXACT, 0};
_Thread_local const struct gt_modes *gt_thread_modes = &gt_process_modes;
_Atomic size_t gt_scratch_limit = GT_SCRATCH_BYTES;

void
gt_set_mode (enum gt_mode mode)
{
  const struct gt_modes *const of = &gt_modes_of[mode];

  __atomic_store_n (&gt_process_modes.chosen, of->chosen, __ATOMIC_RELAXED);
  __atomic_store_n (&gt_process_modes.mode, of->mode, __ATOMIC_RELAXED);
  __atomic_store_n (&gt_process_modes.fast_mask, of->fast_mask, __ATOMIC_RELAXED);
}

/* A decimal number from MIN to MAX, or -1.  */
static int
parse_number (const char *word, int min, int max)
{
  char *end;
  long value;

  errno = 0;
  value = strtol (word, &end, 10);
  if (errno || end == word || *end || value < min || value > max)
    return -1;
  return (int) value;
}

static int
set_log (const char *value)
{
  static const char *const names[] = {"quiet", "notice", "debug"};
  const int level = gt_name_find (names, 3, value);

  if (level < 0)
    return -1;
  gt_log_wanted = (enum gt_log_level) level;
  return 0;
}

/* Reads words separated as those of GSLTUNE_PRELOAD are, each a mode, or FUNCTION=MODE.  The latter,
   and the mode gsl, are for the object of `gsltune run' (src/preload/taken.h).  */
static int
set_mode (const char *value)
{
  static const char separators[] = ", \t\n";
  int mode = -1, some = 0;

  while (*(value += strspn (value, separators)))
    {
      const size_t length = strcspn (value, separators);
      const char *equals = memchr (value, '=', length);
      const char *const name = equals ? equals + 1 : value;
      char word[16] = "";
      int k;

      if (value + length - name < (ptrdiff_t) sizeof word)
        memcpy (word, name, (size_t) (value + length - name));
      k = gt_name_find (gt_mode_names, GT_N_CHOSEN_MODES, word);
      if (k < 0 && strcmp (word, "gsl") != 0)
        return -1;
      mode = equals ? mode : k;
      some = 1;
      value += length;
    }
  if (mode >= 0)
    gt_set_mode ((enum gt_mode) mode);
  return some - 1;
}

static int
set_device (const char *value)
{
  static const char *const names[] = {"auto", "cpu", "cuda"};
  const int named = gt_name_find (names, 3, value);
  int ordinal = 0;

  if (named == GT_CHOOSE_AUTO)
    return 0;
  if (named < 0)
    ordinal = strncmp (value, "cuda:", 5) == 0
                ? parse_number (value + 5, 0, 1023) : -1;
  if (ordinal < 0)
    return -1;
  gt_env.device = named == GT_CHOOSE_CPU ? GT_CHOOSE_CPU : GT_CHOOSE_CUDA;
  gt_env.all_gpus |= named == GT_CHOOSE_CUDA;
  gt_env.ordinal = ordinal;
  return 0;
}

static int
set_profile_dir (const char *value)
{
  if (value[0] != '/')
    return -1;
  gt_env.profile_dir = strdup (value);
  return gt_env.profile_dir ? 0 : -1;
}

static int
set_threads (const char *value)
{
  int threads = parse_number (value, 1, 1 << 20);

  if (threads < 0)
    return -1;
  gt_env.threads = threads;
  return 0;
}

/* OpenMP's own variable may be a list; its first number counts here.  What
   else is wrong with it is OpenMP's to say.  */
static int
set_openmp_threads (const char *value)
{
  char *end;
  long threads = strtol (value, &end, 10);

  if (gt_env.threads == 0 && end != value && (*end == '\0' || *end == ',')
      && threads >= 1 && threads <= 1 << 20)
    gt_env.threads = (int) threads;
  return 0;
}

#if HAVE_X86_ISAS
#define ISAS_ALLOWED "baseline, avx2 or avx512"
#else
#define ISAS_ALLOWED "baseline"
#endif

static int
set_isa (const char *value)
{
  const int isa = gt_name_find (gt_isa_names, GT_N_ISAS, value);

  if (isa < 0)
    return -1;
  gt_isa_set_limit ((enum gt_isa) isa);
  return 0;
}

/* Bytes, or with K, M or G behind the number so many KiB, MiB or GiB.  */
static int
set_scratch (const char *value)
{
  static const char units[] = "KMG";
  const char *unit;
  char *end;
  size_t bytes, scale;

  errno = 0;
  bytes = strtoul (value, &end, 10);
  unit = strchr (units, *end);
  if (errno || value[0] < '0' || value[0] > '9' || unit == NULL
      || (*unit && end[1]))
    return -1;
  scale = *unit ? (size_t) 1024 << 10 * (unit - units) : 1;
  if (__builtin_mul_overflow (bytes, scale, &bytes))
    return -1;
  gt_scratch_limit = bytes;
  return 0;
}

static const struct
{
  const char *name;
  int (*set) (const char *value);
  const char *allowed;
} variables[] = {
  {"GSLTUNE_LOG", set_log, "quiet, notice or debug"},
  {"GSLTUNE_MODE", set_mode,
   "auto, exact, compensated, fast or gsl, and FUNCTION=MODE after a comma"},
  {"GSLTUNE_DEVICE", set_device, "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_PROFILE_DIR", set_profile_dir, "an absolute path"},
  {"GSLTUNE_SCRATCH", set_scratch,
   "bytes, or a whole number followed by K, M or G"},
  {"GSLTUNE_ISA", set_isa, ISAS_ALLOWED},
  {"GSLTUNE_THREADS", set_threads, "a whole number from 1"},
  {"OMP_NUM_THREADS", set_openmp_threads, ""}
};
enum { N_VARIABLES = sizeof variables / sizeof *variables };

/* A value that is not allowed is noted, for whoever asks why it does not count.  */
static int
set (unsigned k, const char *value)
{
  if (variables[k].set (value) == 0)
    return 0;
  if (gt_env.ignored[0] == '\0')
    snprintf (gt_env.ignored, sizeof gt_env.ignored,
              "%s='%.100s' is not understood: allowed is %s", variables[k].name,
              value, variables[k].allowed);
  return -1;
}

int
gt_env_set (const char *name, const char *value)
{
  for (unsigned k = 0; k < N_VARIABLES; k++)
    if (strcmp (variables[k].name, name) == 0)
      return set (k, value);
  return -1;
}

/* Runs before other constructors, because that of src/base/setup.c may log.  */
__attribute__ ((constructor (1000))) static void
read_environment (void)
{
  gt_env.secure = getauxval (AT_SECURE) != 0;
  for (unsigned k = 0; k < N_VARIABLES; k++)
    {
      const char *value = secure_getenv (variables[k].name);

      if (value && *value)
        set (k, value);
    }
  if (gt_env.ignored[0])
    gt_log (GT_LOG_NOTICE, "%s", gt_env.ignored);
}
