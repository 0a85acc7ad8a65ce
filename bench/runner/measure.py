"""What the Python contenders share: the job, and measuring it."""

import json
import os
import pathlib
import resource
import sys
import time

scenario = json.loads((pathlib.Path(__file__).parent / "scenario.json").read_text())
base_url = sys.argv[1]
os.environ["OPENAI_API_KEY"] = "none"

# A thousand connections at once need as many open files.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def observation(room: int) -> str:
    return scenario["observation"].replace("{room}", str(room)).replace("{turns}", str(scenario["turns"]))


def cpu_seconds() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(job) -> None:
    """Runs the job once and prints its cost as one JSON line; imports are over by then."""
    cpu, start = cpu_seconds(), time.perf_counter()
    solved = job()
    cost = {
        "solved": solved,
        "wallSeconds": time.perf_counter() - start,
        "cpuSeconds": cpu_seconds() - cpu,
        "peakMegabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(cost), flush=True)
    os._exit(0)
