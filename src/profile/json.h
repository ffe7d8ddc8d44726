/* The JSON of profiles: an object of objects, whose values are strings, numbers and words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_JSON_H
#define GT_JSON_H

/* A text that is read member by member, and changed by that.  */
struct gt_json
{
  char *at;           /* up to where it has been read; after the last member behind all */
  const char *object; /* of the member: "" for the outermost one, else its name in that */
  char *name;
  char *value;
  const char *wrong;  /* the reason why the text is not such JSON, or null */
  char next;          /* the character at AT, in whose place a value ends */
  int depth;          /* of objects that have begun */
};

/* Begins to read TEXT.  */
void gt_json_begin (struct gt_json *json, char *text);

/* Reads the next member.  Returns 0 after the last and if the text is wrong.  */
int gt_json_next (struct gt_json *json);

#endif
