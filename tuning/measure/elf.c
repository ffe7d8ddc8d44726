/* Reads ELF files.  A file may be malicious, so each number in it is compared with the size of
   the data that was read before it is used.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/elf.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096u

struct file
{
  int fd;
  uint64_t size;
};

/* Returns the BYTES at OFFSET, followed by a null byte; null if the file does not have
   them.  */
static void *
read_part (const struct file *file, uint64_t offset, uint64_t bytes)
{
  char *part = offset <= file->size && bytes <= file->size - offset
                 ? malloc (bytes + 1) : NULL;
  size_t have = 0;

  while (part && have < bytes)
    {
      const ssize_t n
        = pread (file->fd, part + have, bytes - have, (off_t) (offset + have));

      if (n <= 0)
        {
          free (part);
          return NULL;
        }
      have += (size_t) n;
    }
  if (part)
    part[bytes] = '\0';
  return part;
}

static void
read_segments (struct gt_elf *elf, const ElfW (Ehdr) *header, const struct file *file)
{
  const unsigned n = header->e_phnum;
  ElfW (Phdr) *segments = header->e_phentsize == sizeof *segments
                            ? read_part (file, header->e_phoff, n * sizeof *segments) : NULL;
  int loads = 0;

  for (unsigned k = 0; segments && k < n; k++)
    if (segments[k].p_type == PT_INTERP && elf->loader == NULL
        && segments[k].p_filesz < PATH_MAX)
      elf->loader = read_part (file, segments[k].p_offset,
                               segments[k].p_filesz);
    else if (segments[k].p_type == PT_LOAD && loads++ == 0)
      elf->begin = segments[k].p_vaddr & ~(uint64_t) (PAGE - 1);
  free (segments);
}

/* Stores the functions among the symbols, whose names are in NAMES.  */
static void
take_functions (struct gt_elf *elf, const ElfW (Sym) *symbols, size_t n,
                char *names, uint64_t bytes)
{
  elf->functions = calloc (n ? n : 1, sizeof *elf->functions);
  elf->names = names;
  for (size_t k = 0; elf->functions && k < n; k++)
    if ((symbols[k].st_info & 0xf) == STT_FUNC
        && symbols[k].st_shndx != SHN_UNDEF && symbols[k].st_name < bytes)
      elf->functions[elf->n++]
        = (struct gt_elf_function) {symbols[k].st_value, symbols[k].st_size,
                                    names + symbols[k].st_name};
}

/* Reads all symbols if the file has them, otherwise those that the loader needs.  */
static void
read_symbols (struct gt_elf *elf, const ElfW (Ehdr) *header, const struct file *file)
{
  const unsigned n = header->e_shnum;
  ElfW (Shdr) *sections = header->e_shentsize == sizeof *sections
                            ? read_part (file, header->e_shoff, n * sizeof *sections) : NULL;
  const ElfW (Shdr) *table = NULL;

  for (unsigned k = 0; sections && k < n; k++)
    if (sections[k].sh_type == SHT_SYMTAB
        || (sections[k].sh_type == SHT_DYNSYM && table == NULL))
      table = &sections[k];
  if (table && table->sh_link < n && table->sh_entsize == sizeof (ElfW (Sym)))
    {
      const ElfW (Shdr) *text = &sections[table->sh_link];
      ElfW (Sym) *symbols = read_part (file, table->sh_offset, table->sh_size);
      char *names = read_part (file, text->sh_offset, text->sh_size);

      if (symbols && names)
        take_functions (elf, symbols, table->sh_size / sizeof *symbols, names,
                        text->sh_size);
      else
        free (names);
      free (symbols);
    }
  free (sections);
}

/* Returns whether both are for the same kind of machine.  */
static int
is_like (const ElfW (Ehdr) *a, const ElfW (Ehdr) *b)
{
  return a->e_ident[EI_CLASS] == b->e_ident[EI_CLASS]
         && a->e_ident[EI_DATA] == b->e_ident[EI_DATA]
         && a->e_machine == b->e_machine;
}

static int
read_header (int fd, ElfW (Ehdr) *header)
{
  return pread (fd, header, sizeof *header, 0) == (ssize_t) sizeof *header
         && memcmp (header->e_ident, ELFMAG, SELFMAG) == 0;
}

static int
is_native (const ElfW (Ehdr) *header)
{
  const int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ElfW (Ehdr) own;
  const int same
    = fd >= 0 && read_header (fd, &own) && is_like (&own, header);

  if (fd >= 0)
    close (fd);
  return same;
}

struct gt_elf *
gt_elf_open (const char *path)
{
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct gt_elf *elf = NULL;
  ElfW (Ehdr) header;
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode)
      && read_header (fd, &header) && (elf = calloc (1, sizeof *elf)) != NULL
      && (elf->is_native = is_native (&header)))
    {
      const struct file file = {fd, (uint64_t) status.st_size};

      read_segments (elf, &header, &file);
      read_symbols (elf, &header, &file);
    }
  if (fd >= 0)
    close (fd);
  return elf;
}

void
gt_elf_close (struct gt_elf *elf)
{
  if (elf == NULL)
    return;
  free (elf->loader);
  free (elf->names);
  free (elf->functions);
  free (elf);
}

const char *
gt_elf_function (const struct gt_elf *elf, uint64_t offset)
{
  for (size_t k = 0; k < elf->n; k++)
    if (elf->begin + offset - elf->functions[k].address < elf->functions[k].size)
      return elf->functions[k].name;
  return NULL;
}

unsigned
gt_elf_defines (const struct gt_elf *elf, int (*wanted) (const char *name),
                const char **example)
{
  unsigned found = 0;

  for (size_t k = 0; k < elf->n; k++)
    if (wanted (elf->functions[k].name) && found++ == 0)
      *example = elf->functions[k].name;
  return found;
}
