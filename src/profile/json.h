/* Reads the JSON of profiles: an object of objects, whose values are strings, numbers and
   words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_JSON_H
#define GT_JSON_H

/* The state of reading a text, member by member.  Reading changes the text.  */
struct gt_json
{
  char *at;           /* the position in the text; after the last member, the end */
  const char *object; /* the member's object: "" for the outermost one, otherwise its name */
  char *name;
  char *value;
  const char *wrong;  /* the reason why the text is invalid, or null */
  char next;          /* the character at AT, which the end of a value has replaced */
  int depth;          /* the number of objects that have begun */
};

/* Begins to read TEXT.  */
void gt_json_begin (struct gt_json *json, char *text);

/* Reads the next member.  Returns 0 after the last one, or if the text is invalid.  */
int gt_json_next (struct gt_json *json);

#endif
