/* Fuzz target: the environment, and the lists of functions of gsltune run.  An input
   is the number of a variable, and its value.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"
#include "src/preload/taken.h"

static const char *const names[]
  = {"GSLTUNE_LOG",     "GSLTUNE_MODE",    "GSLTUNE_DEVICE",
     "GSLTUNE_PROFILE_DIR", "GSLTUNE_SCRATCH", "GSLTUNE_ISA",
     "GSLTUNE_THREADS", "OMP_NUM_THREADS"};
enum { N_NAMES = sizeof names / sizeof *names };

static void
check_env (void)
{
  GT_FUZZ_CHECK (gt_env.threads >= 0 && gt_env.threads <= 1 << 20);
  GT_FUZZ_CHECK (gt_env.ordinal >= 0 && gt_env.ordinal < 1024);
  GT_FUZZ_CHECK (gt_log_wanted <= GT_LOG_DEBUG);
  GT_FUZZ_CHECK (gt_mode_now () >= 0 && gt_mode_now () < GT_N_MODES);
  GT_FUZZ_CHECK (gt_env.profile_dir == NULL || gt_env.profile_dir[0] == '/');
}

/* The library reads its environment once, and a value that is not allowed changes
   nothing.  */
static void
try_variable (const char *name, const char *value)
{
  const struct gt_env before = gt_env;
  const enum gt_mode mode = gt_mode_now ();
  const size_t scratch = gt_scratch_limit;

  gt_env.profile_dir = NULL;
  if (gt_env_set (name, value) != 0)
    {
      GT_FUZZ_CHECK (gt_env.profile_dir == NULL && gt_env.ignored[0]);
      gt_env.profile_dir = before.profile_dir;
      memcpy (gt_env.ignored, before.ignored, sizeof before.ignored);
      GT_FUZZ_CHECK (memcmp (&gt_env, &before, sizeof before) == 0);
      GT_FUZZ_CHECK (gt_mode_now () == mode && gt_scratch_limit == scratch);
    }
  check_env ();
  if (gt_env.profile_dir != before.profile_dir)
    free ((char *) gt_env.profile_dir);
  gt_env = before;
  gt_set_mode ((enum gt_mode) mode);
  gt_scratch_limit = scratch;
  gt_isa_set_limit ((enum gt_isa) (GT_N_ISAS - 1));
}

static void
try_list (const char *list)
{
  uint32_t from[GT_N_TAKEN];
  unsigned char own[GT_N_TAKEN];
  size_t length = 0;
  const char *word = gt_taken_unknown (list, &length);
  enum gt_mode mode;
  int of_mode;

  GT_FUZZ_CHECK (word == NULL
                 || (word >= list
                     && word + length <= list + strlen (list)));
  gt_taken_choose (list, NULL, from);
  for (int k = 0; k < GT_N_TAKEN; k++)
    {
      const uint32_t least = from[k] & ~GT_TAKEN_UNBOUND;

      GT_FUZZ_CHECK (from[k] >= GT_TAKEN_SLOWER || k >= GT_FIRST_FACTOR
                     || (least & (least - 1)) == 0);
    }
  word = gt_taken_unknown_mode (list, &length, &of_mode);
  GT_FUZZ_CHECK (word == NULL
                 || (word >= list && word + length <= list + strlen (list)));
  gt_taken_choose (NULL, list, from);
  mode = gt_mode_chosen ();
  GT_FUZZ_CHECK (gt_env_set ("GSLTUNE_MODE", list) != 0
                 || gt_taken_modes (list, own) == gt_mode_chosen () || gt_mode_chosen () == mode);
  gt_set_mode (mode);
}

int
gt_fuzz_environment (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const unsigned which = gt_fuzz_byte (&bytes) % (N_NAMES + 1);
  char *value = gt_fuzz_rest (&bytes);

  if (which < N_NAMES)
    try_variable (names[which], value);
  else
    try_list (value);
  free (value);
  return 0;
}
