/* Reads from an ELF file what a program or a library needs and defines.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_ELF_H
#define GT_ELF_H

#include <stdint.h>

struct gt_elf;

/* Reads the file at PATH; null if it is no ELF file, cannot be read, or is broken where
   it matters.  */
struct gt_elf *gt_elf_open (const char *path);
void gt_elf_close (struct gt_elf *elf);

/* Whether it is for processors and of a class as this command is; only then the rest is
   known.  */
int gt_elf_is_native (const struct gt_elf *elf);

/* The loader that it asks for, or null: it is linked statically, or a library.  */
const char *gt_elf_loader (const struct gt_elf *elf);

/* The function that is OFFSET bytes from where the file begins in memory, or null if
   none is there or the file was stripped.  */
const char *gt_elf_function (const struct gt_elf *elf, uint64_t offset);

/* How many functions it defines whose names WANTED says yes to, and the name of one of
   them in *EXAMPLE.  */
unsigned gt_elf_defines (const struct gt_elf *elf,
                         int (*wanted) (const char *name),
                         const char **example);

#endif
