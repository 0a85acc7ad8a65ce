"""One NumPy contender of the bootstrap benchmark: METHOD VALUES_FILE TASKS CELLS REPLICATES LEVEL.

gather: the loop a researcher writes, a fancy-indexed copy and a mean for each replicate (as rliable and arch do).
counts: the same means as the product of a count matrix and the values on BLAS, in blocks that bound memory.
"""

import json
import resource
import sys
import time

import numpy as np


def resample_by_gather(values, replicates, rng):
    tasks, cells = values.shape
    means = np.empty((replicates, cells))
    for replicate in range(replicates):
        index = rng.integers(0, tasks, tasks)
        means[replicate] = values[index].mean(axis=0)
    return means


def resample_by_counts(values, replicates, rng, block=500):
    tasks, cells = values.shape
    means = np.empty((replicates, cells))
    for first in range(0, replicates, block):
        size = min(block, replicates - first)
        index = rng.integers(0, tasks, (size, tasks))
        index += np.arange(size)[:, None] * tasks
        counts = np.bincount(index.ravel(), minlength=size * tasks).reshape(size, tasks)
        means[first : first + size] = counts.astype(np.float64) @ values / tasks
    return means


def summarize(values, means, level):
    mean = values.mean(axis=0)
    error = means.std(axis=0, ddof=1)
    lower, upper = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    varies = error > 0
    largest = np.max(np.abs(means[:, varies] - mean[varies]) / error[varies], axis=1)
    critical = np.quantile(largest, level)
    band = mean - critical * error, mean + critical * error
    return error, critical, (lower, upper), band


def main():
    method, file, tasks, cells, replicates, level = sys.argv[1:]
    values = np.fromfile(file, dtype=np.float64).reshape(int(tasks), int(cells))
    resample = {"gather": resample_by_gather, "counts": resample_by_counts}[method]
    start, start_cpu = time.perf_counter(), time.process_time()
    means = resample(values, int(replicates), np.random.default_rng(1))
    error, critical, _, _ = summarize(values, means, float(level))
    outcome = {
        "wallSeconds": time.perf_counter() - start,
        "cpuSeconds": time.process_time() - start_cpu,
        "peakMegabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 2**20),
        "criticalValue": float(critical),
        "standardErrors": error.tolist(),
    }
    print(json.dumps(outcome))


main()
