/* This library's own ELF file, and what it tells of its kernels.  Their __shared__
   variables are local static variables, so they stand in its symbol table
   under mangled names that begin with _ZZ, in .bss; nothing else of this
   library is allowed to.  The code of kernels for clusters of N blocks lies in
   sections named softgpu_cluster_N.
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

#include <map>
#include <set>

namespace softgpu
{
struct variable
{
  volatile unsigned char *at;
  size_t size, offset; /* in a copy of all */
};

static variable *variables;
static size_t n_variables, n_bytes;
static bool searched;

/* The code of the kernels with one cluster size.  */
struct cluster_section
{
  uintptr_t begin, end;
  unsigned blocks;
};

static cluster_section sections_of_clusters[16];
static size_t n_clusters;
static const char cluster_prefix[] = "softgpu_cluster_";

static void
stop (const char *path, const char *why)
{
  fprintf (stderr, "softgpu: cannot read the symbol table of %s: %s\n", path,
           why);
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
      {
        variables[n_variables++]
          = {reinterpret_cast<volatile unsigned char *> (
               base + symbols[i].st_value),
             symbols[i].st_size, n_bytes};
        n_bytes += symbols[i].st_size;
      }
}

static void
collect_cluster (const char *name, const ElfW (Shdr) *section, uintptr_t base,
                 const char *path)
{
  const size_t length = sizeof cluster_prefix - 1;

  if (strncmp (name, cluster_prefix, length) != 0)
    return;
  char *end;
  unsigned long blocks = strtoul (name + length, &end, 10);
  if (end == name + length || *end != '\0' || blocks == 0 || blocks > 1024)
    stop (path, "GT_CLUSTER_DIMS takes a decimal literal");
  if (n_clusters == sizeof sections_of_clusters / sizeof *sections_of_clusters)
    stop (path, "it has too many different cluster sizes");
  uintptr_t begin = base + section->sh_addr;
  sections_of_clusters[n_clusters++]
    = {begin, begin + section->sh_size, (unsigned) blocks};
}

/* The file is our own, just loaded by the dynamic linker, so its tables are
   taken as they are.  */
static void
search ()
{
  Dl_info info;
  link_map *map = nullptr;
  size_t size;

  if (searched)
    return;
  searched = true;
  if (!dladdr1 (reinterpret_cast<void *> (&poison_shared), &info,
                reinterpret_cast<void **> (&map), RTLD_DL_LINKMAP))
    stop ("this library", "unknown to the dynamic linker");
  const char *path = *map->l_name ? map->l_name : "/proc/self/exe";
  const unsigned char *file = map_file (path, &size);
  const ElfW (Ehdr) *header = reinterpret_cast<const ElfW (Ehdr) *> (file);
  const ElfW (Shdr) *sections
    = reinterpret_cast<const ElfW (Shdr) *> (file + header->e_shoff);

  const char *names = reinterpret_cast<const char *> (
    file + sections[header->e_shstrndx].sh_offset);
  for (unsigned i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB && !variables)
      collect (file, &sections[i], map->l_addr);
    else
      collect_cluster (names + sections[i].sh_name, &sections[i],
                       map->l_addr, path);
  munmap (const_cast<unsigned char *> (file), size);
  if (!variables)
    stop (path, "it was stripped");
}

/* Plain accesses, as wide as a vector and not checked: under ASan a variable's size may
   include its red zone.  */
typedef uint64_t __attribute__ ((vector_size (16), aligned (1), may_alias)) chunk;

/* Copies or, without FROM, poisons.  The variable is TO or FROM; the other of the two may
   be at any address.  */
__attribute__ ((no_sanitize ("address", "undefined"))) static void
move (volatile unsigned char *to, const volatile unsigned char *from,
      size_t size)
{
  const chunk poison = {~UINT64_C (0), ~UINT64_C (0)};
  size_t i = 0;

  for (; i + sizeof (chunk) <= size; i += sizeof (chunk))
    *reinterpret_cast<volatile chunk *> (to + i)
      = from ? *reinterpret_cast<const volatile chunk *> (from + i) : poison;
  for (; i < size; i++)
    to[i] = from ? from[i] : 0xff;
}

/* Whether V has anything but poison.  */
__attribute__ ((no_sanitize ("address", "undefined"))) static bool
is_written (const variable &v)
{
  const unsigned char *at = const_cast<const unsigned char *> (v.at);
  chunk all = {~UINT64_C (0), ~UINT64_C (0)};
  size_t i = 0;

  for (; i + sizeof all <= v.size; i += sizeof all)
    all &= *reinterpret_cast<const chunk *> (at + i);
  for (; i < v.size; i++)
    all &= at[i] | ~UINT64_C (0xff);
  return (all[0] & all[1]) != ~UINT64_C (0);
}

/* The variables of all kernels are a third of a megabyte, of which each writes little: what
   it was seen to write, once many of its blocks were looked at, and now and then again.  */
struct use
{
  std::set<size_t> written; /* indexes of variables */
  unsigned blocks;          /* after which all variables were looked at */
};
enum
{
  enough_blocks = 64,
  now_and_then = 256
};
static std::map<kernel_function *, use> uses;
static kernel_function *before;
static unsigned calls;

static void
find_written (use &u)
{
  for (size_t i = 0; i < n_variables; i++)
    if (is_written (variables[i]))
      u.written.insert (i);
}

static void
poison_written (const use &u)
{
  for (size_t i : u.written)
    move (variables[i].at, nullptr, variables[i].size);
}

void
poison_shared (kernel_function *kernel)
{
  use &u = uses[before]; /* whose block has run since */

  search ();
  before = kernel;
  if (u.blocks < enough_blocks || ++calls % now_and_then == 0)
    {
      u.blocks++;
      find_written (u);
    }
  poison_written (u);
}

size_t
shared_bytes ()
{
  search ();
  return n_bytes;
}

void
save_shared (unsigned char *copy)
{
  use &u = uses[before];

  find_written (u);
  for (size_t i : u.written)
    move (copy + variables[i].offset, variables[i].at, variables[i].size);
}

void
load_shared (const unsigned char *copy)
{
  for (size_t i : uses[before].written)
    move (variables[i].at, copy + variables[i].offset, variables[i].size);
}

void
poison_copy (kernel_function *kernel, unsigned char *copy)
{
  for (size_t i : uses[kernel].written)
    move (copy + variables[i].offset, nullptr, variables[i].size);
}

ptrdiff_t
shared_offset (const void *address, size_t size)
{
  uintptr_t at = reinterpret_cast<uintptr_t> (address);

  for (size_t i = 0; i < n_variables; i++)
    {
      uintptr_t begin = reinterpret_cast<uintptr_t> (variables[i].at);
      if (at < begin || at - begin >= variables[i].size)
        continue;
      uses[before].written.insert (i);
      return size <= variables[i].size - (at - begin)
               ? (ptrdiff_t) (variables[i].offset + (at - begin))
               : -1;
    }
  return -1;
}

unsigned
cluster_size (kernel_function *kernel)
{
  uintptr_t at = reinterpret_cast<uintptr_t> (kernel);

  search ();
  for (size_t i = 0; i < n_clusters; i++)
    if (at >= sections_of_clusters[i].begin
        && at < sections_of_clusters[i].end)
      return sections_of_clusters[i].blocks;
  return 0;
}
}
