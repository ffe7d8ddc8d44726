/* A simple mutator, for where there is no libFuzzer: a few changes to an input that there
   is, and pieces of others put in.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/exact.h"

/* ------------------------------------------------------------------ Corpus */

static int
is_input (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

int
gt_fuzz_read (struct gt_fuzz_entry *entry, const char *path)
{
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat file;
  int failed;

  if (fd < 0)
    return -1;
  failed = fstat (fd, &file) != 0;
  entry->size = failed ? 0 : (size_t) file.st_size;
  entry->data = gt_fuzz_allocate (entry->size);
  failed |= read (fd, entry->data, entry->size) != (ssize_t) entry->size;
  close (fd);
  return failed ? -1 : 0;
}

void
gt_fuzz_read_corpus (struct gt_fuzz_corpus *corpus, const char *path,
                     const char *prefix)
{
  struct dirent **names;
  const int n = scandir (path, &names, is_input, alphasort);
  char file[4096];

  *corpus = (struct gt_fuzz_corpus) {NULL, 0};
  if (n <= 0)
    return;
  corpus->entry = gt_fuzz_allocate ((size_t) n * sizeof *corpus->entry);
  for (int i = 0; i < n; i++)
    {
      snprintf (file, sizeof file, "%s/%s", path, names[i]->d_name);
      if (strncmp (names[i]->d_name, prefix, strlen (prefix)) == 0)
        GT_FUZZ_CHECK (gt_fuzz_read (&corpus->entry[corpus->n++], file) == 0);
      free (names[i]);
    }
  free (names);
}

void
gt_fuzz_clear_corpus (struct gt_fuzz_corpus *corpus)
{
  for (size_t i = 0; i < corpus->n; i++)
    free (corpus->entry[i].data);
  free (corpus->entry);
  *corpus = (struct gt_fuzz_corpus) {NULL, 0};
}

/* ----------------------------------------------------------------- Changes */

/* At most MOST; small numbers are as likely as all others.  */
static size_t
random_size (uint64_t *seed, size_t most)
{
  const size_t bound = random_word (seed) % 2 || most < 16 ? most : 16;

  return (size_t) (random_word (seed) % (bound + 1));
}

struct input
{
  uint8_t *data;
  size_t size, most;
};

/* Replaces N bytes at AT by the LENGTH bytes at BY, as far as there is room.  */
static void
replace (struct input *in, size_t at, size_t n, const uint8_t *by,
         size_t length)
{
  const size_t tail = in->size - at - n;

  if (at + length + tail > in->most)
    return;
  memmove (in->data + at + length, in->data + at + n, tail);
  if (length)
    memcpy (in->data + at, by, length);
  in->size = at + length + tail;
}

static void
change_bit (struct input *in, uint64_t *seed)
{
  const uint64_t bit = random_word (seed) % (8 * in->size);

  in->data[bit / 8] ^= (uint8_t) (1u << bit % 8);
}

static void
change_byte (struct input *in, uint64_t *seed)
{
  static const uint8_t bytes[] = "\0\1\177\200\377 \n\"\\{}[]:,-+.eE0179#xXnN";
  const uint64_t word = random_word (seed);
  const size_t at = (size_t) (random_word (seed) % in->size);

  in->data[at] = word & 1 ? bytes[(word >> 8) % (sizeof bytes - 1)]
                          : (uint8_t) (word >> 8);
}

/* A number of 1, 2, 4 or 8 bytes where bounds are.  */
static void
change_number (struct input *in, uint64_t *seed)
{
  static const uint64_t numbers[]
    = {0, 1, INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX,
       UINT32_MAX, INT64_MAX, UINT64_MAX, (uint64_t) 1 << 63,
       (uint64_t) 1 << 62, (uint64_t) 1 << 30, (uint64_t) 1 << 48};
  const size_t n = (size_t) 1 << random_word (seed) % 4;
  uint64_t number
    = numbers[random_word (seed) % (sizeof numbers / sizeof *numbers)];

  number += random_word (seed) % 3 - 1;
  if (n <= in->size)
    memcpy (in->data + random_word (seed) % (in->size - n + 1), &number, n);
}

static void
remove_piece (struct input *in, uint64_t *seed)
{
  const size_t at = (size_t) (random_word (seed) % in->size);

  replace (in, at, random_size (seed, in->size - at), NULL, 0);
}

static void
repeat_piece (struct input *in, uint64_t *seed)
{
  const size_t from = (size_t) (random_word (seed) % in->size);
  const size_t n = random_size (seed, in->size - from);
  uint8_t *piece = gt_fuzz_allocate (n);

  memcpy (piece, in->data + from, n);
  for (uint64_t k = random_word (seed) % 8; k > 0; k--)
    replace (in, random_size (seed, in->size), 0, piece, n);
  free (piece);
}

static void
insert_bytes (struct input *in, uint64_t *seed)
{
  uint64_t word = random_word (seed);

  if (random_word (seed) % 2) /* digits */
    word = 0x3030303030303030 | (word & 0x0707070707070707);
  replace (in, random_size (seed, in->size), 0, (const uint8_t *) &word,
           1 + random_word (seed) % 8);
}

static void (*const changes[]) (struct input *in, uint64_t *seed)
  = {change_bit,   change_byte,  change_byte, change_number,
     remove_piece, repeat_piece, insert_bytes};
#define N_CHANGES (sizeof changes / sizeof *changes)

static const struct gt_fuzz_entry *
any_entry (const struct gt_fuzz_corpus *corpus, uint64_t *seed)
{
  return &corpus->entry[random_word (seed) % corpus->n];
}

/* A piece of another input in the place of one of this.  */
static void
put_piece (struct input *in, const struct gt_fuzz_entry *other, uint64_t *seed)
{
  const size_t from = random_size (seed, other->size);
  const size_t at = random_size (seed, in->size);

  replace (in, at, random_size (seed, in->size - at), other->data + from,
           random_size (seed, other->size - from));
}

size_t
gt_fuzz_mutate (const struct gt_fuzz_corpus *corpus, uint64_t *seed,
                uint8_t *out, size_t most)
{
  const struct gt_fuzz_entry *entry = any_entry (corpus, seed);
  struct input in = {out, entry->size < most ? entry->size : most, most};

  memcpy (out, entry->data, in.size);
  for (uint64_t k = 1 + random_word (seed) % 6; k > 0; k--)
    if (in.size == 0 || random_word (seed) % 8 == 0)
      put_piece (&in, any_entry (corpus, seed), seed);
    else
      changes[random_word (seed) % N_CHANGES](&in, seed);
  return in.size;
}
