#!/usr/bin/env python3
# Kernel Tuner and gsltune side by side: the same kernel, the sum of doubles by
# grid_stride, tuned by both on a GPU, over the same configurations; how long each takes,
# and how fast the winner of each is, by the clock of either.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
"""Tune the sum of doubles on a GPU with Kernel Tuner and with gsltune.

Needs Python 3.10 or later, kernel-tuner and cuda-python, whose version is that of the CUDA
Toolkit or below the driver's.  With a network:

  python3 -m venv venv && venv/bin/pip install kernel-tuner 'cuda-python==13.0.*'

For a machine without one, what is really imported, 36 MB, is fetched on another machine by

  pip download --no-deps --only-binary :all: --python-version 3.12 \\
      --platform manylinux_2_28_x86_64 --platform manylinux_2_24_x86_64 \\
      --platform manylinux2014_x86_64 -d wheels kernel-tuner 'cuda-bindings==13.0.*' \\
      cuda-pathfinder numpy python-constraint2 jsonschema jsonschema-specifications \\
      referencing rpds-py attrs typing-extensions packaging xmltodict

and installed there by

  python3 -m venv venv && venv/bin/pip install --no-index --no-deps wheels/*.whl

NVRTC is the CUDA Toolkit's: set LD_LIBRARY_PATH to its lib64; or it is in the package
nvidia-cuda-nvrtc (nvidia-cuda-nvrtc-cu12 for CUDA 12), 90 MB.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(HERE)

# Kernel Tuner writes each parameter as a macro before this text: UNROLL, which is no word
# of the headers, and not "unroll", which is one.
KERNEL = """
#include "kernels/cuda/accumulate.cuh"
#include "kernels/cuda/grid_stride.cuh"

extern "C" __global__ void
__launch_bounds__ (GT_THREADS (UNROLL), GT_BLOCKS (UNROLL, GT_FULL))
sum_grid_stride (const double *data, uint64_t n, double *partials,
                 uint32_t *ticket, uint64_t *result)
{
  struct gt_kernel_args args = {};

  args.data = data;
  args.n = n;
  args.stride = 1;
  args.partials = partials;
  args.ticket = ticket;
  args.result = reinterpret_cast<struct gt_result *> (result);
  args.sequence = 1;
  gt::grid_stride<gt::contiguous_units, gt::fast<double>, UNROLL> (args);
}
"""

# NVRTC has no header files; these are all that the kernel's sources ask for.
STDINT = """
#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xfffffffffffffffful
#define INT64_MAX 0x7fffffffffffffffl
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_C(x) x##ul
#define INT64_C(x) x##l
"""
STRING = """
#pragma once
"""


def fail(text):
    sys.exit(f"kernel_tuner.py: {text}")


def imports():
    """The packages, or a message that says which is missing."""
    # This file's folder would hide the package: they have one name.
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
    try:
        import numpy
        import kernel_tuner
        from cuda.bindings import driver, nvrtc
    except ImportError as error:
        fail(f"{error}: see the top of this file for the packages needed")
    return numpy, kernel_tuner, driver, nvrtc


def headers(folder):
    for name, text in (("stdint.h", STDINT), ("string.h", STRING)):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)


def compiler_options(folder):
    # As nvcc is told in kernels/local.mk; the host's functions are left to the host.
    return [f"-I{folder}", f"-I{SOURCES}", "--std=c++17",
            "--device-as-default-execution-space"]


# ------------------------------------------------------------------- The compiler


def check(status):
    if int(status[0]) != 0:
        fail(f"CUDA: {status[0]}")
    return status[1] if len(status) == 2 else None


def compile_only(nvrtc, folder, arch):
    """Compiles the kernel for every unroll factor; needs no GPU."""
    for unroll in (1, 2, 4, 8, 16):
        text = f"#define UNROLL {unroll}\n{KERNEL}"
        program = check(nvrtc.nvrtcCreateProgram(text.encode(), b"sum.cu", 0, [], []))
        options = [o.encode() for o in compiler_options(folder)
                   + [f"--gpu-architecture=sm_{arch}"]]
        status, = nvrtc.nvrtcCompileProgram(program, len(options), options)
        if int(status) != 0:
            log = b" " * check(nvrtc.nvrtcGetProgramLogSize(program))
            nvrtc.nvrtcGetProgramLog(program, log)
            fail(log.decode())
        size = check(nvrtc.nvrtcGetCUBINSize(program))
        print(f"UNROLL {unroll}: {size} bytes for sm_{arch}")


# ------------------------------------------------------------------------ gsltune


def gsltune(args, folder, *words):
    environment = dict(os.environ, GSLTUNE_PROFILE_DIR=folder)
    done = subprocess.run([os.path.join(args.build, "gsltune"), *words], env=environment,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        fail(f"gsltune {' '.join(words)} has failed")
    return json.loads(done.stdout)


def problem_words(args):
    return ["tune", "--device", f"cuda:{args.device}", "--operation", "sum", "--type",
            "double", "--mode", "fast", "--length", str(args.length), "--json"]


def parse(text):
    """(block, unroll, blocks a SM) of "grid_stride 512 u4 2/SM"; else nothing."""
    found = re.fullmatch(r"grid_stride (\d+) u(\d+) (\d+)/SM", text)
    return tuple(map(int, found.groups())) if found else None


def space(args, folder):
    """The configurations of grid_stride that gsltune could launch, and how many other
    candidates its search has."""
    problems = gsltune(args, folder, *problem_words(args), "--dry-run")
    candidates = next(p for p in problems["devices"][0]["problems"]
                      if p["layout"] == "contiguous")["candidates"]
    ours = {parse(c["configuration"]) for c in candidates
            if parse(c["configuration"])
            and not c["verdict"].startswith(("cannot launch", "not available"))}
    return ours, sum(parse(c["configuration"]) is None for c in candidates)


def tune_gsltune(args, folder):
    """Seconds, and the entry of the contiguous problem."""
    begin = time.perf_counter()
    tuned = gsltune(args, folder, *problem_words(args), "--effort", args.effort)
    seconds = time.perf_counter() - begin
    if not tuned["devices"] or not tuned["devices"][0]["folder"]:
        fail("gsltune has tuned nothing: give it more --effort")
    path = os.path.join(tuned["devices"][0]["folder"],
                        tuned["devices"][0]["silicon"] + ".json")
    with open(path, encoding="ascii") as file:
        profile = json.load(file)
    entry = next((e for e in profile["entries"] if e["layout"] == "contiguous"), None)
    if entry is None:
        fail("gsltune has not tuned contiguous data: give it more --effort")
    return seconds, path, profile, entry


# ------------------------------------------------------------------- Kernel Tuner


def expected(numpy, data):
    """The words that the device leaves (kernels/args.h), the sum being a whole number."""
    bits = int(numpy.array([data.sum()]).view(numpy.uint64)[0])
    words = numpy.full(20, 1 << 32, dtype=numpy.uint64)
    words[0] |= numpy.uint64(bits & 0xffffffff)
    words[1] |= numpy.uint64(bits >> 32)
    return words[:4]


NAMES = ("block_size_x", "UNROLL", "blocks_per_sm")


def restrictions_of(values, ours):
    """What of the product of the VALUES gsltune could not launch, each as an expression,
    which is what Kernel Tuner's solver takes."""
    return [" or ".join(f"{name} != {value}" for name, value in zip(NAMES, point))
            for point in itertools.product(*values.values()) if point not in ours]


def tune_kernel_tuner(numpy, kernel_tuner, args, folder, sms, ours, strategy, fevals):
    """Seconds, and the results of a run of STRATEGY."""
    n = args.length
    data = (numpy.arange(n, dtype=numpy.uint32) % 256).astype(numpy.float64)
    words = expected(numpy, data)
    arguments = [data, numpy.uint64(n), numpy.zeros(2 * 32 * sms, numpy.float64),
                 numpy.zeros(1, numpy.uint32), numpy.zeros(20, numpy.uint64)]

    def blocks(p):
        most = -(-n // 2 // (p["block_size_x"] * p["UNROLL"]))
        return max(1, min(most, p["blocks_per_sm"] * sms))

    def is_right(_, result, atol=None):
        return numpy.array_equal(result[4][:4], words)

    values = {name: sorted({o[i] for o in ours}) for i, name in enumerate(NAMES)}
    options = {} if fevals is None else {"max_fevals": fevals}
    begin = time.perf_counter()
    results, _ = kernel_tuner.tune_kernel(
        "sum_grid_stride", KERNEL, blocks, arguments,
        values, restrictions=restrictions_of(values, ours), grid_div_x=[],
        answer=[None, None, None, None, numpy.zeros(20, numpy.uint64)],
        verify=is_right, lang="nvcuda", device=args.device,
        compiler_options=compiler_options(folder), strategy=strategy,
        strategy_options=options, iterations=args.iterations, quiet=True)
    seconds = time.perf_counter() - begin
    return seconds, [r for r in results if isinstance(r.get("time"), float)]


def config_of(result):
    return tuple(result[name] for name in NAMES)


# ----------------------------------------------------------------------- Together


def text_of(config):
    return f"{config[0]} u{config[1]} {config[2]}/SM"


def compare_by_gsltune(args, path, profile, entry, config):
    """What bench/winners says of gsltune's winner and of CONFIG."""
    with tempfile.TemporaryDirectory() as other:
        entry.update(kernel="grid_stride", block=config[0], unroll=config[1],
                     blocks_per_sm=config[2])
        profile["entries"] = [entry]
        with open(os.path.join(other, os.path.basename(path)), "w",
                  encoding="ascii") as file:
            json.dump(profile, file)
        done = subprocess.run(
            [os.path.join(args.build, "bench", "winners"), "--device",
             f"cuda:{args.device}", "--rounds", "51", os.path.dirname(path), other],
            stdout=subprocess.PIPE, text=True, check=False)
    print("\nThe winners by gsltune's clock, bench/winners; first gsltune's, second Kernel"
          " Tuner's:\n\n" + (done.stdout if done.returncode == 0 else "it has failed"))


def sms_of(driver, ordinal):
    try:
        check(driver.cuInit(0))
        device = check(driver.cuDeviceGet(ordinal))
        return check(driver.cuDeviceGetAttribute(
            driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device))
    except RuntimeError as error:
        return fail(f"no GPU can be used: {error}")


def compare(numpy, kernel_tuner, driver, args, folder):
    for program in ("gsltune", "bench/winners"):
        if not os.access(os.path.join(args.build, program), os.X_OK):
            fail(f"there is no {program} in {args.build}: make gsltune bench/winners, and"
                 " name the folder by --build")
    sms = sms_of(driver, args.device)
    ours, others = space(args, folder)
    seconds, path, profile, entry = tune_gsltune(args, folder)
    rows = [("gsltune, effort " + args.effort, seconds, None, None)]
    by_config = {}
    for strategy in args.strategies.split(","):
        fevals = None if strategy == "brute_force" else max(1, len(ours) // 10)
        seconds, results = tune_kernel_tuner(numpy, kernel_tuner, args, folder, sms, ours,
                                             strategy, fevals)
        if not results:
            fail(f"Kernel Tuner, {strategy}: no configuration works")
        best = min(results, key=lambda r: r["time"])
        if strategy == "brute_force":
            by_config = {config_of(r): r["time"] for r in results}
        rows.append((f"Kernel Tuner, {strategy}", seconds, config_of(best), len(results)))
    print(f"Sum of {args.length} doubles, {len(ours)} configurations of grid_stride;"
          f" gsltune searches {others} of other kernels,\nand strided data, in its time,"
          " too.\n")
    print("| tuner | seconds | configurations tried | winner | Kernel Tuner's clock, ms |")
    print("|---|---:|---:|---|---:|")
    winner = (entry.get("block", 0), entry.get("unroll", 1), entry.get("blocks_per_sm", 0))
    for name, seconds, config, tried in rows:
        shown = config or winner
        ours_too = config or entry["kernel"] == "grid_stride"
        clock = by_config.get(shown) if ours_too else None
        kernel = "" if config else entry["kernel"] + " "
        print(f"| {name} | {seconds:.1f} | {tried or entry['candidates']} |"
              f" {kernel}{text_of(shown)} |"
              f" {f'{clock:.4f}' if clock else '-'} |")
    best = rows[1][2]
    compare_by_gsltune(args, path, profile, entry, best)


def main():
    parser = argparse.ArgumentParser(
        prog="kernel_tuner.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=".", help="the build folder (default: this one)")
    parser.add_argument("--device", type=int, default=0, help="number of the GPU (0)")
    parser.add_argument("--length", type=int, default=1 << 26, help="doubles (2^26)")
    parser.add_argument("--effort", default="normal", help="of gsltune (normal)")
    parser.add_argument("--iterations", type=int, default=7,
                        help="of Kernel Tuner, for each configuration (7)")
    parser.add_argument("--strategies", default="brute_force,random_sample,genetic_algorithm",
                        help="of Kernel Tuner; all but brute_force try a tenth of the"
                        " configurations (default: %(default)s)")
    parser.add_argument("--compile-only", metavar="ARCH",
                        help="compile the kernel for ARCH, e.g. 90, and stop: no GPU needed")
    args = parser.parse_args()
    if args.length < 1:
        parser.error("--length must be 1 at least")
    numpy, kernel_tuner, driver, nvrtc = imports()
    with tempfile.TemporaryDirectory() as folder:
        headers(folder)
        if args.compile_only:
            compile_only(nvrtc, folder, args.compile_only)
        else:
            compare(numpy, kernel_tuner, driver, args, folder)


if __name__ == "__main__":
    main()
