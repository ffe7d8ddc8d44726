/* Shared by the fuzz targets.  A target is a function that is given any bytes, as
   libFuzzer's LLVMFuzzerTestOneInput is, and ends the process when a promise does not
   hold.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FUZZ_H
#define GT_FUZZ_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int gt_fuzz_function (const uint8_t *data, size_t size);

struct gt_fuzz_target
{
  const char *name;
  gt_fuzz_function *run;
  size_t most; /* bytes: longer inputs find nothing more */
  int leaks;   /* it leaves by longjmp, so what it allocated is lost */
};

#define TARGET(name, most, leaks) gt_fuzz_function gt_fuzz_##name;
#include "tests/fuzz/targets.def"
#undef TARGET

/* Ends the process with a message unless CONDITION holds.  */
#define GT_FUZZ_CHECK(condition) \
  ((condition) ? (void) 0 : gt_fuzz_fail (__FILE__, __LINE__, #condition))
_Noreturn void gt_fuzz_fail (const char *file, int line, const char *what);

/* Memory for what cannot go on without it.  */
void *gt_fuzz_allocate (size_t bytes);

/* The path of a file, gone when the process ends, that holds these bytes.  The same file
   at every call with the same number.  */
enum { GT_FUZZ_FILES = 3 };
const char *gt_fuzz_file (unsigned which, const void *data, size_t size);

/* A message to users is one line of letters.  */
void gt_fuzz_check_words (const char *words);

/* Where output goes that nobody reads.  */
struct _IO_FILE *gt_fuzz_null (void);

/* --------------------------------------------- Taking numbers off an input */

struct gt_fuzz_bytes
{
  const uint8_t *at, *end;
};

/* Copies the next N bytes, zeros once there are no more.  */
void gt_fuzz_take (struct gt_fuzz_bytes *bytes, void *to, size_t n);

/* All bytes that are left, ended by a null byte.  */
char *gt_fuzz_rest (struct gt_fuzz_bytes *bytes);

static inline uint8_t
gt_fuzz_byte (struct gt_fuzz_bytes *bytes)
{
  return bytes->at < bytes->end ? *bytes->at++ : 0;
}

static inline int
gt_fuzz_is_at_end (const struct gt_fuzz_bytes *bytes)
{
  return bytes->at == bytes->end;
}

/* ----------------------------------------------------------------- Running */

/* Runs TARGET once.  */
void gt_fuzz_call (const struct gt_fuzz_target *target, const uint8_t *data,
                   size_t size);

/* The same.  Whatever takes more than GT_FUZZ_SLOW times as long as usual ends
   the process: gt_fuzz_usual is told of inputs that are usual, and until it was nothing
   is slow.  */
#define GT_FUZZ_SLOW 10
void gt_fuzz_run (const struct gt_fuzz_target *target, const uint8_t *data,
                  size_t size);
void gt_fuzz_usual (const struct gt_fuzz_target *target, const uint8_t *data,
                    size_t size);

/* The slowest input so far, in units of what is usual for its size.  */
double gt_fuzz_slowest (void);

/* The input that is being run, for what reports the end of the process.  */
extern const uint8_t *gt_fuzz_input;
extern size_t gt_fuzz_input_size;

/* ---------------------------------------------------------------- Mutating */

/* Inputs in memory.  */
struct gt_fuzz_corpus
{
  struct gt_fuzz_entry
  {
    uint8_t *data;
    size_t size;
  } *entry;
  size_t n;
};

/* Reads a file, if it can be read.  Returns 0 or -1.  */
int gt_fuzz_read (struct gt_fuzz_entry *entry, const char *path);

/* Reads the files of the folder at PATH whose names begin with PREFIX, in the order of
   their names; what is not there is empty.  */
void gt_fuzz_read_corpus (struct gt_fuzz_corpus *corpus, const char *path,
                          const char *prefix);
void gt_fuzz_clear_corpus (struct gt_fuzz_corpus *corpus);

/* Writes to OUT, of MOST bytes, something like an entry of CORPUS, which is not empty,
   and returns its size.  The same of the same SEED, which goes on.  */
size_t gt_fuzz_mutate (const struct gt_fuzz_corpus *corpus, uint64_t *seed,
                       uint8_t *out, size_t most);

#endif
