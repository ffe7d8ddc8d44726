/* The entry points that link kernels at run time.  Nothing is linked here, since
   kernels are found by name; what a driver refuses of what it is given is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <stdio.h>

namespace softgpu
{
/* How a fat binary begins: these, then the bytes that follow the header.  */
struct fat_header
{
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;
};
static const uint32_t fat_magic = 0xba55ed50;

static bool
is_fat_binary (const void *data, size_t size)
{
  fat_header header;

  if (size < sizeof header)
    return false;
  memcpy (&header, data, sizeof header);
  return header.magic == fat_magic && header.header_size <= size
         && header.size == size - header.header_size;
}

static bool
is_archive (FILE *file)
{
  char begin[8];

  return fread (begin, 1, sizeof begin, file) == sizeof begin
         && memcmp (begin, "!<arch>\n", sizeof begin) == 0;
}

/* The options come in two lists.  */
static bool
are_options (unsigned count, const void *options, const void *values)
{
  return count == 0 || (options && values);
}

static bool
is_link (CUlinkState link)
{
  return the ().links.count (link) && link->context == current_context ();
}

static CUresult
create (CUlinkState *link)
{
  *link = new CUlinkState_st{current_context ()};
  the ().links.insert (*link);
  return CUDA_SUCCESS;
}

/* Whether an input may be added: none, once the link is complete.  */
static CUresult
check_input (CUlinkState link, int type, bool is_given)
{
  if (!is_link (link))
    return CUDA_ERROR_INVALID_HANDLE;
  return link->cubin.empty () && is_given && type >= 0
             && type < CU_JIT_NUM_INPUT_TYPES
           ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
add_data (CUlinkState link, int type, const void *data, size_t size)
{
  CUresult code = check_input (link, type, data && size > 0);

  if (code != CUDA_SUCCESS)
    return code;
  if (type == CU_JIT_INPUT_FATBINARY && !is_fat_binary (data, size))
    return CUDA_ERROR_INVALID_IMAGE;
  link->inputs++;
  return CUDA_SUCCESS;
}

static CUresult
add_file (CUlinkState link, int type, const char *path)
{
  CUresult code = check_input (link, type, path != nullptr);
  FILE *file = code == CUDA_SUCCESS ? fopen (path, "rb") : nullptr;

  if (!file)
    return code == CUDA_SUCCESS ? CUDA_ERROR_FILE_NOT_FOUND : code;
  bool sound = type != CU_JIT_INPUT_LIBRARY || is_archive (file);
  fclose (file);
  if (!sound)
    return CUDA_ERROR_INVALID_IMAGE;
  link->inputs++;
  return CUDA_SUCCESS;
}

static CUresult
complete (CUlinkState link, void **cubin, size_t *size)
{
  if (!is_link (link))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!cubin)
    return CUDA_ERROR_INVALID_VALUE;
  if (link->inputs == 0)
    return CUDA_ERROR_INVALID_IMAGE;
  link->cubin = "\177ELF, linked";
  *cubin = &link->cubin[0];
  if (size)
    *size = link->cubin.size ();
  return CUDA_SUCCESS;
}

static CUresult
destroy (CUlinkState link)
{
  if (!is_link (link))
    return CUDA_ERROR_INVALID_HANDLE;
  the ().links.erase (link);
  delete link;
  return CUDA_SUCCESS;
}
}

using namespace softgpu;

CUresult CUDAAPI
cuLinkCreate (unsigned count, CUjit_option *options, void **values,
              CUlinkState *link)
{
  return call (ENTRY_cuLinkCreate, NEED_CONTEXT, [&] {
    return link && are_options (count, options, values)
             ? create (link) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI
cuLinkAddData (CUlinkState link, CUjitInputType type, void *data, size_t size,
               const char *, unsigned count, CUjit_option *options,
               void **values)
{
  return call (ENTRY_cuLinkAddData, NEED_CONTEXT, [&] {
    return are_options (count, options, values)
             ? add_data (link, number_of (type), data, size)
             : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI
cuLinkAddFile (CUlinkState link, CUjitInputType type, const char *path,
               unsigned count, CUjit_option *options, void **values)
{
  return call (ENTRY_cuLinkAddFile, NEED_CONTEXT, [&] {
    return are_options (count, options, values)
             ? add_file (link, number_of (type), path)
             : CUDA_ERROR_INVALID_VALUE;
  });
}

ENTRY (cuLinkComplete, NEED_CONTEXT,
       (CUlinkState link, void **cubin, size_t *size),
       complete, link, cubin, size)
ENTRY (cuLinkDestroy, NEED_CONTEXT, (CUlinkState link), destroy, link)
