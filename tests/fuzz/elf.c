/* Fuzz target: ELF files, as gsltune run reads those of programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "src/preload/taken.h"
#include "tuning/measure/elf.h"

static size_t lengths;

/* Reads all of each name.  */
static int
look_at (const char *name)
{
  lengths += strlen (name);
  return gt_taken_has (name) || *name == 'm';
}

int
gt_fuzz_elf (const uint8_t *data, size_t size)
{
  struct gt_elf *elf = gt_elf_open (gt_fuzz_file (0, data, size));
  const char *name, *example = NULL;
  unsigned found;

  if (elf == NULL)
    return 0;
  if (elf->loader)
    lengths += strlen (elf->loader);
  found = gt_elf_defines (elf, look_at, &example);
  GT_FUZZ_CHECK ((found > 0) == (example != NULL));
  for (uint64_t offset = 0; offset < 0x4000; offset += 0x41)
    {
      name = gt_elf_function (elf, offset);
      lengths += name ? strlen (name) : 0;
    }
  name = gt_elf_function (elf, UINT64_MAX);
  lengths += name ? strlen (name) : 0;
  gt_elf_close (elf);
  return 0;
}
