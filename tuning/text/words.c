/* The names and numbers in arguments of subcommands.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/statistics/terms.h"
#include "tuning/text/cli.h"

/* Returns name I of an array of structures of STEP bytes; NAMES is the address of the first
   name.  */
static const char *
name_at (const void *names, size_t step, int i)
{
  return *(const char *const *) ((const char *) names + (size_t) i * step);
}

/* Returns N names, joined by commas, in a static buffer.  */
static const char *
join_names (const void *names, size_t step, int n)
{
  static char text[256];

  *text = '\0';
  for (int i = 0; i < n; i++)
    gt_list_add (text, sizeof text, "%s", name_at (names, step, i));
  return text;
}

int
gt_parse_name (const char *option, const char *what, const char *word,
               const void *names, size_t step, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp (word, name_at (names, step, i)) == 0)
      return i;
  gt_usage ("%s: unknown %s '%s': valid %ss are %s", option, what,
            gt_quote_word (word), what, join_names (names, step, n));
}

int
gt_reduction_of_function (const char *name)
{
  static const struct
  {
    const char *name;
    enum gt_reduction reduction;
  } functions[] = {
#define FUNCTION(family, name, reduction, ...) {#name, GT_##reduction},
#include "src/functions.def"
#undef FUNCTION
  };

  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp (functions[i].name, name) == 0 && functions[i].reduction != GT_NONE)
      return (int) functions[i].reduction;
  return -1;
}

/* Returns the reduction that the N bytes at WORD name, or that of the function that they name.
   MORE is another valid word for the message.  */
static enum gt_reduction
parse_operation (const char *option, const char *word, size_t n,
                 const char *more)
{
  char name[32];
  int reduction = -1;

  if (n < sizeof name)
    {
      memcpy (name, word, n);
      name[n] = '\0';
      reduction = gt_reduction_from_name (name);
      if (reduction < 0)
        reduction = gt_reduction_of_function (name);
    }
  if (reduction < 0)
    gt_usage ("%s: unknown operation '%s': valid operations are %s, and GSL's names"
              " of functions, such as mean%s", option,
              gt_quote (word, n),
              join_names (&gt_reductions[0].name, sizeof gt_reductions[0],
                          GT_N_REDUCTIONS), more);
  return (enum gt_reduction) reduction;
}

enum gt_reduction
gt_parse_operation (const char *option, const char *word)
{
  return parse_operation (option, word, strlen (word), "");
}

enum gt_element_type
gt_parse_type (const char *option, const char *word)
{
  int type = gt_type_from_name (word);

  return type >= 0 ? type : gt_parse_name (option, "type", word, &gt_types[0].name,
                                           sizeof gt_types[0], GT_N_TYPES);
}

enum gt_mode
gt_parse_mode (const char *option, const char *word)
{
  const int mode = gt_name_find (gt_mode_names, GT_N_CHOSEN_MODES, word);

  if (mode < 0)
    gt_usage ("%s: unknown mode '%s': valid modes are auto, exact, compensated, fast", option,
              gt_quote_word (word));
  return (enum gt_mode) mode;
}

const char *
gt_operation_types (enum gt_reduction operation)
{
  const char *names[GT_N_TYPES];
  int count = 0;

  for (int t = 0; t < GT_N_TYPES; t++)
    if (gt_reduction_has (operation,
                          gt_arithmetic_for (operation, gt_types[t].arithmetic)))
      names[count++] = gt_types[t].name;
  return join_names (names, sizeof *names, count);
}

void
gt_no_such_type (const char *subcommand, enum gt_reduction operation, int type)
{
  const char *name = gt_reductions[operation].name;

  gt_usage ("%s: there is no %s of type %s: %s is of %s", subcommand, name,
            gt_types[type].name, name, gt_operation_types (operation));
}

unsigned
gt_parse_operations (const char *option, const char *list)
{
  unsigned operations = 0;

  if (strcmp (list, "all") == 0)
    return (1u << GT_N_REDUCTIONS) - 1;
  for (;; list++)
    {
      size_t n = strcspn (list, ",");

      operations |= 1u << parse_operation (option, list, n,
                                           "; or all of them: all");
      list += n;
      if (*list == '\0')
        return operations;
    }
}

uint64_t
gt_parse_count (const char *option, const char *word, uint64_t min,
                uint64_t max)
{
  static const char suffixes[] = "KMG";
  const int is_number = isdigit ((unsigned char) *word);
  uint64_t value, base = 1024, power = 0;
  int too_large;
  char *end;

  errno = 0;
  value = strtoull (word, &end, 10);
  if (*end && strchr (suffixes, *end) && strcmp (end + 1, "i") == 0)
    {
      power = (uint64_t) (strchr (suffixes, *end) - suffixes) + 1;
      end += 2;
    }
  else if (((*end == '^' && value == 2) || *end == 'e' || *end == 'E')
           && isdigit ((unsigned char) end[1]))
    {
      base = *end == '^' ? 2 : 10;
      value = *end == '^' ? 1 : value;
      power = strtoull (end + 1, &end, 10);
    }
  if (!is_number || *end)
    gt_usage ("%s: '%s' is not a count: give a whole number from %ju to %ju,"
              " e.g. 1000000, 1e6, 2^20, 64Ki, 3Mi or 1Gi", option,
              gt_quote_word (word), (uintmax_t) min, (uintmax_t) max);
  too_large = errno == ERANGE;
  for (; value && power && !too_large; power--)
    too_large |= __builtin_mul_overflow (value, base, &value);
  if (too_large || value < min || value > max)
    gt_usage ("%s: '%s' is out of range: give a whole number from %ju to %ju",
              option, gt_quote_word (word), (uintmax_t) min,
              (uintmax_t) max);
  return value;
}

int
gt_require_gpu (const char *option, int ordinal)
{
  int index = gt_gpu_index (ordinal);

  if (index < 0)
    gt_usage ("%s: there is no GPU %d: `gsltune devices' lists those that there"
              " are", option, ordinal);
  return index;
}

struct gt_device_word
gt_parse_device (const char *option, const char *word)
{
  struct gt_device_word device = {GT_CUDA, -1};

  if (strcmp (word, "cpu") == 0)
    device.kind = GT_CPU;
  else if (strncmp (word, "cuda:", 5) == 0)
    device.ordinal = (int) gt_parse_count (option, word + 5, 0, INT_MAX);
  else if (strcmp (word, "cuda") != 0)
    gt_usage ("%s: unknown device '%s': valid devices are cpu, cuda, cuda:N",
              option, gt_quote_word (word));
  return device;
}

void
gt_require_device (const struct gt_device_word *word)
{
  const char *why = NULL;

  if (word->kind == GT_CUDA && gt_gpu_count (&why) == 0)
    gt_fatal ("no usable GPU: %s", why);
  if (word->ordinal >= 0)
    gt_require_gpu ("--device", word->ordinal);
}

int
gt_device_count (void)
{
  return 1 + gt_gpu_count (NULL);
}

const struct gt_device *
gt_device_at (int i)
{
  return i == 0 ? gt_device_host () : gt_gpu_device (i - 1);
}

const char *
gt_silicon_of (const struct gt_device *device)
{
  static char silicon[GT_SILICON_SIZE];

  gt_device_silicon (device, silicon);
  return silicon;
}

int
gt_device_meant (const struct gt_device_word *word,
                 const struct gt_device *device)
{
  return (int) word->kind < 0
         || (word->kind == device->kind
             && (word->ordinal < 0 || word->ordinal == device->gpu.ordinal));
}
