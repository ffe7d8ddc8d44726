/* The JSON of profiles: an object of objects, whose values are strings, numbers and words.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_JSON_H
#define GT_JSON_H

/* A text that is read member by member, and changed by that.  */
struct gt_json
{
  char *at, *start;
  const char *object; /* the member's object: "" for the outermost one, else its name in that */
  const char *name;
  char *value;
  const char *outer;  /* the name of the object that is being read within the outermost one */
  const char *wrong;  /* the reason why the text is not such JSON, or null */
  int depth;          /* of objects that have begun */
};

/* Reads the first or next member of JSON.  Returns 0 after the last and when the text is wrong.  */
int gt_json_first (struct gt_json *json, char *text);
int gt_json_next (struct gt_json *json);

/* Returns the number of the line that JSON has been read to.  */
unsigned gt_json_line (const struct gt_json *json);

#endif
