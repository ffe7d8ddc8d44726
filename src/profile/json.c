/* The JSON of profiles, which has two levels and no arrays.  Strings are used where they are: a
   general reader takes ten times as long for a profile of hundreds of kinds.  Commas count as
   blanks.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/json.h"

#include <string.h>

/* Passes over blanks.  Returns whether CHARACTER is next, and passes over it, too.  */
static int
accept (struct gt_json *json, char character)
{
  json->at += strspn (json->at, " \t\r\n,");
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

/* Returns the string that is next.  Characters that are written in another way than by themselves
   become question marks, except quotes and backslashes.  */
static char *
read_string (struct gt_json *json)
{
  char *string, *to;

  expect (json, '"', "a string is missing");
  string = to = json->at;
  while (json->wrong == NULL)
    {
      const size_t length = strcspn (json->at, "\"\\\n");

      if (json->at != to)
        memmove (to, json->at, length);
      to += length;
      json->at += length;
      if (*json->at != '\\' || json->at[1] == '\0')
        break;
      *to++ = json->at[1] == '"' || json->at[1] == '\\' ? json->at[1] : '?';
      json->at += 2;
    }
  if (json->wrong == NULL && *json->at != '"')
    json->wrong = "a string has no end";
  if (json->wrong == NULL)
    {
      *to = '\0';
      json->at++;
    }
  return string;
}

static void
read_value (struct gt_json *json)
{
  json->at += strspn (json->at, " \t\r\n");
  json->value = json->at;
  if (*json->at == '"')
    json->value = read_string (json);
  else
    json->at += strspn (json->at, "0123456789abcdefghijklmnopqrstuvwxyzE.+-");
  if (json->at == json->value && json->wrong == NULL)
    json->wrong = "a string, a number or a word is missing";
  json->next = *json->at;
  *json->at = '\0';
}

int
gt_json_next (struct gt_json *json)
{
  *json->at = json->next;
  while (json->wrong == NULL)
    if (accept (json, '}'))
      {
        json->object = "";
        if (--json->depth > 0)
          continue;
        json->at += strspn (json->at, " \t\r\n");
        break;
      }
    else
      {
        json->name = read_string (json);
        expect (json, ':', "a colon is missing");
        if (json->depth == 1 && accept (json, '{'))
          {
            json->object = json->name;
            json->depth++;
            continue;
          }
        if (json->wrong == NULL)
          read_value (json);
        return json->wrong == NULL;
      }
  return 0;
}

void
gt_json_begin (struct gt_json *json, char *text)
{
  *json = (struct gt_json) {.at = text, .object = "", .depth = 1};
  expect (json, '{', "an object is missing");
  json->next = *json->at;
}
