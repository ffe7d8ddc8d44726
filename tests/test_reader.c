/* Tests of tuning/text/reader.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <sched.h>
#include <sys/ioctl.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "tuning/text/reader.h"

static char file[] = "gt-reader-XXXXXX"; /* in the working folder */

/* All numbers that were read.  */
struct vector
{
  struct gt_numbers numbers;
  char *data;
  size_t n, chunks;
};

static void
keep (void *closure, const void *data, size_t n)
{
  struct vector *const v = closure;
  const size_t size = gt_types[v->numbers.type].size;

  v->data = realloc (v->data, (v->n + n) * size);
  assert_non_null (v->data);
  memcpy (v->data + v->n * size, data, n * size);
  v->n += n;
  v->chunks++;
}

static void
begin (struct vector *v, enum gt_element_type type)
{
  *v = (struct vector) {.numbers = {.type = type, .take = keep, .closure = v}};
}

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
read_bytes (struct vector *v, enum gt_element_type type, const char *text, size_t size)
{
  write_file (text, size);
  begin (v, type);
  return gt_read_text (&v->numbers, file);
}

/* One number, whose bytes go to VALUE.  */
static void
read_one (enum gt_element_type type, const char *text, void *value)
{
  struct vector v;

  assert_int_equal (read_bytes (&v, type, text, strlen (text)), 0);
  assert_int_equal (v.n, 1);
  memcpy (value, v.data, gt_types[type].size);
  free (v.data);
}

/* Reading TEXT must fail with MESSAGE after the file's name.  */
static void
expect_failure (enum gt_element_type type, const char *text, size_t size,
                const char *message)
{
  struct vector v;
  char expected[1024];

  assert_int_equal (read_bytes (&v, type, text, size), -1);
  free (v.data);
  snprintf (expected, sizeof expected, "%s:%s", file, message);
  assert_string_equal (v.numbers.why, expected);
}
#define EXPECT_FAILURE(type, text, message) \
  expect_failure (type, text, sizeof text - 1, message)

#define REAL_HINT                                                   \
  "write e.g. 1.5, -2e10, 0x1.8p3, inf or nan, separated by white space"
#define CSV_HINT "; 'cut -d, -f2' takes the second column of CSV"
#define INTEGER_HINT \
  "write whole numbers, decimal or 0x, separated by white space"

TEST (blanks_and_comments)
{
  static const char text[]
    = "# heading 99\n1 2\t3\r\n\v4\f#5 6\n\n7 #8\n#\n#!\n# #N/A\n8\r# 9\r9\r\n# the end";
  static const double expected[] = {1, 2, 3, 4, 7, 8, 9};
  struct vector v;

  assert_int_equal (read_bytes (&v, GT_TYPE_DOUBLE, text, sizeof text - 1), 0);
  assert_int_equal (v.n, N_OF (expected));
  assert_memory_equal (v.data, expected, sizeof expected);
  free (v.data);
}

TEST (empty_input)
{
  static const char *const texts[] = {"", "\n\n", "# nothing", " \t", "\xef\xbb\xbf"};
  struct vector v;

  for (unsigned i = 0; i < N_OF (texts); i++)
    {
      assert_int_equal (read_bytes (&v, GT_TYPE_INT, texts[i], strlen (texts[i])), 0);
      assert_int_equal (v.n, 0);
      assert_int_equal (v.chunks, 0);
    }
}

/* Each of the ends counts one line.  */
TEST (line_ends)
{
  EXPECT_FAILURE (GT_TYPE_INT, "1\n\n# 2\nx", "4: 'x' is not an int: " INTEGER_HINT);
  EXPECT_FAILURE (GT_TYPE_INT, "1\r\n\r\n# 2\r\nx", "4: 'x' is not an int: " INTEGER_HINT);
  EXPECT_FAILURE (GT_TYPE_INT, "1\r\r# 2\rx", "4: 'x' is not an int: " INTEGER_HINT);
  EXPECT_FAILURE (GT_TYPE_INT, "1\n\r# 2\rx\n", "4: 'x' is not an int: " INTEGER_HINT);
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
  EXPECT_FAILURE (GT_TYPE_DOUBLE, "1;5 2", "1: '1;5' is not a double: " REAL_HINT CSV_HINT);
  EXPECT_FAILURE (GT_TYPE_INT, "1,2", "1: '1,2' is not an int: " INTEGER_HINT CSV_HINT);
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
  EXPECT_FAILURE (GT_TYPE_INT, "1\r#\0", message);
}

/* Every position at which a number, a comment or an end of a line can be cut by the end of the
   buffer.  */
TEST (numbers_cross_buffers)
{
  enum { COUNT = 200000 };
  char *text = malloc (COUNT * 14 + 16);
  struct vector v;

  assert_non_null (text);
  for (unsigned shift = 0; shift < 14; shift++)
    {
      char *end = text;

      for (unsigned i = 0; i < shift; i++)
        *end++ = '\n';
      for (unsigned i = 0; i < COUNT; i++)
        end += sprintf (end, "%u\r\n#a 1\r", 100000 + i);
      end--; /* and none behind the last */
      assert_int_equal (
        read_bytes (&v, GT_TYPE_UINT, text, (size_t) (end - text)), 0);
      assert_int_equal (v.n, COUNT);
      for (unsigned i = 0; i < COUNT; i++)
        if (((unsigned *) v.data)[i] != 100000 + i)
          fail_msg ("shift %u, element %u", shift, i);
      free (v.data);
    }
  free (text);
}

/* Each of them is cut by the end of a buffer; lines are counted all the same.  */
TEST (errors_cross_buffers)
{
  enum { SIZE = 1 << 18 };
  char *text = malloc (SIZE + 64);

  assert_non_null (text);
  for (size_t at = SIZE - 20; at <= SIZE; at++)
    {
      memset (text, ' ', at);
      text[10] = '\n';
      expect_failure (GT_TYPE_INT, text, at + (size_t) sprintf (text + at, "#DIV/0! 1"),
                      "2: '#DIV/0!' is not an int: it is a spreadsheet's error, not a comment:"
                      " write a number in the cell, or a blank behind '#'");
      expect_failure (GT_TYPE_INT, text, at + (size_t) sprintf (text + at, "1\r\nx"),
                      "3: 'x' is not an int: " INTEGER_HINT);
    }
  free (text);
}

TEST (long_tokens_and_comments)
{
  size_t size = 1 << 19;
  char *text = malloc (size);
  struct vector v;

  assert_non_null (text);
  memset (text, '0', size);
  expect_failure (GT_TYPE_DOUBLE, text, size,
                  "1: '0000000000000000000000000000000000000000...' is not a"
                  " double: no number is that long");
  text[100000] = '1'; /* 100,000 zeros and a one, then a long comment of one word */
  memcpy (text + 100001, " #", 2);
  memcpy (text + size - 2, "\n2", 2);
  assert_int_equal (read_bytes (&v, GT_TYPE_DOUBLE, text, size), 0);
  assert_int_equal (v.n, 2);
  assert_true (((double *) v.data)[0] == 1 && ((double *) v.data)[1] == 2);
  free (v.data);
  free (text);
}

enum { MANY = 600000 }; /* of uint: more than two chunks */

/* Two files are one vector.  */
TEST (files_are_appended)
{
  uint32_t *elements = malloc (MANY * sizeof *elements);
  char *text = malloc (MANY * 8), *end = text;
  struct vector v;

  assert_non_null (elements);
  assert_non_null (text);
  for (uint32_t i = 0; i < MANY; i++)
    {
      elements[i] = i;
      end += sprintf (end, "%u%c", i, i % 3 ? '\n' : ' ');
    }
  assert_int_equal (read_bytes (&v, GT_TYPE_UINT, text, (size_t) (end - text)), 0);
  write_file (elements, MANY * sizeof *elements);
  assert_int_equal (gt_read_raw (&v.numbers, file), 0);
  assert_int_equal (v.n, 2 * MANY);
  assert_true (v.chunks >= 6); /* of little memory */
  assert_memory_equal (v.data, elements, MANY * sizeof *elements);
  assert_memory_equal (v.data + MANY * sizeof *elements, elements, MANY * sizeof *elements);
  free (v.data);
  free (elements);
  free (text);
}

TEST (what_cannot_be_read_is_named)
{
  struct vector v;

  begin (&v, GT_TYPE_INT);
  assert_int_equal (gt_read_text (&v.numbers, "no/such"), -1);
  assert_string_equal (v.numbers.why, "no/such: cannot open: No such file or directory");
  assert_int_equal (gt_read_raw (&v.numbers, "no/such"), -1);
  assert_string_equal (v.numbers.why, "no/such: cannot open: No such file or directory");
  assert_int_equal (gt_read_text (&v.numbers, "/"), -1);
  assert_string_equal (v.numbers.why, "/: cannot read: Is a directory");
  assert_int_equal (gt_read_raw (&v.numbers, "/"), -1);
  assert_string_equal (v.numbers.why, "/: cannot read: Is a directory");
}

TEST (raw_files_hold_whole_elements)
{
  struct vector v;
  char expected[256];

  write_file ("0123456789abc", 13);
  begin (&v, GT_TYPE_FLOAT);
  snprintf (expected, sizeof expected, "%s: 13 bytes are not a whole number of"
            " elements: each float takes 4 bytes", file);
  assert_int_equal (gt_read_raw (&v.numbers, file), -1);
  assert_string_equal (v.numbers.why, expected);
  free (v.data);
  write_file ("", 0);
  begin (&v, GT_TYPE_FLOAT);
  assert_int_equal (gt_read_raw (&v.numbers, file), 0);
  assert_int_equal (v.n, 0);
}

/* Elements may have the bytes of a byte order mark, unless text follows.  */
TEST (raw_marks)
{
  static const unsigned char numbers[][8]
    = {{0xff, 0xfe}, {0xff, 0xfe, 1, 2, 3, 4, 5, 6}, {0xfe, 0xff, 0, 0, 0, '1'},
       {0xef, 0xbb, 0xbf, 0, 'a'}, {0xff, 0xfe, 0, 0, '1', 0, '2', 0}};
  struct vector v;

  for (size_t i = 0; i < N_OF (numbers); i++)
    {
      write_file (numbers[i], 8);
      begin (&v, GT_TYPE_USHORT);
      assert_int_equal (gt_read_raw (&v.numbers, file), 0);
      assert_int_equal (v.n, 4);
      assert_memory_equal (v.data, numbers[i], 8);
      free (v.data);
    }
  write_file (numbers[0], 2);
  begin (&v, GT_TYPE_USHORT);
  assert_int_equal (gt_read_raw (&v.numbers, file), 0);
  assert_int_equal (v.n, 1);
  free (v.data);
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
  struct vector v;
  pid_t child;
  int status;

  unlink (file);
  assert_int_equal (mkfifo (file, 0600), 0);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    _exit (feed_pipe ());
  begin (&v, GT_TYPE_UINT);
  assert_int_equal (gt_read_raw (&v.numbers, file), 0);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
  assert_int_equal (v.n, PIPED);
  for (unsigned i = 0; i < PIPED; i++)
    assert_int_equal (((uint32_t *) v.data)[i], i);
  free (v.data);
  unlink (file);
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
