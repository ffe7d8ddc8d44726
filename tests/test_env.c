/* Tests of src/base/env.c and src/base/log.c: every variable with good and bad values,
   and that the library is silent.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "kernels/cpu/isa/isa.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/profile/profile.h"
#include "tests/profile_sample.h"
#include "tests/scenario.h"

SCENARIO (print_env)
{
  static const char *const choices[] = {"auto", "cpu", "cuda"};

  printf ("mode %s, device %s:%d, profiles %s, threads %d, log %d\n",
          gt_mode_names[gsltune_get_mode ()], choices[gt_env.device],
          gt_env.ordinal, gt_env.profile_dir ? gt_env.profile_dir : "-",
          gt_env.threads, (int) gt_log_wanted);
}

SCENARIO (print_ignored)
{
  printf ("%s\n", gt_env.ignored);
}

SCENARIO (print_scratch)
{
  printf ("%zu\n", gsltune_get_scratch_limit ());
}

SCENARIO (print_isa)
{
  printf ("%s\n", gt_isa_names[gt_isa ()]);
}

/* A program whose environment is all wrong.  */
SCENARIO (sum)
{
  double x[20000];
  gsl_vector v = {N_OF (x), 1, x, NULL, 0};

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = 0.5;
  CHECK (gsltune_vector_sum (&v) == N_OF (x) / 2);
}

SCENARIO (debug_message)
{
  gt_log (GT_LOG_NOTICE, "a notice of %d", 1);
  gt_log (GT_LOG_DEBUG, "a detail of %s", "two");
}

/* With raised privileges: no environment, no user's profile, no CUDA.  */
SCENARIO (raised)
{
  char path[4096], why[256];
  const char *reason = NULL;

  if (!gt_env.secure)
    {
      printf ("not raised\n");
      return;
    }
  CHECK (gt_env.profile_dir == NULL && gt_env.device == GT_CHOOSE_AUTO);
  CHECK (gsltune_get_mode () == GSLTUNE_MODE_AUTO && gt_env.threads == 0);
  CHECK (gt_profile_folder (GT_FOLDER_ENVIRONMENT, path, sizeof path, why, sizeof why) == -1);
  CHECK (gt_profile_folder (GT_FOLDER_USER, path, sizeof path, why, sizeof why) == -1);
  CHECK (gt_profile_folder (GT_FOLDER_SYSTEM, path, sizeof path, why, sizeof why) == 0);
  CHECK (gt_gpu_count (&reason) == 0 && reason);
#if HAVE_CUDA
  CHECK (strstr (reason, "raised privileges"));
#endif
  sum ();
  printf ("raised\n");
  /* LeakSanitizer, at the end of a program, would trace this one, which may not be traced.  */
  fflush (NULL);
  _exit (0);
}

/* ------------------------------------------------------------------- Values */

#define DEFAULTS "mode auto, device auto:0, profiles -, threads 0, log 0\n"

TEST (good_values)
{
  static const struct
  {
    const char *setting, *printed;
  } cases[] = {
    {"GSLTUNE_MODE=auto", DEFAULTS},
    {"GSLTUNE_MODE=exact",
     "mode exact, device auto:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_MODE=fast",
     "mode fast, device auto:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_MODE=compensated",
     "mode compensated, device auto:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_MODE=compensated, dgemm=exact\tmax=gsl",
     "mode compensated, device auto:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_MODE=dgemm=compensated", DEFAULTS},
    {"GSLTUNE_MODE=", DEFAULTS},
    {"GSLTUNE_DEVICE=auto", DEFAULTS},
    {"GSLTUNE_DEVICE=cpu",
     "mode auto, device cpu:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_DEVICE=cuda",
     "mode auto, device cuda:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_DEVICE=cuda:0",
     "mode auto, device cuda:0, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_DEVICE=cuda:13",
     "mode auto, device cuda:13, profiles -, threads 0, log 0\n"},
    {"GSLTUNE_PROFILE_DIR=/a b/c",
     "mode auto, device auto:0, profiles /a b/c, threads 0, log 0\n"},
    {"GSLTUNE_THREADS=1",
     "mode auto, device auto:0, profiles -, threads 1, log 0\n"},
    {"GSLTUNE_THREADS=1048576",
     "mode auto, device auto:0, profiles -, threads 1048576, log 0\n"},
    {"OMP_NUM_THREADS=3",
     "mode auto, device auto:0, profiles -, threads 3, log 0\n"},
    {"OMP_NUM_THREADS=3,2,1",
     "mode auto, device auto:0, profiles -, threads 3, log 0\n"},
    {"GSLTUNE_LOG=quiet", DEFAULTS},
    {"GSLTUNE_LOG=notice",
     "mode auto, device auto:0, profiles -, threads 0, log 1\n"},
    {"GSLTUNE_LOG=debug",
     "mode auto, device auto:0, profiles -, threads 0, log 2\n"},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    EXPECT_SCENARIO ("print_env", cases[i].printed, cases[i].setting);
  EXPECT_SCENARIO ("print_env", "mode auto, device auto:0, profiles -, threads 5, log 0\n",
                   "OMP_NUM_THREADS=3", "GSLTUNE_THREADS=5");
}

/* Bytes, in any number that a size_t holds.  */
TEST (scratch_limits)
{
  static const struct
  {
    const char *setting, *printed;
  } cases[] = {
    {"GSLTUNE_SCRATCH=", "67108864\n"},
    {"GSLTUNE_SCRATCH=0", "0\n"},
    {"GSLTUNE_SCRATCH=0G", "0\n"},
    {"GSLTUNE_SCRATCH=1", "1\n"},
    {"GSLTUNE_SCRATCH=12345", "12345\n"},
    {"GSLTUNE_SCRATCH=10K", "10240\n"},
    {"GSLTUNE_SCRATCH=64M", "67108864\n"},
    {"GSLTUNE_SCRATCH=1G", "1073741824\n"},
    {"GSLTUNE_SCRATCH=2147483648", "2147483648\n"},
    {"GSLTUNE_SCRATCH=4294967296", "4294967296\n"},
    {"GSLTUNE_SCRATCH=00000000000000000001M", "1048576\n"},
    {"GSLTUNE_SCRATCH=17179869183G", "18446744072635809792\n"},
    {"GSLTUNE_SCRATCH=18446744073709551615", "18446744073709551615\n"},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    EXPECT_SCENARIO ("print_scratch", cases[i].printed, cases[i].setting);
}

/* The best that runs here, or less.  */
TEST (instruction_sets)
{
  char setting[64], printed[64];
  int best = GT_N_ISAS - 1;

  while (!gt_isa_runs ((enum gt_isa) best))
    best--;
  for (int isa = 0; isa < GT_N_ISAS; isa++)
    {
      snprintf (setting, sizeof setting, "GSLTUNE_ISA=%s", gt_isa_names[isa]);
      snprintf (printed, sizeof printed, "%s\n", gt_isa_names[isa < best ? isa : best]);
      EXPECT_SCENARIO ("print_isa", printed, setting);
    }
  snprintf (printed, sizeof printed, "%s\n", gt_isa_names[best]);
  EXPECT_SCENARIO ("print_isa", printed, "GSLTUNE_ISA=");
  EXPECT_SCENARIO ("print_isa", printed, "GSLTUNE_ISA=AVX2");
}

#define SCRATCH "bytes, or a whole number followed by K, M or G"
#define MODES "auto, exact, compensated, fast or gsl, and FUNCTION=MODE after a comma"

static const struct
{
  const char *name, *value, *allowed;
} bad[] = {
  {"GSLTUNE_MODE", "exactly", MODES},
  {"GSLTUNE_MODE", "Fast", MODES},
  {"GSLTUNE_MODE", "0", MODES},
  {"GSLTUNE_MODE", "gs", MODES},
  {"GSLTUNE_MODE", "fast,dot=", MODES},
  {"GSLTUNE_MODE", "fast,dot=compensatedcompensated", MODES},
  {"GSLTUNE_MODE", ", ", MODES},
  {"GSLTUNE_DEVICE", "gpu", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_DEVICE", "cuda:", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_DEVICE", "cuda:-1", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_DEVICE", "cuda:1x", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_DEVICE", "cuda:99999999999999999999", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_DEVICE", "cuda0", "auto, cpu, cuda or cuda:N"},
  {"GSLTUNE_PROFILE_DIR", "profiles", "an absolute path"},
  {"GSLTUNE_PROFILE_DIR", "./profiles", "an absolute path"},
#if HAVE_X86_ISAS
  {"GSLTUNE_ISA", "avx", "baseline, avx2 or avx512"},
  {"GSLTUNE_ISA", "avx5122", "baseline, avx2 or avx512"},
#endif
  {"GSLTUNE_THREADS", "0", "a whole number from 1"},
  {"GSLTUNE_THREADS", "-4", "a whole number from 1"},
  {"GSLTUNE_THREADS", "4.5", "a whole number from 1"},
  {"GSLTUNE_THREADS", "many", "a whole number from 1"},
  {"GSLTUNE_THREADS", "99999999999999999999", "a whole number from 1"},
  {"GSLTUNE_SCRATCH", "M", SCRATCH},
  {"GSLTUNE_SCRATCH", "1m", SCRATCH},
  {"GSLTUNE_SCRATCH", "1KB", SCRATCH},
  {"GSLTUNE_SCRATCH", "1 M", SCRATCH},
  {"GSLTUNE_SCRATCH", "64.5M", SCRATCH},
  {"GSLTUNE_SCRATCH", "-1", SCRATCH},
  {"GSLTUNE_SCRATCH", "+1", SCRATCH},
  {"GSLTUNE_SCRATCH", " 1", SCRATCH},
  {"GSLTUNE_SCRATCH", "1T", SCRATCH},
  {"GSLTUNE_SCRATCH", "0x10", SCRATCH},
  {"GSLTUNE_SCRATCH", "many", SCRATCH},
  {"GSLTUNE_SCRATCH", "17179869184G", SCRATCH},
  {"GSLTUNE_SCRATCH", "18446744073709551616", SCRATCH},
  {"GSLTUNE_SCRATCH", "99999999999999999999999999", SCRATCH},
  {"GSLTUNE_LOG", "loud", "quiet, notice or debug"},
  {"GSLTUNE_LOG", "1", "quiet, notice or debug"},
};

/* A bad value counts as none, in silence; who asks is told once.  */
TEST (bad_values)
{
  char setting[128], notice[256];

  for (size_t i = 0; i < N_OF (bad); i++)
    {
      snprintf (setting, sizeof setting, "%s=%s", bad[i].name, bad[i].value);
      snprintf (notice, sizeof notice, "%s='%s' is not understood: allowed is %s\n",
                bad[i].name, bad[i].value, bad[i].allowed);
      EXPECT_SCENARIO ("print_env", DEFAULTS, setting);
      EXPECT_SCENARIO ("print_scratch", "67108864\n", setting);
      EXPECT_SCENARIO ("print_ignored", notice, setting);
      if (strcmp (bad[i].name, "GSLTUNE_LOG") == 0)
        continue;
      EXPECT_SCENARIO ("sum", NULL, setting, "GSLTUNE_LOG=notice");
      assert_true (starts_with (scenario_output, "gsltune: "));
      assert_string_equal (scenario_output + strlen ("gsltune: "), notice);
    }
}

/* OpenMP's variable is OpenMP's to complain of.  */
TEST (bad_openmp_values)
{
  static const char *const values[]
    = {"OMP_NUM_THREADS=0", "OMP_NUM_THREADS=-1", "OMP_NUM_THREADS=x",
       "OMP_NUM_THREADS=3x"};

  for (size_t i = 0; i < N_OF (values); i++)
    {
      EXPECT_SCENARIO ("print_env", NULL, values[i]);
      assert_non_null (strstr (scenario_output, "threads 0"));
      assert_null (strstr (scenario_output, "gsltune"));
    }
}

#define ALL_BAD                                                       \
  "GSLTUNE_MODE=x", "GSLTUNE_DEVICE=x", "GSLTUNE_PROFILE_DIR=x",      \
    "GSLTUNE_THREADS=x"

TEST (silent_with_every_value_bad)
{
  EXPECT_SCENARIO ("sum", "", ALL_BAD, "GSLTUNE_LOG=x", "HOME=x", "XDG_DATA_HOME=x");
  EXPECT_SCENARIO ("sum", "", ALL_BAD);
}

TEST (one_notice_in_all)
{
  EXPECT_SCENARIO ("sum", "gsltune: GSLTUNE_MODE='x' is not understood: allowed is"
                   " auto, exact, compensated, fast or gsl, and FUNCTION=MODE after a comma\n",
                   ALL_BAD, "GSLTUNE_LOG=notice");
}

/* A value of any length is cut in the notice.  */
TEST (long_values)
{
  static char setting[8000];

  strcpy (setting, "GSLTUNE_DEVICE=");
  memset (setting + strlen (setting), 'y', sizeof setting - 16);
  EXPECT_SCENARIO ("sum", NULL, setting, "GSLTUNE_LOG=notice");
  assert_true (starts_with (scenario_output, "gsltune: GSLTUNE_DEVICE='yyy"));
  assert_true (strlen (scenario_output) < 300);
  assert_ptr_equal (strchr (scenario_output, '\n'),
                    scenario_output + strlen (scenario_output) - 1);
}

TEST (levels_of_messages)
{
  EXPECT_SCENARIO ("debug_message", "", "GSLTUNE_LOG=quiet");
  EXPECT_SCENARIO ("debug_message", "gsltune: a notice of 1\n", "GSLTUNE_LOG=notice");
  EXPECT_SCENARIO ("debug_message", "gsltune: a notice of 1\ngsltune: a detail of two\n",
                   "GSLTUNE_LOG=debug");
}

/* ------------------------------------------------------- Raised privileges */

static int
copy_self (const char *to)
{
  char command[160];

  snprintf (command, sizeof command, "cp /proc/%d/exe %s", (int) getpid (), to);
  return system (command);
}

/* A copy of this program that belongs to another user and runs as him.  */
TEST (raised_privileges)
{
  char base[64], copy[96];
  char *const argv[] = {copy, (char *) "raised", NULL};
  static const char *const settings[]
    = {"GSLTUNE_MODE=compensated", "GSLTUNE_DEVICE=cuda", "GSLTUNE_THREADS=1",
       "GSLTUNE_PROFILE_DIR=/nonexistent", NULL};
  int status = 0;

  scenario_output[0] = '\0';
  make_test_folder (base);
  snprintf (copy, sizeof copy, "%s/raised", base);
  if (chmod (base, 0755) == 0 && copy_self (copy) == 0
      && chown (copy, 12345, 12345) == 0 && chmod (copy, 04755) == 0)
    status = run_program (argv, settings);
  remove_folder (base);
  if (status)
    fail_msg ("status %d: %s", status, scenario_output);
  if (strcmp (scenario_output, "raised\n"))
    print_message ("# not tested: privileges cannot be raised here\n");
}

RUN_SCENARIOS (NULL, NULL)
