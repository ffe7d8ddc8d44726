/* Launching kernels from a kernel.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_TAIL_LAUNCH_CUH
#define GT_KERNELS_TAIL_LAUNCH_CUH

/* Launches KERNEL, which takes a struct gt_kernel_args, once this grid and what
   it wrote are complete; the host sees one launch.  The file then needs a device
   link (nvcc -rdc=true).  */
#ifdef GT_SOFTGPU
#define GT_TAIL_LAUNCH(kernel, grid, block, args) softgpu::tail_launch (kernel, grid, block, args)
#else
#define GT_TAIL_LAUNCH(kernel, grid, block, args) kernel<<<grid, block, 0, cudaStreamTailLaunch>>> (args)
#endif

#endif
