/* fingerprint [OPTION]... LENGTH...

   Prints a line for each function and type: a hash of what it answers of vectors of
   these lengths, contiguous and not, of several kinds of data, in exact mode, and of
   whole numbers in the others.  Two machines, builds or surroundings agree if their
   lines do.  The first lines say what the machine's types are.  Lines that begin with
   "exact-extreme" are those of elements whose products and powers leave the range of
   double.  Lines that begin with # are about the surroundings.

   --round=WAY, --flush, --trap    the floating-point environment of the callers
   --eperm=CALL,... --enosys=...   system calls that are refused
   --limit=NAME:VALUE              a resource, as setrlimit has it
   --close=DIGITS                  streams that are closed
   --cpu=N --user=N                where and as whom it runs
   --wander                        bound to one processor after another
   --locale                        the user's locale
   --output=FILE                   for the lines, opened at the end

   Ends with status 77 where the machine cannot do that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <fenv.h>
#include <gsl/gsl_errno.h>
#include <limits.h>
#include <locale.h>
#include <sys/auxv.h>

#if defined __SSE2__
#include <immintrin.h>
#endif

#include "src/device/device.h"
#include "tests/every_function.h"
#include "tests/surroundings.h"

#define MAX_LINES 4000

static struct
{
  char name[80];
  uint64_t hash;
} lines[MAX_LINES];
static size_t n_lines;

/* The elements of the moment.  */
static enum every_kind kind_now;

static int rounding = FE_TONEAREST, flush, trap, wander;
static const char *output;

/* The caller's surroundings, while the library is called and not while we judge.  */
static void
every_begin (void)
{
#if defined __SSE2__
  if (flush)
    _mm_setcsr (_mm_getcsr () | 0x8040);
#endif
  fesetround (rounding);
  if (trap && kind_now != EVERY_SPECIAL) /* comparing a NaN traps, in GSL too */
    {
      feclearexcept (FE_ALL_EXCEPT);
      feenableexcept (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    }
}

static void
every_end (const char *name)
{
  const int kept = fegetround () == rounding;

  (void) name;
  fesetenv (FE_DFL_ENV);
  CHECK (kept);
}

/* Sums of other than whole numbers differ in the last bits in other modes than exact
   mode; so do quotients of what was taken relative to a mean.  */
static int
is_exact_always (const char *reduction)
{
  static const char *const names[]
    = {"sum", "max", "min", "minmax", "amax", "asum", "dot", "sumsq", "copy"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (reduction, names[i]) == 0)
      return 1;
  return 0;
}

static void
every_result (const char *name, const char *type, const char *reduction,
              const uint64_t *words, size_t count)
{
  static size_t next; /* they mostly come in the order of the time before */
  char line[sizeof lines[0].name];
  size_t k = next;

  if (gsltune_get_mode () != GSLTUNE_MODE_EXACT && !is_exact_always (reduction))
    return;
  snprintf (line, sizeof line, "%s%s %s:%s", gt_mode_names[gsltune_get_mode ()],
            kind_now == EVERY_EXTREME ? "-extreme" : "", type, name);
  if (k >= n_lines || strcmp (lines[k].name, line) != 0)
    for (k = 0; k < n_lines && strcmp (lines[k].name, line) != 0; k++)
      continue;
  if (k == n_lines)
    {
      CHECK (n_lines < MAX_LINES);
      strcpy (lines[n_lines].name, line);
      lines[n_lines++].hash = 0xcbf29ce484222325u;
    }
  for (size_t i = 0; i < count; i++)
    lines[k].hash = (lines[k].hash ^ words[i] ^ words[i] >> 29)
                    * 0x100000001b3u;
  next = k + 1;
}

static void
read_option (char *word)
{
  static const struct
  {
    const char *name;
    int way;
  } ways[] = {{"--round=up", FE_UPWARD},
              {"--round=down", FE_DOWNWARD},
              {"--round=zero", FE_TOWARDZERO}};

  if (strcmp (word, "--flush") == 0)
    flush = 1;
  else if (strcmp (word, "--trap") == 0)
    trap = 1;
  else if (strcmp (word, "--wander") == 0)
    wander = 1;
  else if (strcmp (word, "--locale") == 0)
    setlocale (LC_ALL, "");
  else if (strncmp (word, "--output=", 9) == 0)
    output = word + 9;
  else if (!is_surrounding (word))
    {
      for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp (word, ways[i].name) == 0)
          {
            rounding = ways[i].way;
            return;
          }
      fprintf (stderr, "fingerprint: there is no option '%s'\n", word);
      exit (2);
    }
}

static void
lengths_of (char **words, enum every_kind kind)
{
  kind_now = kind;
  if (wander)
    stay_on (kind % 2 ? "0" : "1");
  for (; *words; words++)
    if (**words != '-')
      for (size_t stride = 1; stride <= 3; stride += 2)
        every_function (kind, strtoul (*words, NULL, 10), stride);
}

static void
print (FILE *to, gsltune_mode began)
{
  fprintf (to, "# began in mode %s, privileged %d, threads %d, 0.5 is %g\n",
           gt_mode_names[began], (int) getauxval (AT_SECURE),
           gt_device_host ()->host.threads, 0.5);
  fprintf (to, "type char from %d\ntype long of %zu bytes\n"
               "type long double of %d bits\n", CHAR_MIN, sizeof (long), LDBL_MANT_DIG);
  for (size_t k = 0; k < n_lines; k++)
    fprintf (to, "%s %016llx\n", lines[k].name, (unsigned long long) lines[k].hash);
}

int
main (int argc, char **argv)
{
  const gsltune_mode began = gsltune_get_mode ();
  FILE *to = stdout;

  (void) argc;
  gsl_set_error_handler_off ();
  for (char **word = argv + 1; *word; word++)
    if (**word == '-')
      read_option (*word);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      for (int kind = 0; kind < N_EVERY_KINDS; kind++)
        if (mode == GSLTUNE_MODE_EXACT || kind == EVERY_WHOLE)
          lengths_of (argv + 1, (enum every_kind) kind);
    }
  if (output && (to = fopen (output, "w")) == NULL)
    return 1;
  print (to, began);
  return fclose (to) ? 1 : 0;
}
