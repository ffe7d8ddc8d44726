# Reads what `gsltune profile export --format' has written with Kernel Tuner's own
# reader and schemas, and plays its brute force and another strategy on it.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.
#
# read_exports.py probe                exit status 0: Kernel Tuner is there
# read_exports.py read CACHE RESULTS   what is wrong with a file of each format

import json
import sys

try:
    import jsonschema
    import kernel_tuner
    from kernel_tuner import file_utils, util
except ImportError as error:
    print(error)
    sys.exit(77)


def read_cache(path):
    """The cache, as Kernel Tuner reads it, and the best time in it."""
    cache = util.read_cache(path, open_cache=False)
    values = cache["tune_params"]
    points = 1
    for key in cache["tune_params_keys"]:
        points *= len(values[key])
    assert len(cache["cache"]) == points, "the product is not complete"
    right = [e for e in cache["cache"].values() if "__error__" not in e]
    assert right, "nothing works"
    for entry in right:
        assert len(entry["times"]) >= 7, "repeats are missing"
        assert min(entry["times"]) <= entry["time"] <= max(entry["times"])
    return cache, min(e["time"] for e in right)


def simulate(path, cache, strategy):
    """The best time that STRATEGY finds on the cache."""
    results, _ = kernel_tuner.tune_kernel(
        cache["kernel_name"], "", tuple(cache["problem_size"]), [],
        cache["tune_params"], strategy=strategy, simulation_mode=True,
        cache=path, quiet=True, verbose=False, lang="C")
    return min(r["time"] for r in results if isinstance(r["time"], float))


def read_results(path, cache, best):
    """T4 by its schema, and the same as CACHE."""
    with open(path) as stream:
        results = json.load(stream)
    _, schema = file_utils.output_file_schema("results")
    jsonschema.validate(results, schema)
    assert len(results["results"]) == len(cache["cache"])
    right = [r for r in results["results"] if r["invalidity"] == "correct"]
    times = [m["value"] for r in right for m in r["measurements"]
             if m["name"] == "time"]
    assert len(times) == len(right) and min(times) == best


if sys.argv[1] == "read":
    found, least = read_cache(sys.argv[2])
    assert simulate(sys.argv[2], found, "brute_force") == least
    simulate(sys.argv[2], found, "random_sample")
    read_results(sys.argv[3], found, least)
    print("read by Kernel Tuner", file_utils.version("kernel_tuner"))
