/* Kinds of problems, as texts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/profile/step_kind.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"

/* Writes "sum f64 fast" and the words LAST and DEVICE.  */
static void
write_kind (const struct gt_problem *problem, const char *last, const char *device,
            char text[GT_STEP_KIND_SIZE])
{
  snprintf (text, GT_STEP_KIND_SIZE, "%s %s %s %s%s%s", gt_reductions[problem->reduction].name,
            gt_arithmetics[problem->arithmetic].name, gt_mode_names[problem->mode], last,
            device ? " " : "", device ? device : "");
}

void
gt_step_kind_of_problem (const struct gt_problem *problem, char text[GT_STEP_KIND_SIZE])
{
  write_kind (problem, gt_layout_names[problem->layout], NULL, text);
}

void
gt_step_kind_of_route (const struct gt_problem *problem, enum gt_place place, const char *device,
                  char text[GT_STEP_KIND_SIZE])
{
  write_kind (problem, gt_place_names[place], device, text);
}

/* Takes the next word off *TEXT into WORD, "" if there is none or it is too long.  */
static const char *
next_word (const char **text, char *word, size_t size)
{
  const size_t length = (size_t) (strchrnul (*text, ' ') - *text);

  memcpy (word, *text, length < size ? length : 0);
  word[length < size ? length : 0] = '\0';
  *text += length;
  *text += **text == ' ';
  return word;
}

static int
read_place (const char *text, const char *last, struct gt_step_kind *kind, char *why, size_t why_size)
{
  const int layout = gt_layout_from_name (last), place = gt_place_from_name (last);

  kind->is_route = layout < 0;
  if (layout < 0 && (place < 0 || !gt_way_serves (GT_WAY_CPU, (enum gt_place) place)))
    return gt_profile_fail (why, why_size, "\"%.40s\" is no layout, and no place of host data",
                            last);
  kind->problem.layout = layout < 0 ? GT_CONTIGUOUS : (enum gt_layout) layout;
  kind->place = layout < 0 ? (enum gt_place) place : GT_PLACE_HOST;
  if (kind->is_route ? !gt_profile_silicon_valid (text) : *text != '\0')
    return gt_profile_fail (why, why_size, "\"%.40s\" is no silicon key", text);
  strcpy (kind->device, text);
  return 1;
}

int
gt_step_kind_read (const char *text, struct gt_step_kind *kind, char *why, size_t why_size)
{
  char word[32];
  const int reduction = gt_reduction_from_name (next_word (&text, word, sizeof word));
  struct gt_problem *const p = &kind->problem;
  int arithmetic, mode;

  *kind = (struct gt_step_kind) {.is_route = 0};
  if (reduction < 0)
    return 0;
  arithmetic = gt_arithmetic_from_name (next_word (&text, word, sizeof word));
  if (arithmetic < 0)
    return gt_profile_fail (why, why_size, "\"%s\" is no type", word);
  mode = gt_mode_from_name (next_word (&text, word, sizeof word));
  if (mode < 0)
    return gt_profile_fail (why, why_size, "\"%s\" is no mode", word);
  p->reduction = (enum gt_reduction) reduction;
  p->arithmetic = (enum gt_arithmetic) arithmetic;
  p->mode = (enum gt_mode) mode;
  if (!gt_reduction_has (p->reduction, p->arithmetic))
    return gt_profile_fail (why, why_size, "there is no %s of type %s",
                            gt_reductions[reduction].name, gt_arithmetics[arithmetic].name);
  if (gt_mode_for (p->reduction, p->arithmetic, p->mode) != p->mode)
    return gt_profile_fail (why, why_size, "%s of type %s has no mode %s",
                            gt_reductions[reduction].name, gt_arithmetics[arithmetic].name, word);
  next_word (&text, word, sizeof word);
  return read_place (text, word, kind, why, why_size);
}
