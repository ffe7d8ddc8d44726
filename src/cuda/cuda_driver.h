/* The CUDA driver, opened at first need.  The one list of the entry points
   that gsltune uses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_DRIVER_H
#define GT_CUDA_DRIVER_H

#include <cuda.h>
#include <cudaTypedefs.h>

/* X(name, version of the typedef in cudaTypedefs.h).  The version, as in
   12030 for CUDA 12.3, is also what cuGetProcAddress is asked for.  */
#define GT_CUDA_ENTRY_POINTS(X)                   \
  X (cuInit, 2000)                                \
  X (cuDriverGetVersion, 2020)                    \
  X (cuDeviceGetCount, 2000)                      \
  X (cuDeviceGet, 2000)                           \
  X (cuDeviceGetName, 2000)                       \
  X (cuDeviceGetUuid, 11040)                      \
  X (cuDeviceGetAttribute, 2000)                  \
  X (cuDeviceTotalMem, 3020)                      \
  X (cuDeviceGetPCIBusId, 4010)                   \
  X (cuDevicePrimaryCtxRetain, 7000)              \
  X (cuCtxPushCurrent, 4000)                      \
  X (cuCtxPopCurrent, 4000)                       \
  X (cuLinkCreate, 6050)                          \
  X (cuLinkAddData, 6050)                         \
  X (cuLinkAddFile, 6050)                         \
  X (cuLinkComplete, 5050)                        \
  X (cuLinkDestroy, 5050)                         \
  X (cuLibraryLoadData, 12000)                    \
  X (cuLibraryGetKernel, 12000)                   \
  X (cuKernelGetFunction, 12000)                  \
  X (cuKernelGetAttribute, 12000)                 \
  X (cuFuncSetAttribute, 9000)                    \
  X (cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050) \
  X (cuLaunchKernel, 4000)                        \
  X (cuGraphCreate, 10000)                        \
  X (cuGraphAddKernelNode, 12000)                 \
  X (cuGraphInstantiateWithFlags, 11040)          \
  X (cuGraphExecKernelNodeSetParams, 12000)       \
  X (cuGraphLaunch, 10000)                        \
  X (cuGraphExecDestroy, 10000)                   \
  X (cuGraphDestroy, 10000)                       \
  X (cuStreamCreate, 2000)                        \
  X (cuStreamDestroy, 4000)                       \
  X (cuStreamSynchronize, 2000)                   \
  X (cuStreamIsCapturing, 10000)                  \
  X (cuThreadExchangeStreamCaptureMode, 10010)    \
  X (cuMemAlloc, 3020)                            \
  X (cuMemFree, 3020)                             \
  X (cuMemGetInfo, 3020)                          \
  X (cuMemHostAlloc, 2020)                        \
  X (cuMemFreeHost, 2000)                         \
  X (cuMemHostGetDevicePointer, 3020)             \
  X (cuMemHostRegister, 6050)                     \
  X (cuMemHostUnregister, 4000)                   \
  X (cuMemcpyHtoD, 3020)                          \
  X (cuMemcpyDtoH, 3020)                          \
  X (cuMemcpyHtoDAsync, 3020)                     \
  X (cuMemcpyDtoHAsync, 3020)                     \
  X (cuMemcpyDtoDAsync, 3020)                     \
  X (cuMemsetD8Async, 3020)                       \
  X (cuMemAllocManaged, 6000)                     \
  X (cuMemRangeGetAttribute, 8000)                \
  X (cuPointerGetAttribute, 4000)                 \
  X (cuPointerGetAttributes, 7000)                \
  X (cuEventCreate, 2000)                         \
  X (cuEventDestroy, 4000)                        \
  X (cuEventRecord, 2000)                         \
  X (cuEventSynchronize, 2000)                    \
  X (cuEventElapsedTime, 2000)                    \
  X (cuGetErrorName, 6000)                        \
  X (cuGetErrorString, 6000)

struct gt_cuda_driver
{
#define X(name, version) PFN_##name##_v##version name;
  GT_CUDA_ENTRY_POINTS (X)
#undef X
};

/* The driver, opened and initialised once, or null; WHY (may be null) then
   receives the reason as static text.  Thread-safe.  */
const struct gt_cuda_driver *gt_cuda_driver (const char **why);

/* Whether something in this process has loaded the driver, gsltune or
   another: if not, no memory is anything but ordinary.  */
int gt_cuda_driver_loaded (void);

#endif
