/* Fuzz target: what gsltune run --count shares with a program, which may write there
   whatever it likes.  An input is what it writes: an area, which of its items, where in
   that, how many bytes, and these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "tuning/report/calls.h"

static const struct gt_counts head
  = {.magic = GT_COUNTS_MAGIC,
     .size_of_slot = sizeof (struct gt_counts_slot),
     .n_functions = GT_N_TAKEN,
     .n_libraries = 8,
     .n_unreached = 4};

/* The sizes of an item, and how many items there are.  */
static const struct
{
  size_t size, n;
} areas[] = {
  {sizeof head, 1},
  {sizeof (struct gt_counts_place), 8},
  {sizeof (struct gt_counts_place), 4},
  {sizeof (struct gt_counts_slot), GT_COUNTS_SLOTS},
};
enum { N_AREAS = sizeof areas / sizeof *areas };

static void
write_there (char *memory, struct gt_fuzz_bytes *bytes)
{
  const unsigned which = gt_fuzz_byte (bytes) % N_AREAS;
  const size_t left = gt_counts_bytes (&head);
  uint16_t item, at;
  size_t begin = 0, n;

  gt_fuzz_take (bytes, &item, sizeof item);
  gt_fuzz_take (bytes, &at, sizeof at);
  n = gt_fuzz_byte (bytes);
  for (unsigned k = 0; k < which; k++)
    begin += areas[k].size * areas[k].n;
  begin += item % areas[which].n * areas[which].size;
  begin += at % areas[which].size;
  gt_fuzz_take (bytes, memory + begin, n < left - begin ? n : left - begin);
}

/* Texts end where they may.  */
#define ENDS(array) (memchr (array, '\0', sizeof (array)) != NULL)

static void
check_texts (const struct gt_counts *counts)
{
  for (uint32_t k = 0; k < counts->n_libraries; k++)
    GT_FUZZ_CHECK (ENDS (gt_counts_libraries (counts)[k].object));
  for (uint32_t k = 0; k < counts->n_unreached; k++)
    GT_FUZZ_CHECK (ENDS (gt_counts_unreached (counts)[k].object)
                   && ENDS (gt_counts_unreached (counts)[k].symbol));
}

static void
show (const struct gt_calls *calls, struct gt_calls_run *run)
{
  FILE *null = gt_fuzz_null ();

  gt_calls_print (calls, run, null);
  GT_FUZZ_CHECK (gt_calls_print_json (calls, run, null) == 0);
}

int
gt_fuzz_calls (const uint8_t *data, size_t size)
{
  static char program[] = "./program";
  char *const words[] = {program, NULL};
  struct gt_fuzz_bytes bytes = {data, data + size};
  char *memory = calloc (1, gt_counts_bytes (&head));
  struct gt_calls_run run = {.program = words, .seconds = 1,
                             .cpu_seconds = 1,
                             .no_gains = "nothing was measured"};
  struct gt_counts *counts;
  struct gt_calls calls;

  GT_FUZZ_CHECK (memory != NULL);
  memcpy (memory, &head, sizeof head);
  while (!gt_fuzz_is_at_end (&bytes))
    write_there (memory, &bytes);
  counts = gt_calls_copy ((const struct gt_counts *) (void *) memory, &head);
  GT_FUZZ_CHECK (counts != NULL);
  GT_FUZZ_CHECK (gt_counts_bytes (counts) == gt_counts_bytes (&head));
  check_texts (counts);
  GT_FUZZ_CHECK (gt_calls_read (counts, &calls) == 0);
  run.counts = counts;
  for (run.is_report = 0; run.is_report < 2; run.is_report++)
    show (&calls, &run);
  gt_calls_clear (&calls);
  free (counts);
  free (memory);
  return 0;
}
