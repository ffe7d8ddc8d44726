/* Tests of tuning/text/reader.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "tuning/text/decimal.h"
#include "tuning/text/reader.h"

static char file[] = "gt-reader-XXXXXX"; /* in the working folder */
static char why[GT_READER_WHY_SIZE];

static void
write_file (const void *bytes, size_t size)
{
  FILE *stream = fopen (file, "wb");

  assert_non_null (stream);
  assert_int_equal (fwrite (bytes, 1, size, stream), size);
  assert_int_equal (fclose (stream), 0);
}

/* Reads the SIZE bytes at TEXT as numbers of TYPE.  */
static int
read_bytes (struct gt_numbers *numbers, enum gt_element_type type,
            const char *text, size_t size)
{
  write_file (text, size);
  gt_numbers_init (numbers, type);
  *why = '\0';
  return gt_read_text (numbers, file, why, sizeof why);
}

/* One number, whose bytes go to VALUE.  */
static void
read_one (enum gt_element_type type, const char *text, void *value)
{
  struct gt_numbers numbers;

  assert_int_equal (read_bytes (&numbers, type, text, strlen (text)), 0);
  assert_int_equal (numbers.n, 1);
  memcpy (value, numbers.data, gt_types[type].size);
  gt_numbers_clear (&numbers);
}

/* Reading TEXT must fail with MESSAGE after the file's name.  */
static void
expect_failure (enum gt_element_type type, const char *text, size_t size,
                const char *message)
{
  struct gt_numbers numbers;
  char expected[1024];

  assert_int_equal (read_bytes (&numbers, type, text, size), -1);
  gt_numbers_clear (&numbers);
  snprintf (expected, sizeof expected, "%s:%s", file, message);
  assert_string_equal (why, expected);
}
#define EXPECT_FAILURE(type, text, message) \
  expect_failure (type, text, sizeof text - 1, message)

#define REAL_HINT                                                   \
  "write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space"
#define INTEGER_HINT \
  "write whole numbers, decimal or 0x, separated by white space"

TEST (blanks_and_comments)
{
  static const char text[]
    = "# heading 99\n1 2\t3\r\n\v4\f#5 6\n\n7#8\n#\n# the end";
  static const double expected[] = {1, 2, 3, 4, 7};
  struct gt_numbers numbers;

  assert_int_equal (
    read_bytes (&numbers, GT_TYPE_DOUBLE, text, sizeof text - 1), 0);
  assert_int_equal (numbers.n, 5);
  assert_memory_equal (numbers.data, expected, sizeof expected);
  gt_numbers_clear (&numbers);
}

TEST (empty_input)
{
  static const char *const texts[] = {"", "\n\n", "# nothing", " \t"};
  struct gt_numbers numbers;

  for (unsigned i = 0; i < 4; i++)
    {
      assert_int_equal (read_bytes (&numbers, GT_TYPE_INT, texts[i],
                                    strlen (texts[i])), 0);
      assert_int_equal (numbers.n, 0);
      gt_numbers_clear (&numbers);
    }
}

TEST (doubles_are_correctly_rounded)
{
  static const struct
  {
    const char *text;
    double value;
  } cases[] = {
    {"9007199254740993", 0x1p53}, /* a tie, to even */
    {"9007199254740993.0000000000000000000000000001", 0x1.0000000000001p53},
    {"1.00000000000000011102230246251565404236316680908203125", 1},
    {"1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"0x1.8p3", 12},
    {"-0X.1p-4", -0x1p-8},
    {"1.7976931348623158e308", DBL_MAX},
    {"4.9406564584124654e-324", 0x1p-1074},
    {"2.4703282292062327e-324", 0}, /* below half of the least subnormal */
    {"1e-999", 0},
    {"+.5", .5},
    {"5.", 5},
    {"Infinity", INFINITY},
    {"-inf", -INFINITY},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      double value;

      read_one (GT_TYPE_DOUBLE, cases[i].text, &value);
      assert_true (value == cases[i].value);
    }
}

/* Each is rounded once, to its own precision: 1 + 2^-24 + 2^-54 as a float is
   above the tie, but its double lies on the tie.  */
TEST (floats_and_long_doubles_are_rounded_once)
{
  float f;
  long double l;
  double nan_value;

  read_one (GT_TYPE_FLOAT, "1.0000000596046448190", &f);
  assert_true (f == 0x1.000002p0f);
  read_one (GT_TYPE_FLOAT, "3.4028235e38", &f);
  assert_true (f == FLT_MAX);
  read_one (GT_TYPE_LONG_DOUBLE, "0.1", &l);
  assert_true (l == 0.1L);
  read_one (GT_TYPE_LONG_DOUBLE, "1e-4000", &l);
  assert_true (l == strtold ("1e-4000", NULL));
  read_one (GT_TYPE_DOUBLE, "NaN", &nan_value);
  assert_true (isnan (nan_value));
}

#define EXPECT_INTEGER(type, ctype, text, expected)                 \
  do                                                                \
    {                                                               \
      ctype value;                                                  \
                                                                    \
      read_one (type, text, &value);                                \
      assert_true (value == (expected));                            \
    }                                                               \
  while (0)

TEST (integers_reach_their_limits)
{
  EXPECT_INTEGER (GT_TYPE_INT, int, "2147483647", INT_MAX);
  EXPECT_INTEGER (GT_TYPE_INT, int, "-2147483648", INT_MIN);
  EXPECT_INTEGER (GT_TYPE_INT, int, "-0x80000000", INT_MIN);
  EXPECT_INTEGER (GT_TYPE_UINT, unsigned, "0xffffFFFF", UINT_MAX);
  EXPECT_INTEGER (GT_TYPE_LONG, long, "-9223372036854775808", LONG_MIN);
  EXPECT_INTEGER (GT_TYPE_LONG, long, "9223372036854775807", LONG_MAX);
  EXPECT_INTEGER (GT_TYPE_ULONG, unsigned long, "18446744073709551615",
                  ULONG_MAX);
  EXPECT_INTEGER (GT_TYPE_ULONG, unsigned long, "-0", 0);
  EXPECT_INTEGER (GT_TYPE_SHORT, short, "-32768", SHRT_MIN);
  EXPECT_INTEGER (GT_TYPE_USHORT, unsigned short, "+65535", USHRT_MAX);
  EXPECT_INTEGER (GT_TYPE_UCHAR, unsigned char, "255", UCHAR_MAX);
  EXPECT_INTEGER (GT_TYPE_INT, int, "010", 10);
  EXPECT_INTEGER (GT_TYPE_INT, int, "000000000000000000000000000007", 7);
}

TEST (integers_beyond_their_limits_are_refused)
{
  EXPECT_FAILURE (GT_TYPE_INT, "1\n2147483648", "2: '2147483648' is not an int:"
                  " out of range: -2147483648 to 2147483647");
  EXPECT_FAILURE (GT_TYPE_UINT, "-1", "1: '-1' is not a uint: out of range:"
                  " 0 to 4294967295");
  EXPECT_FAILURE (GT_TYPE_ULONG, "18446744073709551616",
                  "1: '18446744073709551616' is not a ulong: out of range:"
                  " 0 to 18446744073709551615");
  EXPECT_FAILURE (GT_TYPE_ULONG, "184467440737095516170", /* 10 modulo 2^64 */
                  "1: '184467440737095516170' is not a ulong: out of range:"
                  " 0 to 18446744073709551615");
  EXPECT_FAILURE (GT_TYPE_INT, "0x10000000000000007",
                  "1: '0x10000000000000007' is not an int: out of range:"
                  " -2147483648 to 2147483647");
  EXPECT_FAILURE (GT_TYPE_LONG, "-9223372036854775809",
                  "1: '-9223372036854775809' is not a long: out of range:"
                  " -9223372036854775808 to 9223372036854775807");
  EXPECT_FAILURE (GT_TYPE_SHORT, "0x8000", "1: '0x8000' is not a short:"
                  " out of range: -32768 to 32767");
  EXPECT_FAILURE (GT_TYPE_UCHAR, "256", "1: '256' is not a uchar:"
                  " out of range: 0 to 255");
}

TEST (malformed_tokens_are_refused)
{
  static const char *const integers[]
    = {"1.0", "1e3", "0x", "0xg", "--1", "+-1", "-", "a", "1_000"};
  static const char *const reals[]
    = {"x", "1e", "0x", "1.2.3", "--1", ".", "1d0", "infinit"};
  char message[256];

  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
    {
      sprintf (message, "1: '%s' is not an int: " INTEGER_HINT, integers[i]);
      expect_failure (GT_TYPE_INT, integers[i], strlen (integers[i]), message);
    }
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    {
      sprintf (message, "1: '%s' is not a double: " REAL_HINT, reals[i]);
      expect_failure (GT_TYPE_DOUBLE, reals[i], strlen (reals[i]), message);
    }
  EXPECT_FAILURE (GT_TYPE_DOUBLE, "1;5 2", "1: '1;5' is not a double: write e.g. 1.5, -2e10, 0x1.8p3,"
                  " inf or nan; for CSV give --delimiter or --columns");
  EXPECT_FAILURE (GT_TYPE_INT, "1,2", "1: '1,2' is not an int: write whole numbers, decimal or 0x;"
                  " for CSV give --delimiter or --columns");
}

TEST (overflow_is_refused)
{
  EXPECT_FAILURE (GT_TYPE_DOUBLE, "#\n\n1 1e309\n", "3: '1e309' is not a"
                  " double: too large for double: the largest is"
                  " 1.79769e+308; for infinity write inf");
  EXPECT_FAILURE (GT_TYPE_FLOAT, "-1e39", "1: '-1e39' is not a float:"
                  " too large for float: the largest is 3.40282e+38;"
                  " for infinity write inf");
}

TEST (odd_bytes_are_shown_escaped)
{
  EXPECT_FAILURE (GT_TYPE_FLOAT, "\x1b[1m\xff",
                  "1: '\\x1b[1m\\xff' is not a float: " REAL_HINT);
  EXPECT_FAILURE (GT_TYPE_LONG_DOUBLE,
                  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
                  "1: 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...' is not a"
                  " long_double: " REAL_HINT);
}

TEST (nul_bytes_are_refused)
{
  static const char message[]
    = "2: a NUL byte: this is not text; read binary data with --raw TYPE";

  EXPECT_FAILURE (GT_TYPE_INT, "1\n2\0 3", message);
  EXPECT_FAILURE (GT_TYPE_INT, "1\n2 \0", message);
  EXPECT_FAILURE (GT_TYPE_INT, "1\n# \0", message);
}

/* Every position at which a number can be cut by the end of the buffer.  */
TEST (numbers_cross_buffers)
{
  enum { COUNT = 200000 };
  char *text = malloc (COUNT * 8 + 16);
  struct gt_numbers numbers;

  assert_non_null (text);
  for (unsigned shift = 0; shift < 8; shift++)
    {
      char *end = text;

      for (unsigned i = 0; i < shift; i++)
        *end++ = '\n';
      for (unsigned i = 0; i < COUNT; i++)
        end += sprintf (end, "%u\n", 100000 + i);
      end--; /* and none behind the last */
      assert_int_equal (
        read_bytes (&numbers, GT_TYPE_UINT, text, (size_t) (end - text)), 0);
      assert_int_equal (numbers.n, COUNT);
      for (unsigned i = 0; i < COUNT; i++)
        if (((unsigned *) numbers.data)[i] != 100000 + i)
          fail_msg ("shift %u, element %u", shift, i);
      gt_numbers_clear (&numbers);
    }
  free (text);
}

TEST (long_tokens_and_comments)
{
  size_t size = 1 << 19;
  char *text = malloc (size);
  struct gt_numbers numbers;

  assert_non_null (text);
  memset (text, '0', size);
  expect_failure (GT_TYPE_DOUBLE, text, size,
                  "1: '0000000000000000000000000000000000000000...' is not a"
                  " double: no number is that long");
  text[100000] = '1'; /* 100,000 zeros and a one, then a long comment */
  text[100001] = '#';
  assert_int_equal (read_bytes (&numbers, GT_TYPE_DOUBLE, text, size), 0);
  assert_int_equal (numbers.n, 1);
  assert_true (*(double *) numbers.data == 1);
  gt_numbers_clear (&numbers);
  free (text);
}

TEST (files_are_appended)
{
  static const double expected[] = {1, 2, 1, 2};
  struct gt_numbers numbers;

  assert_int_equal (read_bytes (&numbers, GT_TYPE_DOUBLE, "1 2", 3), 0);
  assert_int_equal (gt_read_text (&numbers, file, why, sizeof why), 0);
  assert_int_equal (numbers.n, 4);
  assert_memory_equal (numbers.data, expected, sizeof expected);
  gt_numbers_clear (&numbers);
}

/* The numbers that came in chunks.  */
struct taken
{
  size_t n, chunks, longest;
  const uintmax_t *line; /* expected */
};

/* Element i of the vector must be 100000 + i.  */
static void
take_chunk (void *closure, const void *data, size_t n, const uintmax_t *line)
{
  struct taken *taken = closure;

  for (size_t i = 0; i < n; i++, taken->n++)
    if (((const uint32_t *) data)[i] != 100000 + taken->n
        || (line ? line[i] != taken->line[taken->n] : taken->line != NULL))
      fail_msg ("element %zu", taken->n);
  taken->chunks++;
  if (n > taken->longest)
    taken->longest = n;
}

enum { MANY = 600000 }; /* of uint: more than two chunks */

/* Two files are one vector; lines are those of each file.  */
TEST (texts_come_in_chunks)
{
  char *text = malloc (MANY * 8), *end = text;
  uintmax_t *line = malloc (2 * MANY * sizeof *line), at = 1;
  struct taken taken = {.line = line};
  struct gt_numbers numbers;

  assert_non_null (text);
  assert_non_null (line);
  gt_numbers_init_chunks (&numbers, GT_TYPE_UINT, take_chunk, &taken);
  for (size_t i = 0; i < 2 * MANY; i++)
    {
      line[i] = at;
      end += sprintf (end, "%zu", 100000 + i);
      *end++ = i % 3 ? '\n' : ' ';
      at += i % 3 != 0;
      if (i % MANY == MANY - 1)
        {
          write_file (text, (size_t) (end - text));
          assert_int_equal (gt_read_text (&numbers, file, why, sizeof why), 0);
          end = text;
          at = 1;
        }
    }
  assert_true (taken.n < 2 * MANY);
  gt_numbers_flush (&numbers);
  gt_numbers_flush (&numbers); /* nothing is left */
  assert_int_equal (taken.n, 2 * MANY);
  assert_true (taken.longest < MANY);
  assert_int_equal (taken.chunks, (2 * MANY - 1) / taken.longest + 1);
  gt_numbers_clear (&numbers);
  free (line);
  free (text);
}

TEST (raw_files_come_in_chunks)
{
  uint32_t *elements = malloc (MANY * sizeof *elements);
  struct taken taken = {.line = NULL};
  struct gt_numbers numbers;

  assert_non_null (elements);
  gt_numbers_init_chunks (&numbers, GT_TYPE_UINT, take_chunk, &taken);
  for (uint32_t begin = 0; begin < 2 * MANY; begin += MANY)
    {
      for (uint32_t i = 0; i < MANY; i++)
        elements[i] = 100000 + begin + i;
      write_file (elements, MANY * sizeof *elements);
      assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), 0);
      assert_int_equal (numbers.mapped, 0);
    }
  gt_numbers_flush (&numbers);
  assert_int_equal (taken.n, 2 * MANY);
  assert_int_equal (taken.chunks, (2 * MANY - 1) / taken.longest + 1);
  gt_numbers_clear (&numbers);
  free (elements);
}

TEST (what_cannot_be_read_is_named)
{
  struct gt_numbers numbers;

  gt_numbers_init (&numbers, GT_TYPE_INT);
  assert_int_equal (gt_read_text (&numbers, "no/such", why, sizeof why), -1);
  assert_string_equal (why, "no/such: cannot open: No such file or directory");
  assert_int_equal (gt_read_raw (&numbers, "no/such", why, sizeof why), -1);
  assert_string_equal (why, "no/such: cannot open: No such file or directory");
  assert_int_equal (gt_read_text (&numbers, "/", why, sizeof why), -1);
  assert_string_equal (why, "/: cannot read: Is a directory");
  assert_int_equal (gt_read_raw (&numbers, "/", why, sizeof why), -1);
  assert_string_equal (why, "/: cannot read: Is a directory");
  gt_numbers_clear (&numbers);
}

TEST (raw_files_are_mapped)
{
  enum { COUNT = 5000 };
  static double elements[COUNT];
  struct gt_numbers numbers;

  for (int i = 0; i < COUNT; i++)
    elements[i] = 0.5 + i;
  write_file (elements, sizeof elements);
  gt_numbers_init (&numbers, GT_TYPE_DOUBLE);
  assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), 0);
  assert_int_equal (numbers.n, COUNT);
  assert_int_equal (numbers.mapped, sizeof elements);
  assert_memory_equal (numbers.data, elements, sizeof elements);
  assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), 0);
  assert_int_equal (numbers.n, 2 * COUNT);
  assert_int_equal (numbers.mapped, 0);
  assert_memory_equal (numbers.data, elements, sizeof elements);
  assert_memory_equal ((double *) numbers.data + COUNT, elements,
                       sizeof elements);
  gt_numbers_clear (&numbers);
}

TEST (raw_files_hold_whole_elements)
{
  struct gt_numbers numbers;
  char expected[256];

  write_file ("0123456789abc", 13);
  gt_numbers_init (&numbers, GT_TYPE_FLOAT);
  snprintf (expected, sizeof expected, "%s: 13 bytes are not a whole number of"
            " elements: each float takes 4 bytes", file);
  assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), -1);
  assert_string_equal (why, expected);
  gt_numbers_clear (&numbers);
  write_file ("", 0);
  assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), 0);
  assert_int_equal (numbers.n, 0);
  gt_numbers_clear (&numbers);
}

enum { PIPED = 100001 };

/* Writes the numbers from 0 on to FILE, a fifo.  The first bytes go one piece
   of five at a time, each read before the next is written, so that pieces end
   within elements.  */
static int
feed_pipe (void)
{
  static uint32_t numbers[PIPED];
  const char *next = (const char *) numbers;
  const char *end = (const char *) (numbers + PIPED);
  int unread, fd = open (file, O_WRONLY);

  for (uint32_t i = 0; i < PIPED; i++)
    numbers[i] = i;
  while (next < end)
    {
      size_t left = (size_t) (end - next);
      ssize_t put = write (fd, next, left > sizeof numbers - 500 ? 5 : left);

      if (put < 0)
        return 1;
      next += put;
      do
        {
          if (ioctl (fd, FIONREAD, &unread))
            return 1;
          sched_yield ();
        }
      while (unread > 0);
    }
  return 0;
}

TEST (raw_pipes_are_read)
{
  struct gt_numbers numbers;
  pid_t child;
  int status;

  unlink (file);
  assert_int_equal (mkfifo (file, 0600), 0);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (feed_pipe ());
  gt_numbers_init (&numbers, GT_TYPE_UINT);
  assert_int_equal (gt_read_raw (&numbers, file, why, sizeof why), 0);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  assert_int_equal (numbers.n, PIPED);
  for (unsigned i = 0; i < PIPED; i++)
    assert_int_equal (((uint32_t *) numbers.data)[i], i);
  gt_numbers_clear (&numbers);
  unlink (file);
}

TEST (truncated_mappings_end_with_a_message)
{
  char page[65536] = "";
  int status;
  pid_t child;

  write_file (page, sizeof page);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    {
      struct gt_numbers numbers;
      int null = open ("/dev/null", O_WRONLY);

      signal (SIGBUS, SIG_DFL); /* cmocka catches it */
      gt_numbers_init (&numbers, GT_TYPE_UCHAR);
      if (null < 0 || dup2 (null, STDERR_FILENO) < 0
          || gt_read_raw (&numbers, file, why, sizeof why)
          || truncate (file, 0))
        _exit (77);
      _exit (((volatile unsigned char *) numbers.data)[60000] + 78);
    }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFEXITED (status));
  assert_int_equal (WEXITSTATUS (status), 1);
}

/* A number of 19 digits at or next to the middle between two doubles.  */
static void
print_middle (char *text, size_t size, uint64_t seed)
{
  const double x = ldexp ((double) (seed >> 11 | (uint64_t) 1 << 52), (int) (seed % 67) - 65);
  char *last;

  snprintf (text, size, "%.18Le", x + (nextafter (x, INFINITY) - (long double) x) / 2);
  last = strchr (text, 'e') - 1;
  if (*last > '0' && *last < '9')
    *last = (char) (*last + (int) (seed >> 7) % 3 - 1);
}

/* Numbers of few digits are read without strtod, and have its bits.  */
TEST (decimals)
{
  static const char *const tails[]
    = {"", "e5", "E-17", "e+3", "0000", "e", ".", "x", "e-", "5e19", ",12345678", ":1234567"};
  uint64_t seed = 1;
  unsigned read = 0;

  for (int i = 0; i < 100000; i++)
    {
      char text[64], *stop;
      const char *end;
      double value, expected;

      seed = seed * 6364136223846793005u + 1442695040888963407u;
      snprintf (text, sizeof text, "%s%ju%s%ju%s", &"-"[i % 2], (uintmax_t) (seed >> (i % 60 + 4)),
                &"."[i % 3 == 0], (uintmax_t) (seed << 20 >> (20 + i % 44)),
                tails[seed >> 33 & 15 ? 0 : (seed >> 40) % N_OF (tails)]);
      if (i % 4 == 0) /* quotients of the fewest bits: one of 2000 is nearly between two doubles */
        snprintf (text, sizeof text, i % 8 ? ".%019ju" : "0.1%019ju", (uintmax_t) (seed % 10000000000000000000u));
      else if (i % 4 == 1)
        print_middle (text, sizeof text, seed);
      end = gt_decimal (text, text + strlen (text), &value);
      expected = strtod (text, &stop);
      if (end == NULL || *end == 'x')
        continue;
      read++;
      if (stop != end || memcmp (&value, &expected, sizeof value) != 0)
        fail_msg ("%s: %a instead of %a", text, value, expected);
    }
  assert_true (read > 20000);
}

FIXTURE (make_file)
{
  int fd = mkstemp (file);

  return fd < 0 || close (fd);
}

FIXTURE (remove_file)
{
  return unlink (file) && errno != ENOENT;
}

RUN_TESTS (make_file, remove_file)
