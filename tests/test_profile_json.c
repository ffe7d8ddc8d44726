/* Tests of profiles read from JSON: every reason for which a value is not
   accepted, and texts that are cut, bent or made to hurt.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/profile_parse.h"
#include "tests/sums.h"
#include "tuning/store/profile_store.h"

/* ----------------------------------------------- One bad value at a time */

/* In the sample profile of a device, VALUE (JSON; null: nothing) replaces the
   member KEY of element INDEX of SECTION.  */
struct bad_value
{
  enum gt_device_kind kind;
  const char *section;
  unsigned index;
  const char *key;
  const char *value;
  const char *why; /* part of the reason */
};

static const struct bad_value bad_values[] = {
  {GT_CPU, "entries", 0, "operation", "\"median\"", "\"operation\" is \"median\""},
  {GT_CPU, "entries", 0, "operation", NULL, "\"operation\" is missing"},
  {GT_CPU, "entries", 0, "type", "\"f16\"", "\"f16\", which is unknown"},
  {GT_CPU, "entries", 0, "type", "\"double\"", "\"double\", which is unknown"},
  {GT_CPU, "entries", 0, "type", "7", "\"type\" is missing or not a string"},
  {GT_CPU, "entries", 0, "mode", "\"exact-ish\"", "which is unknown"},
  {GT_CPU, "entries", 0, "mode", "[]", "\"mode\" is missing"},
  {GT_CPU, "entries", 3, "mode", "\"compensated\"", "u32 has no mode"},
  {GT_CPU, "entries", 0, "layout", "\"scattered\"", "which is unknown"},
  {GT_CPU, "entries", 0, "layout", "null", "\"layout\" is missing"},
  {GT_CPU, "entries", 0, "place", "\"device\"", "not \"host\""},
  {GT_CUDA, "entries", 0, "place", "\"host\"", "not \"device\""},
  {GT_CPU, "entries", 0, "n", "0", "\"n\" is 0"},
  {GT_CPU, "entries", 0, "n", "-1", "\"n\" is -1"},
  {GT_CPU, "entries", 0, "n", "281474976710657", "\"n\" is 281474976710657"},
  {GT_CPU, "entries", 0, "n", "9223372036854775807", "\"n\" is 92233720"},
  {GT_CPU, "entries", 0, "n", "1024.0", "\"n\" is missing or not an integer"},
  {GT_CPU, "entries", 0, "n", "\"1024\"", "\"n\" is missing or not an integer"},
  {GT_CPU, "entries", 0, "kernel", "\"warp_drive\"", "kernel \"warp_drive\""},
  {GT_CPU, "entries", 0, "kernel", "\"\\u001b[2J\"", "kernel \"?[2J\""},
  {GT_CPU, "entries", 0, "kernel", "3", "\"kernel\" is missing"},
  {GT_CPU, "entries", 0, "kernel", "\"grid_stride\"", "another kind"},
  {GT_CUDA, "entries", 0, "kernel", "\"simd\"", "another kind"},
  {GT_CUDA, "entries", 1, "kernel", "\"exact_bins\"", "does not compute"},
  /* A rung of the ladder, which older versions took for winners too.  */
  {GT_CUDA, "entries", 0, "kernel", "\"complete\"",
   "kernel \"complete\" is unknown"},
  {GT_CUDA, "entries", 0, "type", "\"ldbl\"", "does not compute ldbl"},
  {GT_CPU, "entries", 0, "version", "999", "simd has changed: version 999, now"},
  {GT_CPU, "entries", 0, "version", "4294967297", "has changed: version 4294"},
  {GT_CPU, "entries", 0, "version", "-1", "\"version\" is -1"},
  {GT_CPU, "entries", 0, "version", "\"1\"", "\"version\" is missing or not"},
  {GT_CPU, "entries", 0, "version", NULL, "has changed: version 0, now"},
  {GT_CPU, "entries", 0, "threads", "0", "\"threads\" is 0, not 1 to 8"},
  {GT_CPU, "entries", 0, "threads", "9", "\"threads\" is 9, not 1 to 8"},
  {GT_CPU, "entries", 0, "threads", "4294967297", "\"threads\" is 4294967297"},
  {GT_CPU, "entries", 0, "threads", NULL, "\"threads\" is missing"},
  {GT_CPU, "entries", 2, "threads", "2", "\"threads\" is 2, not 1 to 1"},
  {GT_CPU, "entries", 2, "unroll", "2", "\"unroll\" is 2, not 1 to 1"},
  {GT_CPU, "entries", 2, "block", "32", "\"block\" is 32, not 0 to 0"},
  {GT_CPU, "entries", 0, "blocks_per_sm", "1", "\"blocks_per_sm\" is 1"},
  {GT_CPU, "entries", 0, "unroll", "0", "\"unroll\" is 0, not 1 to 16"},
  {GT_CPU, "entries", 0, "unroll", "3", "\"unroll\" is 3, which kernel"},
  {GT_CPU, "entries", 0, "unroll", "32", "\"unroll\" is 32, not 1 to 16"},
  {GT_CPU, "entries", 0, "unroll", NULL, "\"unroll\" is missing"},
  {GT_CUDA, "entries", 0, "unroll", "12", "\"unroll\" is 12"},
  {GT_CUDA, "entries", 0, "block", "0", "\"block\" is 0, not 1 to 1024"},
  {GT_CUDA, "entries", 0, "block", "33", "\"block\" is 33, not a multiple"},
  {GT_CUDA, "entries", 0, "block", "1056", "\"block\" is 1056"},
  {GT_CUDA, "entries", 0, "block", "-32", "\"block\" is -32"},
  {GT_CUDA, "entries", 0, "blocks_per_sm", "0", "\"blocks_per_sm\" is 0"},
  {GT_CUDA, "entries", 0, "blocks_per_sm", "33", "33, not 1 to 32"},
  {GT_CUDA, "entries", 0, "threads", "2", "\"threads\" is 2, not 1 to 1"},
  {GT_CPU, "entries", 0, "effort", "\"heroic\"", "which is unknown"},
  {GT_CPU, "entries", 0, "candidates", "-1", "\"candidates\" is -1"},
  {GT_CPU, "entries", 0, "candidates", "1000001", "\"candidates\" is 1000001"},
  {GT_CPU, "entries", 0, "pruned", "2.5", "\"pruned\" is missing or not"},
  {GT_CPU, "entries", 0, "failed", "\"no\"", "\"failed\" is missing or not"},
  {GT_CPU, "entries", 0, "median_ns", "-1.0", "\"median_ns\" is -1"},
  {GT_CPU, "entries", 0, "median_ns", "1e300", "\"median_ns\" is 1e+300"},
  {GT_CPU, "entries", 0, "median_ns", "true", "\"median_ns\" is missing"},
  {GT_CPU, "entries", 0, "spread", "-0.5", "\"spread\" is -0.5"},
  {GT_CPU, "entries", 0, "default_ns", "-1", "\"default_ns\" is -1"},
  {GT_CPU, "entries", 0, "gsl_ns", NULL, "\"gsl_ns\" is missing"},
  {GT_CPU, "entries", 0, "one_reads_ns", "-1", "\"one_reads_ns\" is -1"},
  {GT_CPU, "entries", 0, "all_read_ns", "[]", "\"all_read_ns\" is missing or"},
  {GT_CPU, "entries", 0, "occupancy_predicted", "1", "is not true, false"},
  {GT_CPU, "entries", 0, "occupancy_predicted", NULL, "is not true, false"},
  {GT_CPU, "entries", 0, NULL, "[1, 2]", "entry 1: not an object"},
  {GT_CPU, "entries", 2, NULL, "null", "entry 3: not an object"},
  {GT_CPU, "crossovers", 0, NULL, "\"x\"", "crossover 1: not an object"},
  {GT_CPU, "crossovers", 0, "operation", "\"median\"",
   "\"operation\" is \"median\""},
  {GT_CPU, "crossovers", 0, "operation", NULL, "\"operation\" is missing"},
  {GT_CPU, "crossovers", 0, "type", "\"f8\"", "which is unknown"},
  {GT_CPU, "crossovers", 0, "type", "\"ldbl\"", "no CUDA kernel computes ldbl"},
  {GT_CPU, "crossovers", 1, "mode", "0", "\"mode\" is missing"},
  {GT_CPU, "crossovers", 1, "place", "\"moon\"", "which is unknown"},
  {GT_CPU, "crossovers", 1, "place", "\"device\"", "has no other route"},
  {GT_CPU, "crossovers", 1, "place", "\"pinned\"", "cannot go the way staged"},
  {GT_CPU, "crossovers", 1, "way", "\"fast\"", "which is unknown"},
  {GT_CPU, "crossovers", 1, "way", NULL, "\"way\" is missing"},
  {GT_CPU, "crossovers", 3, "way", "\"staged\"", "cannot go the way staged"},
  {GT_CPU, "crossovers", 2, "percent", "0", "\"percent\" is 0"},
  {GT_CPU, "crossovers", 3, "percent", "101", "\"percent\" is 101"},
  {GT_CPU, "crossovers", 1, "threads", "0", "\"threads\" is 0"},
  {GT_CPU, "crossovers", 1, "threads", "100000", "\"threads\" is 100000"},
  {GT_CPU, "crossovers", 1, "chunk_kib", "63", "\"chunk_kib\" is 63"},
  {GT_CPU, "crossovers", 3, "chunk_kib", "65537", "\"chunk_kib\" is 65537"},
  {GT_CPU, "crossovers", 3, "chunk_kib", NULL, "\"chunk_kib\" is missing"},
  {GT_CPU, "crossovers", 1, "median_ns", "-1", "\"median_ns\" is -1"},
  {GT_CPU, "crossovers", 1, "cpu_ns", NULL, "\"cpu_ns\" is missing"},
  {GT_CPU, "crossovers", 1, "device", "9", "\"device\" is missing"},
  {GT_CPU, "crossovers", 1, "device", "\"../../etc\"", "no silicon key"},
  {GT_CPU, "crossovers", 1, "device", "\"\"", "no silicon key"},
  {GT_CPU, "crossovers", 1, "from", "-1", "\"from\" is -1"},
  {GT_CPU, "crossovers", 1, "from", NULL, "\"from\" is missing"},
  {GT_CPU, "crossovers", 1, "from", "281474976710657", "\"from\" is 2814749"},
  {GT_CPU, "procedures", 0, NULL, "7", "procedure 1: not an object"},
  {GT_CPU, "procedures", 1, "call", NULL, "\"call\" is missing"},
  {GT_CPU, "procedures", 1, "call", "\"\"", "\"call\" is \"\", not one to 31"},
  {GT_CPU, "procedures", 1, "call", "\" dgemm\"", "not one to 31 characters of words"},
  {GT_CPU, "procedures", 1, "call", "\"dgemm \"", "not one to 31 characters of words"},
  {GT_CPU, "procedures", 1, "call", "\"dgemm  NN\"", "not one to 31 characters of words"},
  {GT_CPU, "procedures", 1, "call", "\"dgemm\\u001b[2J\"", "not one to 31 characters"},
  {GT_CPU, "procedures", 1, "call", "\"a2345678901234567890123456789012\"",
   "not one to 31 characters of words"},
  {GT_CPU, "procedures", 1, "way", "\"../../evil.so\"", "not one to 39 characters"},
  {GT_CPU, "procedures", 1, "way", "3", "\"way\" is missing"},
  {GT_CPU, "procedures", 1, "from", "-1", "\"from\" is -1"},
  {GT_CPU, "procedures", 1, "from", "1152921504606846977", "\"from\" is 11529215046"},
  {GT_CPU, "procedures", 1, "threads", "0", "\"threads\" is 0, not 1 to 8"},
  {GT_CPU, "procedures", 2, "threads", "9", "\"threads\" is 9, not 1 to 8"},
  {GT_CPU, "procedures", 1, "median_ns", "-1", "\"median_ns\" is -1"},
  {GT_CPU, "procedures", 1, "gsl_ns", NULL, "\"gsl_ns\" is missing"},
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
  char *text = text_of (device);
  json_t *root = json_loads (text, 0, NULL);

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
  json_t *array = json_object_get (root, bad->section);

  if (bad->key)
    change (json_array_get (array, bad->index), bad->key, bad->value);
  else
    assert_int_equal (
      json_array_set_new (array, bad->index,
                          json_loads (bad->value, JSON_DECODE_ANY, NULL)),
      0);
  return root;
}

TEST (test_bad_values)
{
  for (const struct bad_value *bad = bad_values; bad < bad_values + N_OF (bad_values);
       bad++)
    {
      struct gt_device device = bad->kind == GT_CUDA ? sample_gpu () : sample_host ();
      struct gt_profile profile;
      unsigned in_entries = strcmp (bad->section, "entries") == 0;
      unsigned in_steps = strcmp (bad->section, "procedures") == 0;
      unsigned crossovers = bad->kind == GT_CPU ? SAMPLE_CROSSOVERS : 0;

      assert_int_equal (parse_root (root_with (bad, &device), &device, &profile),
                        GT_PROFILE_OK);
      if (profile.rejected != 1 || !strstr (profile.rejected_why, bad->why))
        fail_msg ("%s %s = %s: %u rejected, \"%s\" instead of \"%s\"",
                  bad->section, bad->key ? bad->key : "", bad->value,
                  profile.rejected, profile.rejected_why, bad->why);
      assert_int_equal (profile.n_entries, SAMPLE_ENTRIES - in_entries);
      assert_int_equal (profile.n_crossovers, crossovers - !(in_entries || in_steps));
      assert_int_equal (profile.n_steps, bad->kind == GT_CPU ? SAMPLE_STEPS - in_steps : 0);
      gt_profile_clear (&profile);
    }
}

/* Reads ROOT: so many entries are taken, and rejected, the first because of WHY.  */
static void
expect_entries (json_t *root, const struct gt_device *device, unsigned taken,
                unsigned rejected, const char *reason)
{
  struct gt_profile profile;

  assert_int_equal (parse_root (root, device, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_entries, taken);
  assert_int_equal (profile.rejected, rejected);
  assert_non_null (strstr (profile.rejected_why, reason));
  gt_profile_clear (&profile);
}

TEST (test_first_reason_is_kept)
{
  struct gt_device host = sample_host ();
  json_t *root = sample_root (&host);
  json_t *entries = json_object_get (root, "entries");

  change (json_array_get (entries, 1), "n", "0");
  change (json_array_get (entries, 2), "kernel", "\"none\"");
  expect_entries (root, &host, SAMPLE_ENTRIES - 2, 2, "entry 2: \"n\" is 0");
}

TEST (test_crossovers_of_a_gpu)
{
  struct gt_device gpu = sample_gpu ();
  struct gt_profile profile;
  char *text;

  sample_profile (&gpu, &profile);
  put_sample_crossovers (&profile);
  text = gt_profile_text (&profile, why, sizeof why);
  gt_profile_clear (&profile);
  assert_int_equal (parse (text, strlen (text), &gpu, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_crossovers, 0);
  assert_int_equal (profile.rejected, SAMPLE_CROSSOVERS);
  gt_profile_clear (&profile);
  free (text);
}

/* The limits are those of the device at hand, not of any; and the kernels have a limit of
   their own.  */
TEST (test_limits_of_the_device)
{
  struct bad_value huge = {GT_CUDA, "entries", 2, "block", "2048", NULL};
  struct gt_device gpu = sample_gpu ();

  gpu.gpu.sm.max_threads_per_block = 64;
  expect_entries (sample_root (&gpu), &gpu, 0, SAMPLE_ENTRIES, "");
  gpu.gpu.sm.max_threads_per_block = 4096;
  expect_entries (root_with (&huge, &gpu), &gpu, SAMPLE_ENTRIES - 1, 1,
                  "2048, not 1 to 1024");
  gpu = sample_gpu ();
  gpu.gpu.sm.max_blocks_per_sm = 1;
  expect_entries (sample_root (&gpu), &gpu, 2, SAMPLE_ENTRIES - 2, "");
  gpu = sample_gpu ();
  gpu.gpu.sm.warp_size = 64; /* 96 is no multiple of it, 256 is */
  expect_entries (sample_root (&gpu), &gpu, 2, SAMPLE_ENTRIES - 2, "");
}

TEST (test_too_many_entries)
{
  struct gt_device host = sample_host ();
  json_t *root = sample_root (&host);
  json_t *entries = json_object_get (root, "entries");

  for (unsigned i = SAMPLE_ENTRIES; i < GT_PROFILE_MAX_ENTRIES + 3; i++)
    {
      json_t *copy = json_copy (json_array_get (entries, 0));

      json_object_set_new (copy, "n", json_integer (2000 + i));
      json_array_append_new (entries, copy);
    }
  expect_entries (root, &host, GT_PROFILE_MAX_ENTRIES, 3, "more than");
}

TEST (test_last_duplicate_wins)
{
  struct gt_device host = sample_host ();
  struct gt_profile profile;
  json_t *root = sample_root (&host);
  json_t *entries = json_object_get (root, "entries");
  json_t *copy = json_copy (json_array_get (entries, 0));

  json_object_set_new (copy, "threads", json_integer (2));
  json_array_append_new (entries, copy);
  assert_int_equal (parse_root (root, &host, &profile), GT_PROFILE_OK);
  assert_int_equal (profile.n_entries, SAMPLE_ENTRIES);
  assert_int_equal (profile.rejected, 0);
  assert_int_equal (profile.entries[0].config.threads, 2);
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
  {"format", "2", GT_PROFILE_BROKEN, "of format 2; this gsltune reads"},
  {"format", "0", GT_PROFILE_BROKEN, "of format 0; this gsltune reads"},
  {"format", "\"1\"", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"format", "1.0", GT_PROFILE_BROKEN, "it has no \"format\""},
  {"device", NULL, GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "[]", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": 1}", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": \"\"}", GT_PROFILE_BROKEN, "names no silicon"},
  {"device", "{\"silicon\": \"/etc/x\"}", GT_PROFILE_BROKEN,
   "names no silicon"},
  {"device", "{\"silicon\": \"cpu-other\", \"name\": \"\\u0007\"}",
   GT_PROFILE_FOREIGN, "tuned for cpu-other (?), not for cpu-"},
  {"entries", NULL, GT_PROFILE_BROKEN, "missing or not an array"},
  {"entries", "{}", GT_PROFILE_BROKEN, "missing or not an array"},
  {"crossovers", "7", GT_PROFILE_BROKEN, "missing or not an array"},
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
      assert_int_equal (profile.n_entries, 0);
      assert_null (profile.entries);
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
  int length = snprintf (text, sizeof text, "{\"format\": 1, %s", good + 1);
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
      struct gt_entry entry
        = sample_entry ("cluster", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 14,
                        (struct gt_config) {1, 256, cases[i].unroll, 1});
      struct gt_profile profile;
      char *text;

      gt_sm_limits_for_cc (cases[i].major, 0, &gpu.gpu.sm);
      gt_profile_init (&profile, &gpu);
      gt_profile_put (&profile, &entry);
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
