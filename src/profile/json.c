/* The JSON of profiles.  It has two levels and no arrays, and strings are used where they lie: a
   profile of hundreds of kinds is read in a tenth of the time that a general reader takes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/json.h"

#include <stddef.h>
#include <string.h>

/* Passes over blanks.  Returns whether CHARACTER is next, and passes over it, too.  */
static int
accept (struct gt_json *json, char character)
{
  json->at += strspn (json->at, " \t\r\n");
  if (*json->at != character)
    return 0;
  json->at++;
  return 1;
}

static void
expect (struct gt_json *json, char character, const char *wrong)
{
  if (!accept (json, character) && json->wrong == NULL)
    json->wrong = wrong;
}

/* Returns the string that is next, or "" if none is.  Characters that are written in another way
   than by themselves become question marks, quotes and backslashes apart.  */
static char *
read_string (struct gt_json *json)
{
  char *string, *from, *to;

  expect (json, '"', "a string is missing");
  if (json->wrong)
    return json->at + strlen (json->at);
  string = from = to = json->at;
  for (;;)
    {
      const size_t length = strcspn (from, "\"\\\n");

      if (from != to)
        memmove (to, from, length);
      to += length;
      from += length;
      if (*from != '\\' || from[1] == '\0')
        break;
      *to++ = from[1] == '"' || from[1] == '\\' ? from[1] : '?';
      from += 2;
    }
  json->at = from;
  expect (json, '"', "a string has no end");
  *to = '\0';
  return string;
}

/* Passes over what may follow a value: ends of objects, then a comma unless all have ended.  */
static void
end_value (struct gt_json *json)
{
  while (json->depth > 0 && accept (json, '}'))
    json->depth--;
  if (json->depth > 0)
    expect (json, ',', "a comma is missing");
  else
    expect (json, '\0', "more follows the object");
}

/* Begins an object, which may be empty.  */
static void
begin_object (struct gt_json *json)
{
  json->depth++;
  json->at += strspn (json->at, " \t\r\n");
  if (*json->at == '}')
    end_value (json);
}

static void
read_value (struct gt_json *json)
{
  char *value = json->at += strspn (json->at, " \t\r\n");
  size_t length;

  if (*value == '"')
    {
      value = read_string (json);
      length = strlen (value);
    }
  else
    {
      length = strspn (value, "0123456789abcdefghijklmnopqrstuvwxyzE.+-");
      json->at += length;
      if (length == 0 && json->wrong == NULL)
        json->wrong = "a string, a number or a word is missing";
    }
  json->value = value;
  if (json->wrong == NULL)
    end_value (json);
  value[length] = '\0';
}

int
gt_json_next (struct gt_json *json)
{
  while (json->depth > 0 && json->wrong == NULL)
    {
      const char *const name = read_string (json);

      expect (json, ':', "a colon is missing");
      if (json->depth == 1 && accept (json, '{'))
        {
          json->outer = name;
          begin_object (json);
          continue;
        }
      json->name = name;
      json->object = json->depth == 1 ? "" : json->outer;
      read_value (json);
      return json->wrong == NULL;
    }
  return 0;
}

int
gt_json_first (struct gt_json *json, char *text)
{
  *json = (struct gt_json) {.at = text, .start = text};
  expect (json, '{', "an object is missing");
  if (json->wrong == NULL)
    begin_object (json);
  return gt_json_next (json);
}

unsigned
gt_json_line (const struct gt_json *json)
{
  unsigned line = 1;

  for (const char *at = json->start; at < json->at; at++)
    line += *at == '\n';
  return line;
}
