/* Finds out by nvidia-smi what makes a GPU unfit for tuning.  Fields: nvidia-smi
   --help-query-gpu.  The program is asked, not libnvidia-ml: it comes with every driver,
   its output has been the same for years, and users can repeat the question.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/measure/machine.h"

enum
{
  FIELD_SIZE = 64
};

/* The questions, in this order.  */
enum field
{
  PERSISTENCE,
  MIG,
  ECC,
  UTILIZATION,
  CLOCK,
  MOST_CLOCK,
  POWER_LIMIT,
  MOST_POWER,
  N_FIELDS
};
#define QUERY                                                        \
  "persistence_mode,mig.mode.current,ecc.mode.current,utilization.gpu," \
  "clocks.applications.graphics,clocks.max.graphics,power.limit,power.max_limit"

struct answers
{
  char field[N_FIELDS][FIELD_SIZE];
  int processes;     /* that compute on the GPU; -1: not told */
  unsigned long long throttled; /* why the clock is lower than it could be */
};

/* ------------------------------------------------------------- Asking */

/* The first line of what nvidia-smi answers about the GPU of UUID to QUESTION, in LINE,
   and how many lines there are; -1 when it does not answer.  */
static int
ask (const char *uuid, const char *question, char *line, int size)
{
  char command[512], more[512];
  int lines = 0;
  FILE *answer;

  snprintf (command, sizeof command,
            "nvidia-smi --id=%s %s --format=csv,noheader,nounits 2>/dev/null",
            uuid, question);
  answer = popen (command, "re");
  if (answer == NULL)
    return -1;
  line[0] = '\0';
  if (fgets (line, size, answer) != NULL)
    for (lines = 1; fgets (more, sizeof more, answer) != NULL;)
      lines++;
  return pclose (answer) == 0 ? lines : -1;
}

/* Cuts LINE at its commas.  Returns how many fields there were.  */
static int
split (char *line, char field[N_FIELDS][FIELD_SIZE])
{
  int n = 0;

  for (char *at = strtok (line, ",\n"); at != NULL && n < N_FIELDS;
       at = strtok (NULL, ",\n"))
    {
      at += strspn (at, " ");
      snprintf (field[n++], FIELD_SIZE, "%s", at);
    }
  return n;
}

/* Whether UUID is of a driver's form, which a shell cannot take for more than a
   word.  */
static int
is_word (const char *uuid)
{
  return *uuid != '\0'
         && uuid[strspn (uuid, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                               "0123456789-")]
              == '\0';
}

static int
ask_all (const char *uuid, struct answers *answers)
{
  char line[1024];

  if (!is_word (uuid)
      || ask (uuid, "--query-gpu=" QUERY, line, sizeof line) < 1
      || split (line, answers->field) != N_FIELDS)
    return -1;
  answers->processes = ask (uuid, "--query-compute-apps=pid", line, sizeof line);
  answers->throttled = 0;
  if (ask (uuid, "--query-gpu=clocks_throttle_reasons.active", line,
           sizeof line)
      >= 1)
    answers->throttled = strtoull (line, NULL, 16);
  return 0;
}

/* ----------------------------------------------------------- The checks */

/* Modes that a field names, and what they mean for tuning; of other words nothing is
   known ("[N/A]").  */
static const struct mode
{
  enum field field;
  const char *subject, *word;
  enum gt_fitness fitness;
  const char *advice;
} modes[] = {
  {PERSISTENCE, "persistence mode", "Enabled", GT_FITNESS_GOOD, NULL},
  {PERSISTENCE, "persistence mode", "Disabled", GT_FITNESS_CARE,
   "Without it the first call of every program takes a second longer: run"
   " 'nvidia-smi -pm 1' as root."},
  {MIG, "MIG", "Enabled", GT_FITNESS_NOTE,
   "Each slice is a device of its own: tune in the slice that your programs"
   " use."},
  {MIG, "MIG", "Disabled", GT_FITNESS_GOOD, NULL},
  {ECC, "ECC", "Enabled", GT_FITNESS_GOOD, NULL},
  {ECC, "ECC", "Disabled", GT_FITNESS_NOTE,
   "Bits that flip in memory go unnoticed: results are as right as the memory"
   " is."},
};

static size_t
find_modes (const struct answers *answers, struct gt_finding *findings)
{
  size_t n = 0;

  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp (answers->field[modes[i].field], modes[i].word) == 0)
      {
        findings[n].subject = modes[i].subject;
        gt_machine_tell (&findings[n++], modes[i].fitness, modes[i].advice,
                       "%s", modes[i].word);
      }
  return n;
}

static void
find_load (const struct answers *answers, struct gt_finding *finding)
{
  int busy = atoi (answers->field[UTILIZATION]);

  finding->subject = "other programs";
  gt_machine_tell (finding,
      busy > 5 ? GT_FITNESS_CARE
               : answers->processes > 0 ? GT_FITNESS_NOTE : GT_FITNESS_GOOD,
      "Tune when nobody else uses the GPU: 'nvidia-smi' lists who does.",
      "%d %% busy, %d others", busy,
      answers->processes > 0 ? answers->processes : 0);
}

/* Bits of the reasons that lower the clock below what the GPU would choose by
   itself.  Idle GPUs (1) and clocks that an application set (2) are none.  */
#define SLOWED 0xfcull

static void
find_clocks (const struct answers *answers, struct gt_finding *finding)
{
  int set = atoi (answers->field[CLOCK]),
      most = atoi (answers->field[MOST_CLOCK]);

  finding->subject = "clocks";
  if (answers->throttled & SLOWED)
    gt_machine_tell (finding, GT_FITNESS_CARE,
        "See 'nvidia-smi -q -d PERFORMANCE': heat, power or a limit slows it"
        " down.",
        "lowered now (reasons 0x%llx)", answers->throttled);
  else if (set > 0 && set < most)
    gt_machine_tell (finding, GT_FITNESS_NOTE,
        "Tune with the clocks that your programs will have; 'nvidia-smi -rac'"
        " lifts the limit.",
        "applications are held to %d of %d MHz", set, most);
  else
    gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "not lowered");
}

static size_t
find_power (const struct answers *answers, struct gt_finding *finding)
{
  double limit = atof (answers->field[POWER_LIMIT]),
         most = atof (answers->field[MOST_POWER]);

  if (!(limit > 0.0 && most > 0.0) || isinf (limit) || isinf (most))
    return 0;
  finding->subject = "power limit";
  gt_machine_tell (finding,
      limit < 0.99 * most ? GT_FITNESS_NOTE : GT_FITNESS_GOOD,
      "Sums wait for memory, which a power limit rarely slows: nothing to do"
      " unless clocks are lowered.",
      "%.0f of %.0f W", limit, most);
  return 1;
}

size_t
gt_machine_gpu (const struct gt_gpu *gpu,
                struct gt_finding findings[GT_MOST_FINDINGS])
{
  struct answers answers;
  size_t n = 0;

  if (ask_all (gpu->uuid, &answers))
    {
      findings->subject = "nvidia-smi";
      gt_machine_tell (findings, GT_FITNESS_UNKNOWN,
          "Put the directory of the driver's nvidia-smi into PATH.",
          "there is none, or it does not know this GPU");
      return 1;
    }
  find_load (&answers, &findings[n++]);
  n += find_modes (&answers, findings + n);
  find_clocks (&answers, &findings[n++]);
  n += find_power (&answers, &findings[n]);
  return n;
}
