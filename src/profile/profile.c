/* Profiles in memory: kept in order, so that a saved file does not depend on
   the order in which the tuner finished.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/profile/profile_private.h"

const char *const gt_effort_names[GT_N_EFFORTS] = {"quick", "normal", "thorough"};
const char *const gt_profile_status_names[]
  = {"ok", "absent", "refused", "broken", "foreign"};
const char *const gt_folder_names[GT_N_FOLDERS]
  = {"environment", "user", "system", "shipped"};

int
gt_profile_silicon_valid (const char *key)
{
  size_t length = strlen (key);

  return length > 0 && length < GT_SILICON_SIZE && key[0] != '.'
         && strspn (key, "abcdefghijklmnopqrstuvwxyz0123456789.-") == length;
}

void
gt_profile_empty (struct gt_profile *profile)
{
  memset (profile, 0, offsetof (struct gt_profile, path) + 1);
}

static void
clear_words (struct gt_words *words)
{
  for (unsigned i = 0; i < words->n; i++)
    free (words->of[i]);
  free (words->of);
}

void
gt_profile_clear (struct gt_profile *profile)
{
  clear_words (&profile->kinds);
  clear_words (&profile->ways);
  free (profile->steps);
  free (profile->measured);
  gt_profile_empty (profile);
}

/* ------------------------------------------------------------------- Words */

/* Returns a copy of TEXT in WORDS, or null when memory is short.  */
static const char *
add_word (struct gt_words *words, const char *text)
{
  char **const more = realloc (words->of, (words->n + 1) * sizeof *more);

  if (more == NULL)
    return NULL;
  words->of = more;
  more[words->n] = strdup (text);
  return more[words->n] ? more[words->n++] : NULL;
}

/* There are few ways.  */
static const char *
way_word (struct gt_profile *profile, const char *text)
{
  for (unsigned i = 0; i < profile->ways.n; i++)
    if (strcmp (profile->ways.of[i], text) == 0)
      return profile->ways.of[i];
  return add_word (&profile->ways, text);
}

/* Kinds are in order: a step of the same kind is next to AT.  */
static const char *
kind_word (struct gt_profile *profile, unsigned at, const char *text)
{
  if (at < profile->n_steps && strcmp (profile->steps[at].kind, text) == 0)
    return profile->steps[at].kind;
  if (at > 0 && strcmp (profile->steps[at - 1].kind, text) == 0)
    return profile->steps[at - 1].kind;
  return add_word (&profile->kinds, text);
}

/* ------------------------------------------------------------------- Steps */

/* Returns the number of the steps before FROM of KIND.  A new step is usually the last.  */
static unsigned
position_of (const struct gt_profile *profile, const char *kind, uint64_t from)
{
  unsigned low = 0, high = profile->n_steps, middle = high;

  while (low < high)
    {
      middle = middle == profile->n_steps ? high - 1 : low + (high - low) / 2;
      const int order = strcmp (profile->steps[middle].kind, kind);

      if (order < 0 || (order == 0 && profile->steps[middle].from < from))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Does the same for a new step; new steps usually follow one another.  */
static unsigned
position_to_put (const struct gt_profile *profile, const struct gt_step *step)
{
  const unsigned at = profile->put_at;
  const struct gt_step *const after = &profile->steps[at];

  if (at == 0 || at > profile->n_steps || strcmp (after[-1].kind, step->kind) != 0
      || after[-1].from >= step->from
      || (at < profile->n_steps && strcmp (after->kind, step->kind) == 0))
    return position_of (profile, step->kind, step->from);
  return at;
}

/* Inserts room for an element of SIZE bytes at index AT of the array *BASE, which has N
   elements.  */
static int
make_room (void **base, unsigned n, unsigned at, size_t size)
{
  char *const array = realloc (*base, (n + 1) * size);

  if (array == NULL)
    return -1;
  memmove (array + (at + 1) * size, array + at * size, (n - at) * size);
  *base = array;
  return 0;
}

int
gt_profile_put (struct gt_profile *profile, const struct gt_step *step,
                const struct gt_measured *measured)
{
  const unsigned at = position_to_put (profile, step);
  const int is_new = at == profile->n_steps || profile->steps[at].from != step->from
                     || strcmp (profile->steps[at].kind, step->kind) != 0;
  const int has_figures = profile->measured || (measured && profile->n_steps == 0);
  const char *const kind = kind_word (profile, at, step->kind);
  const char *const way = way_word (profile, step->way);
  void *steps = profile->steps, *figures = profile->measured;
  int failed = kind == NULL || way == NULL;

  if (is_new && !failed)
    {
      failed = make_room (&steps, profile->n_steps, at, sizeof *step);
      profile->steps = steps;
      if (!failed && has_figures)
        failed = make_room (&figures, profile->n_steps, at, sizeof *measured);
      profile->measured = figures;
    }
  if (failed)
    return -1;
  profile->n_steps += is_new != 0;
  profile->put_at = at + 1;
  profile->steps[at] = *step;
  profile->steps[at].kind = kind;
  profile->steps[at].way = way;
  if (has_figures)
    profile->measured[at] = measured ? *measured : (struct gt_measured) {.seconds = 0};
  return 0;
}

void
gt_profile_drop (struct gt_profile *profile, const char *kind)
{
  unsigned n;
  const struct gt_step *const found = gt_profile_steps (profile, kind, &n);
  const unsigned at = found ? (unsigned) (found - profile->steps) : 0;
  const unsigned after = profile->n_steps - at - n;

  if (n == 0)
    return;
  memmove (&profile->steps[at], &profile->steps[at + n], after * sizeof *found);
  if (profile->measured)
    memmove (&profile->measured[at], &profile->measured[at + n],
             after * sizeof *profile->measured);
  profile->n_steps -= n;
}

const struct gt_step *
gt_profile_steps (const struct gt_profile *profile, const char *kind, unsigned *n)
{
  const unsigned first = position_of (profile, kind, 0);
  unsigned end = first;

  while (end < profile->n_steps && strcmp (profile->steps[end].kind, kind) == 0)
    end++;
  *n = end - first;
  return *n ? &profile->steps[first] : NULL;
}

const struct gt_step *
gt_profile_first (const struct gt_profile *profile, const char *text)
{
  const unsigned at = position_of (profile, text, 0);

  return at < profile->n_steps
             && strncmp (profile->steps[at].kind, text, strlen (text)) == 0
           ? &profile->steps[at] : NULL;
}

const struct gt_step *
gt_step_at (const struct gt_step *steps, unsigned n, uint64_t size)
{
  unsigned k = n - 1;

  while (k > 0 && steps[k].from > size)
    k--;
  return &steps[k];
}
