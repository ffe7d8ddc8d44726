/* Finds the calls of this process that bypass the preloaded object: those of objects whose
   references are bound to GSL's library directly, for example plug-ins opened with
   RTLD_DEEPBIND, and those of objects that contain functions of GSL's.  The loader's tables
   show them; these tables are the same for all C libraries.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/unreached.h"

#include <link.h>
#include <string.h>

#include "src/preload/callers.h"

#if __ELF_NATIVE_CLASS == 64
#define SYMBOL_OF(info) ELF64_R_SYM (info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM (info)
#endif
#define TYPE_OF(info) ((info) & 0xf) /* the same in both classes */

enum
{
  MOST_RANGES = 16
};

/* The addresses of GSL's library.  */
struct range
{
  uintptr_t begin, end;
};

struct search
{
  struct gt_counts *counts;
  struct range gsl[MOST_RANGES];
  unsigned n_gsl;
};

/* An object's dynamic section: the value of each tag, or 0.  */
struct object
{
  uintptr_t base, tag[DT_NUM];
  const ElfW (Sym) *symbols;
  const char *strings;
  const uint32_t *hash, *gnu_hash;
};

struct findings
{
  unsigned functions;
  const char *first;
};

/* ---------------------------------------------------------------- Writing */

static void
write_entry (struct gt_counts *counts, enum gt_unreached kind,
             const char *object, const struct findings *found)
{
  struct gt_counts_place place
    = {.kind = kind, .functions = found->functions};

  if (*object)
    gt_counts_copy_end (place.object, sizeof place.object, object);
  else
    gt_own_program (place.object, sizeof place.object);
  gt_counts_copy_end (place.symbol, sizeof place.symbol, found->first);
  gt_counts_enter (gt_counts_unreached (counts), counts->n_unreached, &place);
}

/* ------------------------------------------------------- Reading an object */

static int
is_function (const ElfW (Sym) *symbol)
{
  const unsigned type = TYPE_OF (symbol->st_info);

  return type == STT_FUNC || type == STT_NOTYPE;
}

/* Returns an address in the section; loaders may or may not have added the base.  */
static uintptr_t
address_in (const struct object *object, ElfW (Addr) value)
{
  return value < object->base ? value + object->base : value;
}

/* Returns 0, or -1 for an object without symbols.  */
static int
read_dynamic (const struct dl_phdr_info *info, struct object *object)
{
  const ElfW (Dyn) *entry = NULL;

  memset (object, 0, sizeof *object);
  object->base = info->dlpi_addr;
  for (unsigned k = 0; k < info->dlpi_phnum; k++)
    if (info->dlpi_phdr[k].p_type == PT_DYNAMIC)
      entry = (const void *) (info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
  for (; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag > 0 && entry->d_tag < DT_NUM)
      object->tag[entry->d_tag] = entry->d_un.d_val;
    else if (entry->d_tag == DT_GNU_HASH)
      object->gnu_hash = (const void *) address_in (object, entry->d_un.d_ptr);
  if (!object->tag[DT_SYMTAB] || !object->tag[DT_STRTAB])
    return -1;
  object->symbols = (const void *) address_in (object, object->tag[DT_SYMTAB]);
  object->strings = (const void *) address_in (object, object->tag[DT_STRTAB]);
  if (object->tag[DT_HASH])
    object->hash = (const void *) address_in (object, object->tag[DT_HASH]);
  return 0;
}

/* Returns the number of symbols, which no tag contains.  The table of DT_GNU_HASH leads to the
   last one: see Drepper, How To Write Shared Libraries (2011).  */
static size_t
symbols_of (const struct object *object)
{
  const uint32_t *table = object->gnu_hash, *buckets, *chains;
  uint32_t last = 0;

  if (object->hash)
    return object->hash[1];
  if (table == NULL)
    return 0;
  buckets = table + 4 + table[2] * (sizeof (ElfW (Addr)) / sizeof *table);
  chains = buckets + table[0];
  for (uint32_t k = 0; k < table[0]; k++)
    if (buckets[k] > last)
      last = buckets[k];
  if (last < table[1])
    return table[1];
  while ((chains[last - table[1]] & 1) == 0)
    last++;
  return last + 1;
}

static void
add (struct findings *found, const char *name)
{
  if (found->functions++ == 0)
    found->first = name;
}

static int
in_gsl (const struct search *search, uintptr_t address)
{
  for (unsigned k = 0; k < search->n_gsl; k++)
    if (address >= search->gsl[k].begin && address < search->gsl[k].end)
      return 1;
  return 0;
}

/* Returns whether a reference with the value TARGET is bound to GSL's library.  A reference
   that was not used yet points into the object's own code, so the test is not valid for
   references within GSL's library.  */
static int
is_past_us (const struct search *search, const struct object *object,
            const ElfW (Sym) *symbol, uintptr_t target)
{
  return symbol->st_shndx == SHN_UNDEF
           ? in_gsl (search, target)
           : in_gsl (search, object->base + symbol->st_value)
               && target == object->base + symbol->st_value;
}

/* Searches the references of OBJECT to functions: adds those that are bound past us to BOUND,
   and returns the number of references to functions that OBJECT itself defines.  */
static unsigned
read_references (const struct search *search, const struct object *object,
                 struct findings *bound)
{
  const uintptr_t *const tag = object->tag;
  const struct
  {
    uintptr_t at, bytes, is_long;
  } tables[] = {{tag[DT_JMPREL], tag[DT_PLTRELSZ], tag[DT_PLTREL] == DT_RELA},
                {tag[DT_RELA], tag[DT_RELASZ], 1},
                {tag[DT_REL], tag[DT_RELSZ], 0}};
  unsigned own = 0;

  for (unsigned t = 0; t < sizeof tables / sizeof *tables; t++)
    {
      const uintptr_t begin = address_in (object, tables[t].at);
      const uintptr_t each = tables[t].is_long ? sizeof (ElfW (Rela)) : sizeof (ElfW (Rel));

      for (uintptr_t at = 0; at < tables[t].bytes; at += each)
        {
          const ElfW (Rel) *reference = (const void *) (begin + at);
          const ElfW (Sym) *symbol
            = object->symbols + SYMBOL_OF (reference->r_info);
          const char *name = object->strings + symbol->st_name;
          uintptr_t target;

          if (SYMBOL_OF (reference->r_info) == 0 || !is_function (symbol)
              || strncmp (name, "gsl_", 4) != 0)
            continue;
          memcpy (&target, (void *) (object->base + reference->r_offset),
                  sizeof target);
          if (!gt_taken_has (name))
            continue;
          if (is_past_us (search, object, symbol, target))
            add (bound, name);
          own += symbol->st_shndx != SHN_UNDEF;
        }
    }
  return own;
}

static void
read_definitions (const struct object *object, struct findings *own)
{
  const size_t n = symbols_of (object);

  for (size_t k = 1; k < n; k++)
    {
      const ElfW (Sym) *symbol = &object->symbols[k];

      if (symbol->st_shndx != SHN_UNDEF && is_function (symbol)
          && gt_taken_has (object->strings + symbol->st_name))
        add (own, object->strings + symbol->st_name);
    }
}

/* ------------------------------------------------------------ All objects */

static int
find_gsl (struct dl_phdr_info *info, size_t size, void *closure)
{
  struct search *search = closure;

  (void) size;
  for (unsigned k = 0; gt_is_gsl_path (info->dlpi_name)
                       && k < info->dlpi_phnum; k++)
    {
      const ElfW (Phdr) *part = &info->dlpi_phdr[k];
      const uintptr_t begin = info->dlpi_addr + part->p_vaddr;

      if (part->p_type == PT_LOAD && (part->p_flags & PF_X)
          && search->n_gsl < MOST_RANGES)
        search->gsl[search->n_gsl++]
          = (struct range) {begin, begin + part->p_memsz};
    }
  return 0;
}

static int
look_at (struct dl_phdr_info *info, size_t size, void *closure)
{
  static const char here;
  const struct search *search = closure;
  struct findings bound = {0, NULL}, own = {0, NULL};
  struct object object;
  unsigned own_references;

  (void) size;
  for (unsigned k = 0; k < info->dlpi_phnum; k++)
    if (info->dlpi_phdr[k].p_type == PT_LOAD
        && (uintptr_t) &here - info->dlpi_addr - info->dlpi_phdr[k].p_vaddr
             < info->dlpi_phdr[k].p_memsz)
      return 0; /* this object itself */
  if (read_dynamic (info, &object))
    return 0;
  own_references = read_references (search, &object, &bound);
  if (bound.functions)
    write_entry (search->counts, GT_UNREACHED_BOUND, info->dlpi_name, &bound);
  if (gt_is_gsl_path (info->dlpi_name))
    return 0;
  read_definitions (&object, &own);
  if (own.functions > own_references)
    write_entry (search->counts, GT_UNREACHED_OWN, info->dlpi_name, &own);
  return 0;
}

void
gt_note_unreached (struct gt_counts *counts)
{
  struct search search = {.counts = counts};

  dl_iterate_phdr (find_gsl, &search);
  dl_iterate_phdr (look_at, &search);
}
