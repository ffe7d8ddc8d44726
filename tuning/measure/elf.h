/* Reads from an ELF file the objects that a program or a library needs and the functions that
   it defines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ELF_H
#define GT_ELF_H

#include <stddef.h>
#include <stdint.h>

struct gt_elf_function
{
  uint64_t address, size;
  const char *name;
};

/* A file for other processors, or of another class than this command, has no further
   members.  */
struct gt_elf
{
  int is_native;
  char *loader;   /* null if it is linked statically or is a library */
  uint64_t begin; /* the first address in memory */
  char *names;
  struct gt_elf_function *functions;
  size_t n;
};

/* Reads the file at PATH.  Returns null if it is not an ELF file, cannot be read, or has
   errors in a part that is needed.  */
struct gt_elf *gt_elf_open (const char *path);
void gt_elf_close (struct gt_elf *elf);

/* Returns the function at OFFSET bytes from the file's beginning in memory, or null if there
   is none or the file was stripped.  */
const char *gt_elf_function (const struct gt_elf *elf, uint64_t offset);

/* Returns the number of functions that it defines and whose names WANTED accepts, with the
   name of one of them in *EXAMPLE.  */
unsigned gt_elf_defines (const struct gt_elf *elf,
                         int (*wanted) (const char *name),
                         const char **example);

#endif
