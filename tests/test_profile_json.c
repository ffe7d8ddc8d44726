/* Tests of profiles read from JSON: every reason for which a value is not
   accepted, and texts that are cut, bent or made to hurt.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/profile_parse.h"
#include "tests/sums.h"
#include "tuning/store/profile_store.h"

/* A profile with figures of silicon SILICON with these STEPS, members of an object.  */
static char *
text_with (const char *silicon, const char *steps)
{
  char *text;

  assert_true (asprintf (&text,
                         "{\"format\": 2, \"measured\": true, \"device\": {\"silicon\": \"%s\"},\n"
                         "\"steps\": {%s}}", silicon, steps) > 0);
  return text;
}

/* Reads STEPS as DEVICE's: so many are taken, and rejected, the first because of REASON.  */
static void
expect_steps (const char *steps, const struct gt_device *device, unsigned taken, unsigned rejected,
              const char *reason)
{
  struct gt_profile profile;
  char silicon[GT_SILICON_SIZE], *text;

  gt_device_silicon (device, silicon);
  text = text_with (silicon, steps);
  if (parse (text, strlen (text), device, &profile) != GT_PROFILE_OK)
    fail_msg ("%s: %s", steps, why);
  if (profile.rejected != rejected || !strstr (profile.rejected_why, reason)
      || profile.n_steps != taken)
    fail_msg ("%s: %u taken, %u rejected, \"%s\" instead of \"%s\"", steps, profile.n_steps,
              profile.rejected, profile.rejected_why, reason);
  gt_profile_clear (&profile);
  free (text);
}

/* ----------------------------------------------- One bad value at a time */

/* A step that is not accepted, and part of the reason.  */
struct bad_step
{
  enum gt_device_kind device;
  const char *kind, *step, *why;
};
#define SIMD GT_CPU, "sum f64 fast contiguous"
#define PLAIN GT_CPU, "sum f32 fast strided"
#define GRID GT_CUDA, "sum f64 fast contiguous"
#define HOST_DATA GT_CPU, "sum f64 fast host " SAMPLE_GPU_SILICON
#define PINNED_DATA GT_CPU, "sum f64 fast pinned " SAMPLE_GPU_SILICON
#define CALL GT_CPU, "dgemm NN square"

static const struct bad_step bad_steps[] = {
  {GT_CPU, "sum f16 fast contiguous", "0 simd", "\"f16\" is no type"},
  {GT_CPU, "sum f64 exact-ish contiguous", "0 simd", "is no mode"},
  {GT_CPU, "sum u32 compensated contiguous", "0 simd", "u32 has no mode"},
  {GT_CPU, "sum f64 fast scattered", "0 simd", "is no layout"},
  {GT_CPU, "sum f64 fast device cuda-x", "0 cpu", "no place of host data"},
  {GT_CPU, "sum f64 fast host ../../etc", "0 cpu", "not one to"},
  {GT_CPU, "sum f64 fast host", "0 cpu", "no silicon key"},
  {GT_CPU, "", "0 gsl", "kind \"\" is not one to"},
  {GT_CPU, " dgemm", "0 gsl", "characters of words"},
  {GT_CPU, "dgemm ", "0 gsl", "characters of words"},
  {GT_CPU, "dgemm  NN", "0 gsl", "characters of words"},
  {GT_CPU, "dgemm\033[2J", "0 gsl", "characters of words"},
  {GT_CPU, "dgemm\\u001b[2J", "0 gsl", "characters of words"},
  {CALL, "", "\"from\" is \"\", not an integer from 0 to 1152921504606846976"},
  {CALL, "gsl", "\"from\" is \"gsl\""},
  {CALL, "0", "it has no way"},
  {CALL, "0 threads=2", "it has no way"},
  {CALL, "0  gsl", "way \" gsl\" is not one to"},
  {CALL, "0 gsl ", "way \"gsl \" is not one to"},
  {CALL, "0 gsl threads=1 x", "\"x\" has no value"},
  {CALL, "0 gsl thread=1", "\"thread\" is no member of a step"},
  {CALL, "0 gsl =1", "\"\" is no member of a step"},
  {CALL, "0 ../../evil.so", "not one to 39 characters"},
  {CALL, "0 a-way-of-a-name-that-has-forty-characters", "not one to 39 characters"},
  {CALL, "0 \\u001b[2J", "way \"?001b[2J\""},
  {CALL, "0 gsl threads=0", "\"threads\" is 0, not 1 to 8"},
  {CALL, "0 gsl threads=9", "\"threads\" is 9, not 1 to 8"},
  {CALL, "0 gsl next=a$b", "\"next\" is \"a$b\", not fewer than 64 characters"},
  {CALL, "0 gsl next=a123456789b123456789c123456789d123456789e123456789f123456789g123",
   "not fewer than 64 characters"},
  {CALL, "0 gsl gsl_ps=null", "\"gsl_ps\" is \"null\", not an integer from 0 to"},
  {SIMD, "-1 simd", "\"from\" is \"-1\""},
  {SIMD, "1152921504606846977 simd", "\"from\" is \"11529215046"},
  {SIMD, "99999999999999999999 simd", "\"from\" is \"99999999999"},
  {SIMD, "1024.0 simd", "\"from\" is \"1024.0\""},
  {SIMD, "0 warp_drive", "kernel \"warp_drive\""},
  {SIMD, "0 grid_stride", "another kind"},
  {GRID, "0 simd", "another kind"},
  {GT_CUDA, "sum f64 fast strided", "0 exact_bins", "does not compute"},
  {GRID, "0 complete", "kernel \"complete\" is unknown"}, /* a rung of the ladder */
  {SIMD, "0 simd version=999", "simd has changed: version 999, now"},
  {SIMD, "0 simd version=4294967297", "\"version\" is \"4294967297\""},
  {SIMD, "0 simd version=-1", "\"version\" is \"-1\""},
  {SIMD, "0 simd version=", "\"version\" is \"\", not an integer"},
  {GT_CPU, "sum f64 exact contiguous", "0 exact", "has changed: version 1, now"},
  {SIMD, "0 simd threads=0", "\"threads\" is 0, not 1 to 8"},
  {SIMD, "0 simd threads=9", "\"threads\" is 9, not 1 to 8"},
  {SIMD, "0 simd threads=4294967297", "\"threads\" is \"4294967297\""},
  {PLAIN, "0 sequential threads=2", "\"threads\" is 2, not 1 to 1"},
  {PLAIN, "0 sequential unroll=2", "\"unroll\" is 2, not 1 to 1"},
  {PLAIN, "0 sequential block=32", "\"block\" is 32, not 0 to 0"},
  {SIMD, "0 simd blocks_per_sm=1", "\"blocks_per_sm\" is 1"},
  {SIMD, "0 simd unroll=0", "\"unroll\" is 0, not 1 to 16"},
  {SIMD, "0 simd unroll=3", "\"unroll\" is 3, which kernel"},
  {SIMD, "0 simd unroll=32", "\"unroll\" is 32, not 1 to 16"},
  {GRID, "0 grid_stride block=96 unroll=12 blocks_per_sm=2", "\"unroll\" is 12"},
  {GRID, "0 grid_stride block=0 unroll=4 blocks_per_sm=2", "\"block\" is 0, not 1 to 1024"},
  {GRID, "0 grid_stride unroll=4 blocks_per_sm=2", "\"block\" is 0, not 1 to 1024"},
  {GRID, "0 grid_stride block=33 unroll=4 blocks_per_sm=2", "\"block\" is 33, not a multiple"},
  {GRID, "0 grid_stride block=1056 unroll=4 blocks_per_sm=2", "\"block\" is 1056"},
  {GRID, "0 grid_stride block=96 unroll=4", "\"blocks_per_sm\" is 0"},
  {GRID, "0 grid_stride block=96 unroll=4 blocks_per_sm=33", "33, not 1 to 32"},
  {GRID, "0 grid_stride threads=2 block=96 unroll=4 blocks_per_sm=2", "is 2, not 1 to 1"},
  {SIMD, "0 simd effort=heroic", "\"effort\" is \"heroic\", not quick to thorough"},
  {SIMD, "0 simd candidates=-1", "\"candidates\" is \"-1\""},
  {SIMD, "0 simd candidates=1000001", "\"candidates\" is \"1000001\""},
  {SIMD, "0 simd pruned=2.5", "\"pruned\" is \"2.5\""},
  {SIMD, "0 simd median_ps=1000000000000001", "\"median_ps\" is \"1000000000000001\""},
  {SIMD, "0 simd median_ps=1e3", "\"median_ps\" is \"1e3\""},
  {GT_CPU, "sum ldbl fast host cuda-x", "0 cpu", "no CUDA kernel computes ldbl"},
  {HOST_DATA, "0 fast", "way \"fast\" is unknown"},
  {HOST_DATA, "0 copy percent=25 chunk_kib=4096", "cannot go the way copy"},
  {PINNED_DATA, "0 staged percent=25 chunk_kib=4096", "cannot go the way staged"},
  {PINNED_DATA, "0 copy chunk_kib=4096", "\"percent\" is 0"},
  {PINNED_DATA, "0 copy percent=101 chunk_kib=4096", "\"percent\" is 101"},
  {PINNED_DATA, "0 copy percent=25 threads=2 chunk_kib=4096", "\"threads\" is 2, not 1 to 1"},
  {HOST_DATA, "0 staged percent=25 threads=0 chunk_kib=4096", "\"threads\" is 0"},
  {HOST_DATA, "0 staged percent=25 threads=100000 chunk_kib=4096", "\"threads\" is 100000"},
  {HOST_DATA, "0 staged percent=25 chunk_kib=63", "\"chunk_kib\" is 63"},
  {PINNED_DATA, "0 copy percent=25 chunk_kib=65537", "\"chunk_kib\" is 65537"},
  {PINNED_DATA, "0 copy percent=25", "\"chunk_kib\" is 0"},
  {GT_CUDA, "dgemm NN square", "0 gsl", "belong in the profile of a CPU"},
  {GT_CUDA, "sum f64 fast host cuda-x", "0 cpu", "belong in the profile of a CPU"},
};

/* Of its kind the good steps before and after it are taken.  */
TEST (test_bad_steps)
{
  for (const struct bad_step *bad = bad_steps; bad < bad_steps + N_OF (bad_steps); bad++)
    {
      const struct gt_device device = bad->device == GT_CUDA ? sample_gpu () : sample_host ();
      const char *const good = strncmp (bad->kind, "sum", 3) == 0 ? "0 estimate" : "0 gsl";
      const int is_call = strcmp (bad->kind, "dgemm NN square") == 0 && device.kind == GT_CPU;
      char steps[256];

      snprintf (steps, sizeof steps, "\"%s\": \"%s\", \"snrm2\": \"0 gsl\"", bad->kind, bad->step);
      expect_steps (steps, &device, device.kind == GT_CPU, device.kind == GT_CPU ? 1 : 2,
                    bad->why);
      snprintf (steps, sizeof steps, "\"%s\": \"%s; %s; 7 gsltune\"", bad->kind, good, bad->step);
      if (is_call && strcmp (bad->step, "0") != 0 && strcmp (bad->step, "0 threads=2") != 0)
        expect_steps (steps, &device, 2, 1, bad->why);
    }
}

TEST (test_first_reason_is_kept)
{
  const struct gt_device host = sample_host ();

  expect_steps ("\"dgemm NN square\": \"-1 gsl; 2 a  b; 4 gsl\"", &host, 1, 2,
                "dgemm NN square: \"from\" is \"-1\"");
  expect_steps ("\"sort f64\": \"0 gsl\", \"sort f64\": \"0 gsltune; 7 gsl\"", &host, 1, 1,
                "sort f64: given twice");
  expect_steps ("\"sort f64\": null, \"sort f32\": 7", &host, 0, 2, "\"from\" is \"null\"");
}

/* A step without a way has that of the one before, also where that was bad.  */
TEST (test_same_way)
{
  const struct gt_device host = sample_host ();

  expect_steps ("\"sort f64\": \"0 gsl; 9 vqsort; 99 threads=2; 999 threads=8\"", &host, 4, 0, "");
  expect_steps ("\"sort f64\": \"0 gsl; 9 vq/sort; 99 threads=2; 999 gsl\"", &host, 2, 2,
                "way \"vq/sort\" is not");
  expect_steps ("\"sort f64\": \"0 gsl\", \"sort f32\": \"0; 7 gsl\"", &host, 2, 1, "it has no way");
}

/* The name of a library stands for the last one in the file.  */
TEST (test_library)
{
  static const char *const ways[] = {"gsl", "OpenBLAS 0.3.21", "OpenBLAS 0.3.21", "Open",
                                     "MKL 1 2", "OpenBLAS", "MKL 1 2"};
  const struct gt_device host = sample_host ();
  struct gt_profile profile, again;
  char silicon[GT_SILICON_SIZE], *text;

  gt_device_silicon (&host, silicon);
  text = text_with (silicon, "\"a\": \"0 gsl; 1 OpenBLAS 0.3.21 thread=2; 2 threads=2\", \"b\":"
                             " \"0 OpenBLAS; 8 Open; 9 MKL 1 2\", \"c\": \"0 OpenBLAS; 9 MKL\"");
  assert_int_equal (parse (text, strlen (text), &host, &profile), GT_PROFILE_OK);
  free (text);
  assert_int_equal (profile.rejected, 1);
  assert_int_equal (profile.n_steps, N_OF (ways));
  for (size_t i = 0; i < N_OF (ways); i++)
    assert_string_equal (profile.steps[i].way, ways[i]);
  gt_profile_clear (&profile);

  text = text_with (silicon, "\"a\": \"0 MKL 1; 7 gsl\", \"b\": \"0 gsl; 8 MKL; 9 gsl\"");
  assert_int_equal (parse (text, strlen (text), &host, &profile), GT_PROFILE_OK);
  free (text);
  text = gt_profile_text (&profile, why, sizeof why);
  assert_non_null (strstr (text, "\"a\": \"0 MKL 1 effort=quick; 7 gsl"));
  assert_non_null (strstr (text, "; 8 MKL effort=quick; 9 gsl"));
  assert_int_equal (parse (text, strlen (text), &host, &again), GT_PROFILE_OK);
  assert_string_equal (again.steps[3].way, "MKL 1");
  gt_profile_clear (&again);
  gt_profile_clear (&profile);
  free (text);
}

/* The limits are those of the device at hand, not of any; and the kernels have a limit of
   their own.  */
TEST (test_limits_of_the_device)
{
  static const char few[] = "\"sum f64 fast contiguous\": \"0 grid_stride block=96 unroll=4 "
                            "blocks_per_sm=2; 9 block=256 unroll=4 blocks_per_sm=1\"";
  static const char many[] = "\"sum f64 fast contiguous\": \"0 grid_stride block=2048 unroll=4 "
                             "blocks_per_sm=2\"";
  struct gt_device gpu = sample_gpu ();

  gpu.gpu.sm.max_threads_per_block = 64;
  expect_steps (few, &gpu, 0, 2, "");
  gpu.gpu.sm.max_threads_per_block = 4096;
  expect_steps (many, &gpu, 0, 1, "2048, not 1 to 1024");
  gpu = sample_gpu ();
  gpu.gpu.sm.max_blocks_per_sm = 1;
  expect_steps (few, &gpu, 1, 1, "");
  gpu = sample_gpu ();
  gpu.gpu.sm.warp_size = 64; /* 96 is no multiple of it, 256 is */
  expect_steps (few, &gpu, 1, 1, "");
}

TEST (test_too_many_steps)
{
  const struct gt_device host = sample_host ();
  char *steps = malloc (16 * GT_PROFILE_MAX_STEPS);
  int length = sprintf (steps, "\"zgemm NN square\": \"0 gsl");

  for (unsigned i = 1; i < GT_PROFILE_MAX_STEPS + 3; i++)
    length += sprintf (steps + length, "; %u gsl", i);
  strcpy (steps + length, "\"");
  expect_steps (steps, &host, GT_PROFILE_MAX_STEPS, 3, "more steps than");
  free (steps);
}

TEST (test_last_of_a_length_wins)
{
  const struct gt_device host = sample_host ();
  struct gt_profile profile;
  char silicon[GT_SILICON_SIZE], *text;

  gt_device_silicon (&host, silicon);
  text = text_with (silicon, "\"sort f64\": \"0 gsl; 8 gsl; 0 vqsort threads=2\"");
  assert_int_equal (parse (text, strlen (text), &host, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_steps, 2);
  assert_int_equal (profile.rejected, 0);
  assert_int_equal (profile.steps[0].config.threads, 2);
  gt_profile_clear (&profile);
  free (text);
}

/* ------------------------------------------------------- The whole file */

#define FIRST "{\"format\": 2, \"device\": {\"silicon\": \""
#define HOST_SILICON "cpu-example-9000-8c-8t-l1-32kib-l2-1mib-l3-32mib-sse2-avx2"
static const struct
{
  const char *text;
  enum gt_profile_status status;
  const char *why;
} bad_texts[] = {
  {"{}", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"{\"format\": \"x\"}", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"{\"format\": 1}", GT_PROFILE_BROKEN, "of format 1; this gsltune reads format 2"},
  {"{\"format\": 99999999999999999999}", GT_PROFILE_BROKEN, "of format "},
  {"{\"format\": 2}", GT_PROFILE_BROKEN, "names no silicon"},
  {"{\"format\": 2, \"silicon\": \"" HOST_SILICON "\"}", GT_PROFILE_BROKEN, "names no silicon"},
  {FIRST "\"}}", GT_PROFILE_BROKEN, "names no silicon"},
  {FIRST "/etc/x\"}}", GT_PROFILE_BROKEN, "names no silicon"},
  {"{\"format\": 2, \"steps\": {\"sort f64\": \"0 gsl\"}, \"device\": {\"silicon\": \"" HOST_SILICON
   "\"}}", GT_PROFILE_BROKEN, "names no silicon before its steps"},
  {FIRST "cpu-other\", \"name\": \"\\u0007\"}}", GT_PROFILE_FOREIGN,
   "tuned for cpu-other (?0007), not for cpu-"},
  {"", GT_PROFILE_BROKEN, "not JSON: line 1: an object is missing"},
  {"[]", GT_PROFILE_BROKEN, "an object is missing"},
  {"null", GT_PROFILE_BROKEN, "an object is missing"},
  {"\xff", GT_PROFILE_BROKEN, "an object is missing"},
  {"{", GT_PROFILE_BROKEN, "a string is missing"},
  {"{\n\"a", GT_PROFILE_BROKEN, "line 2: a string has no end"},
  {"{\"a\\", GT_PROFILE_BROKEN, "a string has no end"},
  {"{\"a\nb\": 1}", GT_PROFILE_BROKEN, "a string has no end"},
  {"{\"a\" 1}", GT_PROFILE_BROKEN, "a colon is missing"},
  {"{\"a\": }", GT_PROFILE_BROKEN, "a string, a number or a word is missing"},
  {"{\"a\": []}", GT_PROFILE_BROKEN, "a string, a number or a word is missing"},
  {"{\"a\": {\"b\": {}}}", GT_PROFILE_BROKEN, "a string, a number or a word is missing"},
  {"{\"a\": {}", GT_PROFILE_BROKEN, "a string is missing"},
  {"{\"a\": 1", GT_PROFILE_BROKEN, "a string is missing"},
  {"{\"a\": {\"b\"}}", GT_PROFILE_BROKEN, "a colon is missing"},
  {"{} {}", GT_PROFILE_BROKEN, "more follows the object"},
  {"{}}", GT_PROFILE_BROKEN, "more follows the object"},
};

/* Reads TEXT of SIZE bytes, which is refused for REASON.  */
static void
expect_refused (const char *text, size_t size, enum gt_profile_status status, const char *reason)
{
  const struct gt_device host = sample_host ();
  struct gt_profile profile;

  if (parse (text, size, &host, &profile) != status || !strstr (why, reason))
    fail_msg ("%.80s: \"%s\" instead of \"%s\"", text, why, reason);
  assert_int_equal (profile.n_steps, 0);
  assert_null (profile.steps);
  assert_string_equal (profile.silicon, "");
}

TEST (test_bad_texts)
{
  for (size_t i = 0; i < N_OF (bad_texts); i++)
    expect_refused (bad_texts[i].text, strlen (bad_texts[i].text), bad_texts[i].status,
                    bad_texts[i].why);
  expect_refused ("{}\0", 3, GT_PROFILE_BROKEN, "more follows the object");
}

/* Nested as deeply as a file of the largest size can be.  */
TEST (test_deep)
{
  char *deep = malloc (GT_PROFILE_MAX_BYTES);

  assert_non_null (deep);
  for (size_t i = 0; i + 5 <= GT_PROFILE_MAX_BYTES; i += 5)
    memcpy (deep + i, "{\"\":", 5);
  expect_refused (deep, GT_PROFILE_MAX_BYTES, GT_PROFILE_BROKEN, "is missing");
  memset (deep, '[', GT_PROFILE_MAX_BYTES);
  expect_refused (deep, GT_PROFILE_MAX_BYTES, GT_PROFILE_BROKEN, "an object is missing");
  memset (deep, '\0', GT_PROFILE_MAX_BYTES);
  expect_refused (deep, GT_PROFILE_MAX_BYTES, GT_PROFILE_BROKEN, "an object is missing");
  free (deep);
}

TEST (test_recorded_words_are_harmless)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  char longer[600], text[1200];

  memset (longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  snprintf (text, sizeof text, FIRST HOST_SILICON "\", \"name\": \"\\u001b]\xc3\xa9\\\"\\n\\\\\"},"
                               "\"created\": \"%s\", \"gsltune\": 3 }", longer);
  assert_int_equal (parse (text, strlen (text), &host, &profile), GT_PROFILE_OK);
  assert_int_equal (strlen (profile.created), sizeof profile.created - 1);
  assert_string_equal (profile.version, "3");
  assert_string_equal (profile.device_name, "?001b]??\"?\\");
  gt_profile_clear (&profile);
}

static void
check_truncated (const struct gt_device *device)
{
  struct gt_profile profile;
  char *text = text_of (device);
  size_t length = strlen (text);
  for (size_t size = 0; size < length; size++)
    {
      /* A copy, so that a sanitizer sees a read past the end.  */
      char *part = malloc (size ? size : 1);
      assert_non_null (part);
      memcpy (part, text, size);
      assert_int_equal (parse (part, size, device, &profile),
                        GT_PROFILE_BROKEN);
      free (part);
    }
  assert_int_equal (parse (text, length, device, &profile), GT_PROFILE_OK);
  gt_profile_clear (&profile);
  free (text);
}

TEST (test_truncated)
{
  struct gt_device host = sample_host (), gpu = sample_gpu ();
  check_truncated (&host);
  check_truncated (&gpu);
}

/* ----------------------------------------------------------- Other GPUs */

/* Kernels that the GPU cannot run, and unroll factors that some kernels have, and the
   cluster's have not.  */
TEST (test_kernel_of_a_later_gpu)
{
  static const struct
  {
    int major;
    unsigned unroll;
    const char *why;
  } cases[] = {{8, 4, "capability 9.0"}, {9, 4, ""}, {9, 8, ""},
               {9, 16, "\"unroll\" is 16, which kernel cluster"}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_device gpu = sample_gpu ();
      struct gt_winner winner
        = sample_winner ("cluster", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 14,
                        (struct gt_config) {1, 256, cases[i].unroll, 1});
      struct gt_profile profile;
      char *text;

      gt_sm_limits_for_cc (cases[i].major, 0, &gpu.gpu.sm);
      gt_profile_init (&profile, &gpu);
      gt_findings_put (&profile, &winner);
      text = gt_profile_text (&profile, why, sizeof why);
      gt_profile_clear (&profile);
      assert_non_null (text);
      assert_int_equal (parse (text, strlen (text), &gpu, &profile), GT_PROFILE_OK);
      assert_int_equal (profile.rejected, *cases[i].why != '\0');
      assert_non_null (strstr (profile.rejected_why, cases[i].why));
      gt_profile_clear (&profile);
      free (text);
    }
}

RUN_TESTS (NULL, NULL)
