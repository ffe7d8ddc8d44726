/* json_get PATH: prints the value at PATH of the JSON on standard input, so
   that shell tests need no other program.  PATH is words separated by dots:
   names of members, or positions in arrays from 0 on; `#' at the end gives the
   number of elements.  `*' stands for every element, or member, and prints a line
   for each.  Exit status 1: not JSON, or nothing there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
print_value (const json_t *value)
{
  char *text;

  if (json_is_string (value))
    return puts (json_string_value (value)) < 0;
  text = json_dumps (value, JSON_ENCODE_ANY | JSON_COMPACT
                              | JSON_REAL_PRECISION (9));
  if (text)
    puts (text);
  free (text);
  return text == NULL;
}

static int
print_path (const json_t *value, const char *path)
{
  size_t length = strcspn (path, ".");
  const char *rest = path[length] ? path + length + 1 : path + length;
  char word[256];
  const char *name;
  json_t *member;
  int failed = 0;

  if (*path == '\0')
    return value == NULL || print_value (value);
  snprintf (word, sizeof word, "%.*s", (int) length, path);
  if (strcmp (word, "#") == 0)
    return printf ("%zu\n", json_is_array (value) ? json_array_size (value)
                                                  : json_object_size (value))
           < 0;
  if (strcmp (word, "*") == 0)
    {
      for (size_t i = 0; i < json_array_size (value); i++)
        failed |= print_path (json_array_get (value, i), rest);
      json_object_foreach ((json_t *) value, name, member)
        failed |= print_path (member, rest);
      return failed;
    }
  value = json_is_array (value)
            ? json_array_get (value, strtoul (word, NULL, 10))
            : json_object_get (value, word);
  return value == NULL || print_path (value, rest);
}

int
main (int argc, char **argv)
{
  json_error_t error;
  json_t *json = json_loadf (stdin, JSON_REJECT_DUPLICATES, &error);
  int failed;

  if (json == NULL)
    {
      fprintf (stderr, "json_get: line %d: %s\n", error.line, error.text);
      return 1;
    }
  failed = print_path (json, argc > 1 ? argv[1] : "");
  json_decref (json);
  return failed ? 1 : 0;
}
