/* Tests of profiles read from JSON: every reason for which a value is not
   accepted, and texts that are cut, bent or made to hurt.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/profile_parse.h"
#include "tests/sums.h"
#include "tuning/store/profile_store.h"

/* ----------------------------------------------- One bad value at a time */

/* In the sample findings of a device, VALUE (JSON; null: nothing) replaces member KEY of step
   INDEX of KIND, or the size or way of it; or with a null KEY the step itself.  With a negative
   INDEX VALUE is the steps of KIND, which need not be there.  */
struct bad_value
{
  enum gt_device_kind device;
  const char *kind;
  int index;
  const char *key;
  const char *value;
  const char *why; /* part of the reason */
};
#define SIMD GT_CPU, "sum f64 fast contiguous", 0
#define PLAIN GT_CPU, "sum f32 fast strided", 0
#define GRID GT_CUDA, "sum f64 fast contiguous", 0
#define HOST_DATA GT_CPU, "sum f64 fast host " SAMPLE_GPU_SILICON, 1
#define PINNED_DATA GT_CPU, "sum f64 fast pinned " SAMPLE_GPU_SILICON, 1
#define CALL GT_CPU, "dgemm NN square", 1
#define ONE "[[0, \"gsl\"]]"

static const struct bad_value bad_values[] = {
  {GT_CPU, "sum f16 fast contiguous", -1, NULL, ONE, "\"f16\" is no type"},
  {GT_CPU, "sum f64 exact-ish contiguous", -1, NULL, ONE, "is no mode"},
  {GT_CPU, "sum u32 compensated contiguous", -1, NULL, ONE, "u32 has no mode"},
  {GT_CPU, "sum f64 fast scattered", -1, NULL, ONE, "is no layout"},
  {GT_CPU, "sum f64 fast device cuda-x", -1, NULL, ONE, "no place of host data"},
  {GT_CPU, "sum f64 fast host ../../etc", -1, NULL, ONE, "not one to"},
  {GT_CPU, "sum f64 fast host", -1, NULL, ONE, "no silicon key"},
  {GT_CPU, "", -1, NULL, ONE, "kind \"\" is not one to"},
  {GT_CPU, " dgemm", -1, NULL, ONE, "characters of words"},
  {GT_CPU, "dgemm ", -1, NULL, ONE, "characters of words"},
  {GT_CPU, "dgemm  NN", -1, NULL, ONE, "characters of words"},
  {GT_CPU, "dgemm\033[2J", -1, NULL, ONE, "characters of words"},
  {GT_CPU, "dgemm TT square", -1, NULL, "7", "not an array"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[7]", "not an array of a size"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[{}]", "not an array of a size"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[[0]]", "not an array of a size"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[[0, 1]]", "not an array of a size"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[[0, \"gsl\", 3]]", "not an array of a size"},
  {GT_CPU, "dgemm TT square", -1, NULL, "[[\"0\", \"gsl\"]]", "\"from\" is not an integer"},
  {SIMD, "from", "-1", "\"from\" is -1"},
  {SIMD, "from", "1152921504606846977", "\"from\" is 11529215046"},
  {SIMD, "from", "1024.0", "\"from\" is not an integer"},
  {SIMD, "way", "\"warp_drive\"", "kernel \"warp_drive\""},
  {SIMD, "way", "\"\\u001b[2J\"", "way \"?[2J\""},
  {SIMD, "way", "\"grid_stride\"", "another kind"},
  {GRID, "way", "\"simd\"", "another kind"},
  {GT_CUDA, "sum f64 compensated strided", 0, "way", "\"exact_bins\"", "does not compute"},
  {GRID, "way", "\"complete\"", "kernel \"complete\" is unknown"}, /* a rung of the ladder */
  {SIMD, "version", "999", "simd has changed: version 999, now"},
  {SIMD, "version", "4294967297", "\"version\" is 4294967297"},
  {SIMD, "version", "-1", "\"version\" is -1"},
  {SIMD, "version", "\"1\"", "\"version\" is not an integer"},
  {SIMD, "version", NULL, "has changed: version 0, now"},
  {SIMD, "threads", "0", "\"threads\" is 0, not 1 to 8"},
  {SIMD, "threads", "9", "\"threads\" is 9, not 1 to 8"},
  {SIMD, "threads", "4294967297", "\"threads\" is 4294967297"},
  {PLAIN, "threads", "2", "\"threads\" is 2, not 1 to 1"},
  {PLAIN, "unroll", "2", "\"unroll\" is 2, not 1 to 1"},
  {PLAIN, "block", "32", "\"block\" is 32, not 0 to 0"},
  {SIMD, "blocks_per_sm", "1", "\"blocks_per_sm\" is 1"},
  {SIMD, "unroll", "0", "\"unroll\" is 0, not 1 to 16"},
  {SIMD, "unroll", "3", "\"unroll\" is 3, which kernel"},
  {SIMD, "unroll", "32", "\"unroll\" is 32, not 1 to 16"},
  {GRID, "unroll", "12", "\"unroll\" is 12"},
  {GRID, "block", "0", "\"block\" is 0, not 1 to 1024"},
  {GRID, "block", NULL, "\"block\" is 0, not 1 to 1024"},
  {GRID, "block", "33", "\"block\" is 33, not a multiple"},
  {GRID, "block", "1056", "\"block\" is 1056"},
  {GRID, "block", "-32", "\"block\" is -32"},
  {GRID, "blocks_per_sm", "0", "\"blocks_per_sm\" is 0"},
  {GRID, "blocks_per_sm", "33", "33, not 1 to 32"},
  {GRID, "threads", "2", "\"threads\" is 2, not 1 to 1"},
  {SIMD, "effort", "\"heroic\"", "which is unknown"},
  {SIMD, "effort", "3", "which is unknown"},
  {SIMD, "candidates", "-1", "\"candidates\" is -1"},
  {SIMD, "candidates", "1000001", "\"candidates\" is 1000001"},
  {SIMD, "pruned", "2.5", "\"pruned\" is not"},
  {SIMD, "failed", "\"no\"", "\"failed\" is not"},
  {SIMD, "predicted", "3", "\"predicted\" is 3, not 0 to 2"},
  {SIMD, "median_ns", "-1.0", "\"median_ns\" is -1"},
  {SIMD, "median_ns", "1e300", "\"median_ns\" is 1e+300"},
  {SIMD, "median_ns", "true", "\"median_ns\" is not a number"},
  {SIMD, "spread", "-0.5", "\"spread\" is -0.5"},
  {SIMD, "default_ns", "-1", "\"default_ns\" is -1"},
  {SIMD, "one_reads_ns", "-1", "\"one_reads_ns\" is -1"},
  {SIMD, "all_read_ns", "[]", "\"all_read_ns\" is not a number"},
  {GT_CPU, "sum ldbl fast host cuda-x", -1, NULL, "[[0, \"cpu\"]]", "no CUDA kernel computes ldbl"},
  {HOST_DATA, "way", "\"fast\"", "way \"fast\" is unknown"},
  {HOST_DATA, "way", "\"copy\"", "cannot go the way copy"},
  {PINNED_DATA, "way", "\"staged\"", "cannot go the way staged"},
  {PINNED_DATA, "percent", "0", "\"percent\" is 0"},
  {PINNED_DATA, "percent", "101", "\"percent\" is 101"},
  {PINNED_DATA, "threads", "2", "\"threads\" is 2, not 1 to 1"},
  {HOST_DATA, "threads", "0", "\"threads\" is 0"},
  {HOST_DATA, "threads", "100000", "\"threads\" is 100000"},
  {HOST_DATA, "chunk_kib", "63", "\"chunk_kib\" is 63"},
  {PINNED_DATA, "chunk_kib", "65537", "\"chunk_kib\" is 65537"},
  {PINNED_DATA, "chunk_kib", NULL, "\"chunk_kib\" is 0"},
  {HOST_DATA, "cpu_ns", "-1", "\"cpu_ns\" is -1"},
  {CALL, "way", "\"../../evil.so\"", "not one to 39 characters"},
  {CALL, "way", "\"\"", "not one to 39 characters"},
  {CALL, "threads", "0", "\"threads\" is 0, not 1 to 8"},
  {CALL, "threads", "9", "\"threads\" is 9, not 1 to 8"},
  {CALL, "gsl_ns", "null", "\"gsl_ns\" is not a number"},
  {CALL, NULL, "{}", "not an array of a size"},
  {GT_CUDA, "dgemm NN square", -1, NULL, ONE, "belong in the profile of a CPU"},
  {GT_CUDA, "sum f64 fast host cuda-x", -1, NULL, "[[0, \"cpu\"]]", "belong in the profile of a CPU"},
};

/* Replaces, or with a null VALUE removes, the member KEY of OBJECT.  */
static void
change (json_t *object, const char *key, const char *value)
{
  if (!value)
    assert_int_equal (json_object_del (object, key), 0);
  else
    assert_int_equal (
      json_object_set_new (object, key,
                           json_loads (value, JSON_DECODE_ANY, NULL)),
      0);
}

static json_t *
sample_root (const struct gt_device *device)
{
  struct gt_profile findings;
  json_t *root;
  char *text;

  sample_findings (device, &findings);
  text = gt_profile_text (&findings, why, sizeof why);
  gt_profile_clear (&findings);
  assert_non_null (text);
  root = json_loads (text, 0, NULL);
  assert_non_null (root);
  free (text);
  return root;
}

/* Reads ROOT, which ends, as a profile of DEVICE.  */
static enum gt_profile_status
parse_root (json_t *root, const struct gt_device *device, struct gt_profile *profile)
{
  char *text = json_dumps (root, JSON_COMPACT);
  enum gt_profile_status status;

  assert_non_null (text);
  status = parse (text, strlen (text), device, profile);
  free (text);
  json_decref (root);
  return status;
}

static json_t *
root_with (const struct bad_value *bad, const struct gt_device *device)
{
  json_t *root = sample_root (device);
  json_t *steps = json_object_get (root, "steps");
  json_t *value = bad->value ? json_loads (bad->value, JSON_DECODE_ANY, NULL) : NULL;
  json_t *list = json_object_get (steps, bad->kind), *step;

  if (bad->index < 0)
    assert_int_equal (json_object_set_new (steps, bad->kind, value), 0);
  else if (bad->key == NULL)
    assert_int_equal (json_array_set_new (list, (size_t) bad->index, value), 0);
  else
    {
      step = json_array_get (list, (size_t) bad->index);
      assert_non_null (step);
      if (strcmp (bad->key, "from") == 0 || strcmp (bad->key, "way") == 0)
        assert_int_equal (json_array_set_new (step, bad->key[0] == 'w', value), 0);
      else
        {
          change (json_array_get (step, 2), bad->key, bad->value);
          json_decref (value);
        }
    }
  return root;
}

static unsigned
sample_steps (const struct gt_device *device)
{
  return device->kind == GT_CUDA ? SAMPLE_WINNERS : SAMPLE_STEPS;
}

TEST (test_bad_values)
{
  for (const struct bad_value *bad = bad_values; bad < bad_values + N_OF (bad_values);
       bad++)
    {
      struct gt_device device = bad->device == GT_CUDA ? sample_gpu () : sample_host ();
      struct gt_profile profile;

      assert_int_equal (parse_root (root_with (bad, &device), &device, &profile),
                        GT_PROFILE_OK);
      if (profile.rejected != 1 || !strstr (profile.rejected_why, bad->why))
        fail_msg ("%s %s = %s: %u rejected, \"%s\" instead of \"%s\"",
                  bad->kind, bad->key ? bad->key : "", bad->value,
                  profile.rejected, profile.rejected_why, bad->why);
      assert_int_equal (profile.n_steps, sample_steps (&device) - (bad->index >= 0));
      gt_profile_clear (&profile);
    }
}

/* Reads ROOT: so many steps are taken, and rejected, the first because of WHY.  */
static void
expect_steps (json_t *root, const struct gt_device *device, unsigned taken,
              unsigned rejected, const char *reason)
{
  struct gt_profile profile;

  assert_int_equal (parse_root (root, device, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_steps, taken);
  assert_int_equal (profile.rejected, rejected);
  assert_non_null (strstr (profile.rejected_why, reason));
  gt_profile_clear (&profile);
}

TEST (test_first_reason_is_kept)
{
  struct gt_device host = sample_host ();
  json_t *root = sample_root (&host);
  json_t *list = json_object_get (json_object_get (root, "steps"), "dgemm NN square");

  json_array_set_new (json_array_get (list, 0), 0, json_integer (-1));
  json_array_set_new (json_array_get (list, 1), 1, json_string ("a  b"));
  expect_steps (root, &host, SAMPLE_STEPS - 2, 2, "dgemm NN square: \"from\" is -1");
}

/* The limits are those of the device at hand, not of any; and the kernels have a limit of
   their own.  */
TEST (test_limits_of_the_device)
{
  struct bad_value huge = {GRID, "block", "2048", NULL};
  struct gt_device gpu = sample_gpu ();

  gpu.gpu.sm.max_threads_per_block = 64;
  expect_steps (sample_root (&gpu), &gpu, 0, SAMPLE_WINNERS, "");
  gpu.gpu.sm.max_threads_per_block = 4096;
  expect_steps (root_with (&huge, &gpu), &gpu, SAMPLE_WINNERS - 1, 1, "2048, not 1 to 1024");
  gpu = sample_gpu ();
  gpu.gpu.sm.max_blocks_per_sm = 1;
  expect_steps (sample_root (&gpu), &gpu, 2, SAMPLE_WINNERS - 2, "");
  gpu = sample_gpu ();
  gpu.gpu.sm.warp_size = 64; /* 96 is no multiple of it, 256 is */
  expect_steps (sample_root (&gpu), &gpu, 2, SAMPLE_WINNERS - 2, "");
}

TEST (test_too_many_steps)
{
  struct gt_device host = sample_host ();
  json_t *root = sample_root (&host);
  json_t *steps = json_object_get (root, "steps"), *list = json_array ();

  for (unsigned i = 0; i < GT_PROFILE_MAX_STEPS + 3 - SAMPLE_STEPS; i++)
    json_array_append_new (list, json_pack ("[I, s]", (json_int_t) i, "gsl"));
  json_object_set_new (steps, "zgemm NN square", list);
  expect_steps (root, &host, GT_PROFILE_MAX_STEPS, 3, "more steps than");
}

TEST (test_last_duplicate_wins)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  json_t *root = sample_root (&host);
  json_t *list = json_object_get (json_object_get (root, "steps"), "dgemm NN square");

  json_array_append_new (list, json_pack ("[i, s, {s:i}]", 0, "gsltune", "threads", 2));
  assert_int_equal (parse_root (root, &host, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_steps, SAMPLE_STEPS);
  assert_int_equal (profile.rejected, 0);
  assert_int_equal (profile.steps[0].config.threads, 2);
  gt_profile_clear (&profile);
}

/* ------------------------------------------------------- The whole file */

static const struct
{
  const char *key;
  const char *value;
  enum gt_profile_status status;
  const char *why;
} bad_roots[] = {
  {"format", NULL, GT_PROFILE_BROKEN, "it has no \"format\""},
  {"format", "1", GT_PROFILE_BROKEN, "of format 1; this gsltune reads"},
  {"format", "0", GT_PROFILE_BROKEN, "of format 0; this gsltune reads"},
  {"format", "\"2\"", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"format", "2.0", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"device", NULL, GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "[]", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": 1}", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": \"\"}", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": \"/etc/x\"}", GT_PROFILE_BROKEN,
   "names no silicon"},
  {"device", "{\"silicon\": \"cpu-other\", \"name\": \"\\u0007\"}",
   GT_PROFILE_FOREIGN, "tuned for cpu-other (?), not for cpu-"},
  {"steps", NULL, GT_PROFILE_BROKEN, "missing or not an object"},
  {"steps", "[]", GT_PROFILE_BROKEN, "missing or not an object"},
};

TEST (test_bad_roots)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;

  for (size_t i = 0; i < N_OF (bad_roots); i++)
    {
      json_t *root = sample_root (&host);

      change (root, bad_roots[i].key, bad_roots[i].value);
      assert_int_equal (parse_root (root, &host, &profile), bad_roots[i].status);
      if (!strstr (why, bad_roots[i].why))
        fail_msg ("\"%s\" instead of \"%s\"", why, bad_roots[i].why);
      assert_int_equal (profile.n_steps, 0);
      assert_null (profile.steps);
      assert_string_equal (profile.silicon, "");
    }
}

TEST (test_recorded_words_are_harmless)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  json_t *root = sample_root (&host);
  char longer[600];

  memset (longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  json_object_set_new (root, "created", json_string (longer));
  json_object_set_new (root, "gsltune", json_integer (3));
  json_object_set_new (json_object_get (root, "device"), "name",
                       json_string ("\033]0;x\007\xc3\xa9"));
  assert_int_equal (parse_root (root, &host, &profile), GT_PROFILE_OK);
  assert_int_equal (strlen (profile.created), sizeof profile.created - 1);
  assert_string_equal (profile.version, "");
  assert_string_equal (profile.device_name, "?]0;x???");
  gt_profile_clear (&profile);
}

TEST (test_not_json)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  static const char *const texts[]
    = {"",     "{",       "[]",         "1",      "null",
       "\xff", "{\"a\":1,\"a\":2}", "{\"format\": 1e999}",
       "{\"format\": 99999999999999999999}", "{} {}", "{\"\\u0000\": 1}"};
  for (size_t i = 0; i < N_OF (texts); i++)
    assert_int_equal (parse (texts[i], strlen (texts[i]), &host, &profile),
                      GT_PROFILE_BROKEN);

  /* Nested as deeply as a file of the largest size can be.  */
  char *deep = malloc (GT_PROFILE_MAX_BYTES);
  assert_non_null (deep);
  memset (deep, '[', GT_PROFILE_MAX_BYTES);
  assert_int_equal (parse (deep, GT_PROFILE_MAX_BYTES, &host, &profile),
                    GT_PROFILE_BROKEN);
  memset (deep, '\0', GT_PROFILE_MAX_BYTES);
  assert_int_equal (parse (deep, GT_PROFILE_MAX_BYTES, &host, &profile),
                    GT_PROFILE_BROKEN);
  free (deep);
}

TEST (test_key_given_twice)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  char *good = text_of (&host), text[8192];
  int length = snprintf (text, sizeof text, "{\"format\": 2, %s", good + 1);
  assert_in_range (length, 1, sizeof text - 1);
  assert_int_equal (parse (text, (size_t) length, &host, &profile),
                    GT_PROFILE_BROKEN);
  assert_non_null (strstr (why, "duplicate"));
  free (good);
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
