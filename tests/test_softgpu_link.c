/* The soft GPU's linker: what it refuses, as a driver does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "tests/unit.h"

#include "tests/softgpu/testing.h"

static int
run (void (*body) (void), const char *setting)
{
  int status = testing_run (body, SETTINGS ("SOFTGPU_LEAKS=1", setting));

  remove (testing_path ("lib.a"));
  return status;
}

/* A fat binary of nothing.  */
static unsigned char fat[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0,
                              8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

static CUresult
add_fat (CUlinkState link, size_t size)
{
  return cuLinkAddData (link, CU_JIT_INPUT_FATBINARY, fat, size, "name", 0,
                        NULL, NULL);
}

static CUresult
add_library (CUlinkState link, const char *path)
{
  return cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, path, 0, NULL, NULL);
}

/* An archive in the folder of recordings.  */
static const char *
archive (const char *text)
{
  const char *path = testing_path ("lib.a");
  FILE *file = fopen (path, "w");

  CHECK (file != NULL && fputs (text, file) >= 0 && fclose (file) == 0);
  return path;
}

static void
link_all (void)
{
  char log[100];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *) (uintptr_t) sizeof log};
  struct testing_gpu gpu = testing_open ();
  CUlibrary library;
  CUlinkState link;
  void *cubin = NULL;
  size_t size = 0;

  CHECK_OK (cuLinkCreate (2, options, values, &link));
  CHECK_OK (add_fat (link, sizeof fat));
  CHECK_OK (add_library (link, archive ("!<arch>\n")));
  CHECK_OK (cuLinkComplete (link, &cubin, &size));
  CHECK (cubin != NULL && size > 4 && memcmp (cubin, "\177ELF", 4) == 0);
  CHECK_OK (cuLibraryLoadData (&library, cubin, NULL, NULL, 0, NULL, NULL, 0));
  CHECK_OK (cuLinkDestroy (link));
  CHECK_OK (cuLibraryUnload (library));
  testing_close (&gpu);
}

static void
refuse_all (void)
{
  struct testing_gpu gpu = testing_open ();
  CUjit_option option = CU_JIT_ERROR_LOG_BUFFER;
  CUlinkState link;
  void *cubin;
  size_t size;

  CHECK_CODE (cuLinkCreate (0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuLinkCreate (1, &option, NULL, &link),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuLinkCreate (0, NULL, NULL, &link));
  CHECK_CODE (cuLinkComplete (link, &cubin, &size), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (cuLinkAddData (link, CU_JIT_INPUT_FATBINARY, NULL, 24, "", 0,
                             NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (add_fat (link, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (add_fat (link, sizeof fat - 1), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (add_fat (link, 3), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (cuLinkAddData (link, (CUjitInputType) 99, fat, sizeof fat, "", 0,
                             NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (add_library (link, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (add_library (link, "/nonexistent/libcudadevrt.a"),
              CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CODE (add_library (link, archive ("no archive")),
              CUDA_ERROR_INVALID_IMAGE);
  CHECK_OK (add_fat (link, sizeof fat));
  CHECK_CODE (cuLinkComplete (link, NULL, &size), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuLinkComplete (link, &cubin, NULL));
  CHECK_CODE (add_fat (link, sizeof fat), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuLinkDestroy (link));
  CHECK_CODE (cuLinkDestroy (link), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (add_fat (link, sizeof fat), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (cuLinkComplete (link, &cubin, &size), CUDA_ERROR_INVALID_HANDLE);
  testing_close (&gpu);
  CHECK_CODE (cuLinkCreate (0, NULL, NULL, &link), CUDA_ERROR_INVALID_CONTEXT);
}

static void
leave_one (void)
{
  struct testing_gpu gpu = testing_open ();
  CUlinkState link;

  CHECK_OK (cuLinkCreate (0, NULL, NULL, &link));
  CHECK (gpu.context != NULL);
}

TEST (links)
{
  if (run (link_all, "A=") != 0)
    fail_msg ("%s", testing_errors);
}

TEST (refusals)
{
  if (run (refuse_all, "A=") != 0)
    fail_msg ("%s", testing_errors);
}

TEST (leaks)
{
  assert_int_equal (run (leave_one, "A="), 99);
  assert_non_null (strstr (testing_errors, "leaked 1 links"));
}

/* Each call fails when that is asked for.  */
TEST (failures)
{
  static const char *const settings[]
    = {"SOFTGPU_FAIL=cuLinkCreate:1=2", "SOFTGPU_FAIL=cuLinkAddData:1=2",
       "SOFTGPU_FAIL=cuLinkAddFile:1=2", "SOFTGPU_FAIL=cuLinkComplete:1=2",
       "SOFTGPU_FAIL=cuLinkDestroy:1=2"};

  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    {
      assert_int_not_equal (run (link_all, settings[i]), 0);
      if (strstr (testing_errors, " gives 2, not 0") == NULL)
        fail_msg ("%s: %s", settings[i], testing_errors);
    }
}

RUN_TESTS (testing_set_up, testing_tear_down)
