/* Tries libraries of others in a child process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/libraries.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/device/device.h"
#include "src/matrix/engines.h"
#include "tuning/measure/clock.h"
#include "tuning/store/findings.h"
#include "tuning/text/cli.h"

#define PATIENCE 5.0 /* seconds that opening a library or one call may take */
#define PAUSE 2000000 /* nanoseconds from one look at the child to the next */

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
        try (trial);
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

void
gt_libraries_try (struct gt_profile *profile, void (*try) (struct gt_library_trial *trial))
{
  struct gt_library_trial *trial
    = mmap (NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const char *file;

  if (trial == MAP_FAILED)
    return;
  for (unsigned k = 0; (file = gt_engines_file (k)) != NULL; k++)
    {
      if (try_one (k, trial, try))
        break;
      gt_profile_drop (profile, file);
      if (trial->trouble[0] == '\0')
        continue;
      gt_error ("%s is left out, also by programs: it %s: `gsltune tune --procedures'"
                " tries it again", file, trial->trouble);
      gt_profile_put (profile,
                      &(struct gt_step) {.kind = file, .way = trial->trouble,
                                         .config = {1, 0, 1, 0}},
                      &(struct gt_measured) {.seconds = 0});
    }
  munmap (trial, sizeof *trial);
  gt_findings_adopt (profile, gt_device_host ());
}
