/* Tests of tuning/measure/elf.c: what a program's file says, and files that lie.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <link.h>

#include "tests/unit.h"

#include "tuning/measure/elf.h"

/* The bytes of this program's own file.  */
static unsigned char *bytes;
static size_t n_bytes;

FIXTURE (read_own)
{
  FILE *file = fopen ("/proc/self/exe", "r");

  assert_non_null (file);
  assert_int_equal (fseek (file, 0, SEEK_END), 0);
  n_bytes = (size_t) ftell (file);
  rewind (file);
  bytes = malloc (n_bytes);
  assert_non_null (bytes);
  assert_int_equal (fread (bytes, 1, n_bytes, file), n_bytes);
  return fclose (file);
}

FIXTURE (free_own)
{
  free (bytes);
  return 0;
}

/* Opens a file of the first N of BYTES.  */
static struct gt_elf *
open_bytes (const void *data, size_t n)
{
  char path[] = "/tmp/gsltune-test.XXXXXX";
  const int fd = mkstemp (path);
  struct gt_elf *elf;

  assert_true (fd >= 0);
  assert_int_equal (write (fd, data, n), (ssize_t) n);
  elf = gt_elf_open (path);
  close (fd);
  unlink (path);
  return elf;
}

__attribute__ ((noinline)) static uintptr_t
here (void)
{
  return (uintptr_t) __builtin_return_address (0);
}

static int
find_base (struct dl_phdr_info *info, size_t size, void *base)
{
  (void) size;
  *(uintptr_t *) base = info->dlpi_addr; /* the first is the program */
  return 1;
}

static int
is_main (const char *name)
{
  return strcmp (name, "main") == 0;
}

TEST (own_file)
{
  struct gt_elf *elf = gt_elf_open ("/proc/self/exe");
  const char *example = NULL, *name;
  uintptr_t base = 0;

  assert_non_null (elf);
  assert_true (elf->is_native);
  assert_non_null (elf->loader);
  assert_int_equal (gt_elf_defines (elf, is_main, &example), 1);
  assert_string_equal (example, "main");
  dl_iterate_phdr (find_base, &base);
  if (((const ElfW (Ehdr) *) (const void *) bytes)->e_type == ET_DYN)
    {
      name = gt_elf_function (elf, here () - base);
      assert_non_null (name);
      assert_string_equal (name, "own_file");
    }
  assert_null (gt_elf_function (elf, UINT64_MAX / 2));
  assert_null (gt_elf_function (elf, 0));
  gt_elf_close (elf);
}

TEST (no_files)
{
  assert_null (gt_elf_open ("/nonexistent"));
  assert_null (gt_elf_open ("/tmp"));
  assert_null (gt_elf_open ("/dev/null"));
  assert_null (open_bytes ("#!/bin/sh\n", 10));
  assert_null (open_bytes (bytes, 20));
}

TEST (another_machine)
{
  ElfW (Ehdr) header;
  struct gt_elf *elf;

  memcpy (&header, bytes, sizeof header);
  header.e_machine ^= 1;
  elf = open_bytes (&header, sizeof header);
  assert_non_null (elf);
  assert_false (elf->is_native);
  assert_null (elf->loader);
  gt_elf_close (elf);
}

/* Whatever is cut off or spoilt, nothing is read that is not there.  */
TEST (broken_files)
{
  ElfW (Ehdr) *header = (void *) bytes;
  const ElfW (Ehdr) good = *header;
  const char *example;
  uint64_t seed = 1;

  for (size_t n = sizeof good; n < n_bytes; n += n_bytes / 37 + 1)
    gt_elf_close (open_bytes (bytes, n));
  for (unsigned k = 0; k < 400; k++)
    {
      unsigned char *const part
        = k % 2 ? bytes : bytes + good.e_shoff;
      const size_t size
        = k % 2 ? sizeof good : good.e_shnum * sizeof (ElfW (Shdr));
      unsigned char *at;
      unsigned char saved;
      struct gt_elf *elf;

      seed = seed * 6364136223846793005u + 1442695040888963407u;
      at = part + (seed >> 33) % size;
      saved = *at;
      *at = (unsigned char) (seed >> 56);
      elf = open_bytes (bytes, n_bytes);
      if (elf)
        {
          gt_elf_defines (elf, is_main, &example);
          gt_elf_function (elf, seed >> 40);
        }
      gt_elf_close (elf);
      *at = saved;
    }
}

RUN_TESTS (read_own, free_own)
