/* What is made up, deterministically, about a kernel's resources and the time
   that a device takes; README.md describes the model.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

namespace softgpu
{
static const double launch_latency = 2.5e-6;
static const double copy_latency = 1.5e-6;
static const double memory_latency = 700e-9;
static const double block_cost = 3e-9;
static const double bus_bandwidth = 25e9;
static const double sector = 32; /* bytes: the least that memory delivers */

struct arithmetic_name
{
  const char *name;
  size_t size;
};

static const arithmetic_name arithmetic_names[] = {
#define X(id, name, ctype, real) {#name, sizeof (ctype)},
  GT_ARITHMETICS (X)
#undef X
};

static size_t
size_of_arithmetic (const std::string &name)
{
  for (const arithmetic_name &known : arithmetic_names)
    if (name == known.name)
      return known.size;
  return 0;
}

/* The last word of NAME, which it loses: "sum_x_f64" gives "f64".  */
static std::string
take_word (std::string *name)
{
  size_t at = name->rfind ('_');
  std::string word = at == std::string::npos ? "" : name->substr (at + 1);

  name->resize (at == std::string::npos ? 0 : at);
  return word;
}

/* Whether a kernel's name ends in an arithmetic and an unroll factor, as
   opposed to an arithmetic alone: u8 and u16 can be either.  */
static bool
is_unrolled (const char *kernel)
{
  std::string name = kernel;
  std::string last = take_word (&name);

  return last.size () > 1 && last[0] == 'u'
         && size_of_arithmetic (take_word (&name)) > 0;
}

size_t
element_size (const char *kernel)
{
  std::string name = kernel;

  if (is_unrolled (kernel))
    take_word (&name);
  size_t size = size_of_arithmetic (take_word (&name));
  return size > 0 ? size : 1;
}

unsigned
unroll_factor (const char *kernel)
{
  std::string name = kernel;

  return is_unrolled (kernel)
           ? (unsigned) strtoul (take_word (&name).c_str () + 1, nullptr, 10)
           : 1;
}

int
register_count (const char *kernel)
{
  return 32 + 2 * (int) unroll_factor (kernel);
}

int
shared_size (const char *)
{
  return 528;
}

/* As the launch bounds of kernels/cuda.  */
int
thread_limit (const char *kernel)
{
  return unroll_factor (kernel) >= 16 ? 512 : 1024;
}

gt_occupancy
occupancy (const gt_gpu &gpu, const char *kernel, int block,
           size_t dynamic_shared)
{
  gt_occupancy_request request;
  gt_occupancy result;

  request.registers_per_thread = register_count (kernel);
  request.shared_per_block = (size_t) shared_size (kernel) + dynamic_shared;
  request.block_size = block;
  gt_occupancy_compute (&gpu.sm, &request, &result);
  return result;
}

static double
bandwidth_of (const gt_gpu &gpu)
{
  double known = gt_gpu_bandwidth (&gpu);

  return known > 0 ? known : 100e9;
}

static double
bytes_moved (const char *kernel, const gt_kernel_args &args)
{
  double step = (double) element_size (kernel)
                * (double) std::max<uint64_t> (args.stride, 1);

  return (double) args.n * std::min (step, sector);
}

static double
bytes_in_flight (const gt_gpu &gpu, const char *kernel, uint64_t blocks,
                 int block, size_t dynamic_shared)
{
  gt_occupancy o = occupancy (gpu, kernel, block, dynamic_shared);
  double resident = std::min ((double) blocks,
                              (double) o.active_blocks * gpu.sms);
  double load = is_unrolled (kernel) ? 16.0 * unroll_factor (kernel)
                                     : (double) element_size (kernel);

  return resident * o.warps_per_block * gpu.sm.warp_size * load;
}

double
launch_time (const gt_gpu &gpu, const char *kernel,
             const gt_kernel_args &args, uint64_t blocks, int block,
             size_t dynamic_shared)
{
  double bandwidth = bandwidth_of (gpu);
  double supply = bytes_in_flight (gpu, kernel, blocks, block, dynamic_shared)
                  / (bandwidth * memory_latency);
  double efficiency = 0.97 * supply / sqrt (1 + supply * supply);

  if (efficiency <= 0)
    return launch_latency;
  return launch_latency + bytes_moved (kernel, args) / (bandwidth * efficiency)
         + (double) blocks * block_cost;
}

double
bus_copy_time (size_t size)
{
  return copy_latency + (double) size / bus_bandwidth;
}

double
device_copy_time (const gt_gpu &gpu, size_t traffic)
{
  return copy_latency + (double) traffic / bandwidth_of (gpu);
}
}
