/* Shared by the tests of the soft GPU: each case runs in a child process, with
   its own environment, on a device recorded for it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_TESTING_H
#define GT_SOFTGPU_TESTING_H

#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit.h"

#include "kernels/args.h"

/* In a child: says what did not hold, and ends it.  */
#define CHECK(condition)                                                  \
  do                                                                      \
    if (!(condition))                                                     \
      testing_failed (__FILE__, __LINE__, #condition);                    \
  while (0)
#define CHECK_OK(call) CHECK_CODE (call, CUDA_SUCCESS)
#define CHECK_CODE(call, expected)                                        \
  testing_check_code (__FILE__, __LINE__, #call, call, expected)

_Noreturn void testing_failed (const char *file, int line, const char *what);
void testing_check_code (const char *file, int line, const char *what,
                         CUresult code, CUresult expected);

/* Writes the recording: one.json is an H200 in small (4 SMs).  Group set-up and tear-down for
   cmocka.  */
int testing_set_up (void **state);
int testing_tear_down (void **state);

/* The path of a file in the folder of recordings; static storage.  */
const char *testing_path (const char *name);

/* Runs BODY in a child whose environment also has SETTINGS, "NAME=value" words
   up to a null pointer.  SOFTGPU_DEVICE names one.json unless set.  Returns
   the exit status, or 256 plus the signal.  What it printed on standard error
   is in testing_errors.  */
int testing_run (void (*body) (void), const char *const *settings);
extern char testing_errors[4096];
#define SETTINGS(...) ((const char *const[]) {__VA_ARGS__, NULL})

static inline void
expect_passed (void (*body) (void), const char *const *settings)
{
  if (testing_run (body, settings) != 0)
    fail_msg ("%s", testing_errors);
}

/* A test that is one body, with settings or NULL.  */
#define PASSING(name, ...)                                                \
  static void name (void);                                                \
  TEST (test_##name)                                                      \
  {                                                                       \
    expect_passed (name, SETTINGS (__VA_ARGS__));                         \
  }                                                                       \
  static void name (void)

/* A current context and a loaded library.  */
struct testing_gpu
{
  CUcontext context;
  CUlibrary library;
};
struct testing_gpu testing_open (void);
void testing_close (struct testing_gpu *gpu);

CUfunction testing_kernel (struct testing_gpu *gpu, const char *name);
/* Launches GRID x BLOCK threads of NAME on the default stream.  */
CUresult testing_launch (struct testing_gpu *gpu, const char *name,
                         unsigned grid, unsigned block,
                         const struct gt_kernel_args *args);
/* Device memory of SIZE bytes.  */
void *testing_alloc (size_t size);
void testing_free (void *memory);

/* Runs a sample with argument N that may write eight words a thread, on a
   counter of 0.  Returns the words.  */
unsigned *testing_words (struct testing_gpu *gpu, const char *name,
                         unsigned grid, unsigned block, uint64_t n,
                         CUresult expected);

#endif
