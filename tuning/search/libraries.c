/* Tries libraries of others in a child process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/libraries.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/device/device.h"
#include "src/blas/engines.h"
#include "tuning/measure/clock.h"
#include "tuning/store/findings.h"
#include "tuning/text/cli.h"

#define PATIENCE 5.0 /* seconds that opening a library or one call may take */
#define PAUSE 2000000 /* nanoseconds from one look at the child to the next */

const char *
gt_libraries_set_core (void)
{
  const char *core = getenv (GT_CORE_VARIABLE) ? NULL : gt_openblas_core_measured ();

  return core && setenv (GT_CORE_VARIABLE, core, 1) == 0 ? core : NULL;
}

/* Waits until the child has ended, or has begun no call for PATIENCE seconds: then it is
   killed.  Returns its status; HANGS is set if it was killed.  */
static int
wait_for (pid_t child, const struct gt_library_trial *trial, int *hangs)
{
  const struct timespec pause = {.tv_nsec = PAUSE};
  unsigned calls = 0;
  double since = gt_now ();
  int status = 0;
  pid_t ended;

  *hangs = 0;
  while ((ended = waitpid (child, &status, *hangs ? 0 : WNOHANG)) == 0
         || (ended < 0 && errno == EINTR))
    {
      if (trial->calls != calls)
        since = gt_now ();
      calls = trial->calls;
      *hangs = gt_now () - since > PATIENCE;
      if (*hangs)
        kill (child, SIGKILL);
      else
        nanosleep (&pause, NULL);
    }
  return status;
}

/* Sets TRIAL's trouble to what became of library number K.  Returns 0, or -1 if there can
   be no child process.  */
static int
try_one (unsigned k, struct gt_library_trial *trial,
         void (*try) (struct gt_library_trial *trial))
{
  const char *place, *call = trial->call;
  int status, hangs;
  pid_t child;

  memset (trial, 0, sizeof *trial);
  fflush (NULL);
  child = fork ();
  if (child == 0)
    {
      setrlimit (RLIMIT_CORE, &(struct rlimit) {0, 0});
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      signal (SIGINT, SIG_IGN); /* the tuner's own affair */
      signal (SIGTERM, SIG_IGN);
      gt_engines_try (k);
      if (gt_engines ()->n > GT_OWN_ENGINE + 1)
        {
          const char *core = gt_engines ()->engine[GT_OWN_ENGINE + 1].right_core;

          if (core)
            strcpy (trial->core, core);
          else
            try (trial);
        }
      _exit (0);
    }
  if (child < 0)
    return -1;
  status = wait_for (child, trial, &hangs);
  place = *call ? " in " : " when it was opened";
  if (hangs)
    snprintf (trial->trouble, sizeof trial->trouble, "hung%s%.*s", place,
              (int) strcspn (call, " "), call);
  else if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    snprintf (trial->trouble, sizeof trial->trouble, "crashed%s%.*s", place,
              (int) strcspn (call, " "), call);
  return 0;
}

static void
put (struct gt_profile *profile, const char *kind, const char *way)
{
  gt_profile_put (profile, &(struct gt_step) {.kind = kind, .way = way, .config = {1, 0, 1, 0}},
                  &(struct gt_measured) {.seconds = 0});
}

/* Tries library number K as one for the processor that it should recognise, and if that fails as it
   is.  Returns as try_one does.  */
static int
try_core (unsigned k, struct gt_library_trial *trial,
          void (*try) (struct gt_library_trial *trial), struct gt_profile *profile)
{
  char core[GT_STEP_WAY_SIZE];

  strcpy (core, trial->core);
  if (setenv (GT_CORE_VARIABLE, core, 1) != 0 || try_one (k, trial, try) != 0)
    return -1;
  if (trial->trouble[0] == '\0')
    {
      put (profile, GT_CORE_VARIABLE, core);
      return 0;
    }
  /* While the variable is there, even if it is empty, nothing is said of another core.  */
  gt_error ("OpenBLAS %s with " GT_CORE_VARIABLE "=%s", trial->trouble, core);
  return setenv (GT_CORE_VARIABLE, "", 1) != 0 ? -1 : try_one (k, trial, try);
}

void
gt_libraries_try (struct gt_profile *profile, void (*try) (struct gt_library_trial *trial))
{
  struct gt_library_trial *trial
    = mmap (NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const char *file;

  if (trial == MAP_FAILED)
    return;
  gt_profile_drop (profile, GT_CORE_VARIABLE);
  for (unsigned k = 0; (file = gt_engines_file (k)) != NULL; k++)
    {
      if (try_one (k, trial, try)
          || (trial->core[0] && try_core (k, trial, try, profile) != 0))
        break;
      gt_profile_drop (profile, file);
      if (trial->trouble[0] == '\0')
        continue;
      gt_error ("%s is left out, also by programs: it %s: `gsltune tune --procedures'"
                " tries it again", file, trial->trouble);
      put (profile, file, trial->trouble);
    }
  munmap (trial, sizeof *trial);
  gt_findings_adopt (profile, gt_device_host ());
}
