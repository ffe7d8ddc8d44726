/* The memory that a program which calls one function holds for it, in bytes: what is
   allocated, and what is written of libgsltune's data, beyond what it held before its first
   call.  tests/test_memory.sh runs it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "gsltune.h"

#define N ((size_t) 1 << 20)
static double x[N];

/* Bytes of the library's data, initialised and not, in pages that this process has
   written.  What is not initialised follows in a mapping without a name.  */
static size_t
written (void)
{
  FILE *maps = fopen ("/proc/self/smaps", "r");
  unsigned long begin, end, last = 0, kib;
  char line[4096], rights[8];
  size_t bytes = 0;
  int ours = 0;

  while (maps && fgets (line, sizeof line, maps))
    if (sscanf (line, "%lx-%lx %7s", &begin, &end, rights) == 3)
      {
        const int named = strchr (line, '/') || strchr (line, '[');

        ours = strstr (line, "/libgsltune.so") || (ours && !named && begin == last);
        last = end;
      }
    else if (ours && rights[1] == 'w' && sscanf (line, "Private_Dirty: %lu", &kib) == 1)
      bytes += (size_t) kib << 10;
  if (maps)
    fclose (maps);
  return bytes;
}

static size_t
held (void)
{
  const size_t bytes = written ();

  return bytes + mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
}

int
main (void)
{
  double sum = 0;
  size_t before;

  memset (x, 0, sizeof x);
  setvbuf (stdout, NULL, _IONBF, 0);
  held ();
  before = held ();
  for (int round = 0; round < 3; round++)
    for (size_t n = 1; n <= N; n += n / 8 + 1)
      {
        const gsl_vector v = {n, 1, x, NULL, 0};

        sum += gsltune_vector_sum (&v);
      }
  printf ("%zu\n", held () - before);
  return written () == 0 || sum != 0;
}
