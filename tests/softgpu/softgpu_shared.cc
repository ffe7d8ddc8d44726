/* Finds the __shared__ variables.  They are local static variables of this
   library's kernels, so they stand in its symbol table under mangled names
   that begin with _ZZ, in .bss; nothing else of this library is allowed to.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_engine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace softgpu
{
struct variable
{
  volatile unsigned char *at;
  size_t size;
};

static variable *variables;
static size_t n_variables;
static bool searched;

static void
stop (const char *path, const char *why)
{
  fprintf (stderr, "softgpu: cannot find the shared variables in %s: %s\n",
           path, why);
  abort ();
}

static const unsigned char *
map_file (const char *path, size_t *size)
{
  struct stat status;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC);

  if (descriptor < 0 || fstat (descriptor, &status) != 0)
    stop (path, "cannot be read");
  *size = (size_t) status.st_size;
  void *map = mmap (nullptr, *size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close (descriptor);
  if (map == MAP_FAILED)
    stop (path, "cannot be mapped");
  return static_cast<const unsigned char *> (map);
}

static bool
is_shared (const ElfW (Sym) *symbol, const char *name,
           const ElfW (Shdr) *sections, unsigned n_sections)
{
  return ELF64_ST_TYPE (symbol->st_info) == STT_OBJECT && symbol->st_size > 0
         && symbol->st_shndx < n_sections
         && sections[symbol->st_shndx].sh_type == SHT_NOBITS
         && strncmp (name, "_ZZ", 3) == 0;
}

static void
collect (const unsigned char *file, const ElfW (Shdr) *table, uintptr_t base)
{
  const ElfW (Ehdr) *header = reinterpret_cast<const ElfW (Ehdr) *> (file);
  const ElfW (Shdr) *sections
    = reinterpret_cast<const ElfW (Shdr) *> (file + header->e_shoff);
  const ElfW (Sym) *symbols
    = reinterpret_cast<const ElfW (Sym) *> (file + table->sh_offset);
  const char *names = reinterpret_cast<const char *> (
    file + sections[table->sh_link].sh_offset);
  size_t count = table->sh_size / sizeof *symbols;

  variables = static_cast<variable *> (calloc (count, sizeof *variables));
  if (!variables)
    abort ();
  for (size_t i = 0; i < count; i++)
    if (is_shared (&symbols[i], names + symbols[i].st_name, sections,
                   header->e_shnum))
      variables[n_variables++]
        = {reinterpret_cast<volatile unsigned char *> (base
                                                       + symbols[i].st_value),
           symbols[i].st_size};
}

/* The file is our own, just loaded by the dynamic linker, so its tables are
   taken as they are.  */
static void
search ()
{
  Dl_info info;
  link_map *map = nullptr;
  size_t size;

  if (!dladdr1 (reinterpret_cast<void *> (&poison_shared), &info,
                reinterpret_cast<void **> (&map), RTLD_DL_LINKMAP))
    stop ("this library", "unknown to the dynamic linker");
  const char *path = *map->l_name ? map->l_name : "/proc/self/exe";
  const unsigned char *file = map_file (path, &size);
  const ElfW (Ehdr) *header = reinterpret_cast<const ElfW (Ehdr) *> (file);
  const ElfW (Shdr) *sections
    = reinterpret_cast<const ElfW (Shdr) *> (file + header->e_shoff);

  for (unsigned i = 0; i < header->e_shnum && !variables; i++)
    if (sections[i].sh_type == SHT_SYMTAB)
      collect (file, &sections[i], map->l_addr);
  munmap (const_cast<unsigned char *> (file), size);
  if (!variables)
    stop (path, "it was stripped");
}

/* Under ASan a variable's size may include its red zone: plain stores, not
   checked ones.  */
__attribute__ ((no_sanitize ("address", "undefined"))) static void
fill (const variable *v)
{
  size_t i = 0;

  for (; i < v->size && reinterpret_cast<uintptr_t> (v->at + i) % 8; i++)
    v->at[i] = 0xff;
  for (; i + 8 <= v->size; i += 8)
    *reinterpret_cast<volatile uint64_t *> (v->at + i) = ~UINT64_C (0);
  for (; i < v->size; i++)
    v->at[i] = 0xff;
}

void
poison_shared ()
{
  if (!searched)
    search ();
  searched = true;
  for (size_t i = 0; i < n_variables; i++)
    fill (&variables[i]);
}
}
