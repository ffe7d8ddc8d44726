/* Names of types, modes and layouts, and back.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "src/base/names.h"

const struct gt_type_info gt_types[GT_N_TYPES] = {
#define X(id, name, infix, ctype, arithmetic)                       \
  [GT_TYPE_##id] = {name, GT_##arithmetic, sizeof (ctype)},
  GT_ELEMENT_TYPES (X)
  GT_COMPLEX_TYPES (X)
#undef X
};

const struct gt_arithmetic_info gt_arithmetics[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real, gpu, types) \
  [GT_##id] = {#name, types, sizeof (ctype), real, gpu},
  GT_ARITHMETIC_TABLE (X)
#undef X
};

const char *const gt_mode_names[GT_N_CHOSEN_MODES] = {
#define X(id, name) [GT_MODE_##id] = name,
  GT_MODES (X)
#undef X
  [GT_MODE_AUTO] = "auto",
};

const char *const gt_layout_names[GT_N_LAYOUTS] = {
  [GT_CONTIGUOUS] = "contiguous",
  [GT_STRIDED] = "strided",
};

/* Returns whether WORD is NAME; a space or hyphen may replace an underscore.  */
static int
type_matches (const char *name, const char *word)
{
  for (; *name && *word; name++, word++)
    if (*name != *word && !(*name == '_' && (*word == ' ' || *word == '-')))
      return 0;
  return *name == *word;
}

int
gt_type_from_name (const char *name)
{
  for (int type = 0; type < GT_N_TYPES; type++)
    if (type_matches (gt_types[type].name, name))
      return type;
  return -1;
}

int
gt_arithmetic_from_name (const char *name)
{
  for (int arithmetic = 0; arithmetic < GT_N_ARITHMETICS; arithmetic++)
    if (strcmp (gt_arithmetics[arithmetic].name, name) == 0)
      return arithmetic;
  return -1;
}

int
gt_name_find (const char *const *names, int count, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return -1;
}

int
gt_mode_from_name (const char *name)
{
  return gt_name_find (gt_mode_names, GT_N_MODES, name);
}

int
gt_layout_from_name (const char *name)
{
  return gt_name_find (gt_layout_names, GT_N_LAYOUTS, name);
}

const char *
gt_types_of (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  static const char *const pairs[GT_N_ARITHMETICS]
    = {[GT_U64] = "long, ulong", [GT_U32] = "int, uint", [GT_U16] = "short, ushort",
       [GT_U8] = "char, uchar"};

  return pairs[arithmetic] && !gt_reduction_has (reduction, GT_I64)
           ? pairs[arithmetic] : gt_arithmetics[arithmetic].types;
}

int
gt_span (enum gt_arithmetic arithmetic, size_t n, size_t stride,
         size_t *bytes)
{
  return __builtin_mul_overflow (n - 1, stride, bytes)
             || __builtin_add_overflow (*bytes, 1, bytes)
             || __builtin_mul_overflow (*bytes,
                                        gt_arithmetics[arithmetic].size, bytes)
           ? -1 : 0;
}
