/* Figures made up, deterministically, about a kernel's resources and the time
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

/* A kernel's name: ..._ARITHMETIC[_uUNROLL][_bBLOCK].  */
struct traits
{
  size_t element;  /* bytes; 1 when the name ends otherwise */
  unsigned unroll; /* 1 without the word */
  unsigned block;  /* threads that it is compiled for; 0: any number */
};

/* The number in a word such as "u4", from 1 to 1024; else 0.  */
static unsigned
number_after (char letter, const std::string &word)
{
  char *end;

  if (word.size () < 2 || word[0] != letter || word[1] < '1' || word[1] > '9')
    return 0;
  unsigned long number = strtoul (word.c_str () + 1, &end, 10);
  return *end == '\0' && number <= 1024 ? (unsigned) number : 0;
}

/* u8 and u16 are unroll factors behind an arithmetic, else arithmetics.  */
static traits
traits_of (const char *kernel)
{
  std::string rest = kernel;
  std::string word = take_word (&rest);
  unsigned block = number_after ('b', word);

  if (block > 0)
    word = take_word (&rest);
  size_t element = size_of_arithmetic (take_word (&rest));
  unsigned unroll = number_after ('u', word);
  if (element > 0 && unroll > 0)
    return {element, unroll, block};
  element = size_of_arithmetic (word);
  if (element > 0)
    return {element, 1, block};
  return {1, 1, 0};
}

size_t
element_size (const char *kernel)
{
  return traits_of (kernel).element;
}

int
register_count (const char *kernel)
{
  return std::min (32 + 2 * (int) traits_of (kernel).unroll, 255);
}

int
shared_size (const char *)
{
  return 528;
}

/* Whether KERNEL's name, behind that of the reduction, begins with NAME.  */
static bool
is_named (const char *kernel, const char *name)
{
  const char *behind = strchr (kernel, '_');

  return behind != NULL && strncmp (behind + 1, name, strlen (name)) == 0;
}

/* As the launch bounds of kernels/cuda.  */
int
thread_limit (const char *kernel)
{
  traits t = traits_of (kernel);

  if (t.block > 0)
    return (int) t.block;
  return t.unroll >= 16 || is_named (kernel, "exact_window")
             || is_named (kernel, "exact_bins")
             || is_named (kernel, "exact_words") ? 512 : 1024;
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

/* Bytes that a thread loads at once.  */
static double
load_size (const char *kernel)
{
  static const char *const wide[] = {"grid_stride_", "cluster_", "exact_"};
  traits t = traits_of (kernel);

  for (const char *name : wide)
    if (is_named (kernel, name))
      return 16.0 * t.unroll;
  return (double) (t.element * t.unroll);
}

static double
bytes_in_flight (const gt_gpu &gpu, const char *kernel, uint64_t blocks,
                 int block, size_t dynamic_shared)
{
  gt_occupancy o = occupancy (gpu, kernel, block, dynamic_shared);
  double resident = std::min ((double) blocks,
                              (double) o.active_blocks * gpu.sms);

  return resident * o.warps_per_block * gpu.sm.warp_size
         * load_size (kernel);
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
