"""The same import as a researcher would write it: json in, turns translated and checked, records out, durable."""

import hashlib
import json
import os
import resource
import sys
import time

BATCH_BYTES = 2 * 1024 * 1024
NOTES = ["A turn is one assistant message with the messages before it since the last one."]


def parse_call(call):
    function = call["function"]
    parsed = {"id": call["id"], "name": function["name"]}
    try:
        arguments = json.loads(function["arguments"])
        if isinstance(arguments, dict):
            parsed["arguments"] = arguments
            return parsed
    except ValueError:
        pass
    parsed["rawArguments"] = function["arguments"]
    return parsed


def take_observation(shown):
    texts, parts, results = [], [], []
    for message in shown:
        if message["role"] == "tool":
            results.append({"callId": message["tool_call_id"], "text": message["content"]})
        else:
            texts.append(message["content"])
            parts.append({"length": len(message["content"]), "fields": {"role": message["role"]}})
    observation = {"text": "\n\n".join(texts)}
    if results:
        observation["toolResults"] = results
    return observation, parts if len(parts) > 1 else None


def translate(messages):
    turns, shown = [], []
    for message in messages:
        if message["role"] != "assistant":
            shown.append(message)
            continue
        observation, parts = take_observation(shown)
        shown = []
        action = {"text": message.get("content") or ""}
        extra = {}
        if message.get("tool_calls"):
            action["toolCalls"] = [parse_call(call) for call in message["tool_calls"]]
            # As ours: arguments whose white space would be lost are kept as written.
            for call, parsed in zip(message["tool_calls"], action["toolCalls"]):
                written = json.dumps(parsed.get("arguments"), ensure_ascii=False, separators=(",", ":"))
                if written != call["function"]["arguments"]:
                    extra["message"] = {"tool_calls": message["tool_calls"]}
        if parts:
            extra["observed"] = parts
        turn = {"observation": observation, "action": action}
        if extra:
            turn["extra"] = extra
        turns.append(turn)
    return turns, take_observation(shown)[0] if shown else None


def check(value, kind):
    if not isinstance(value, kind):
        raise ValueError(f"expected {kind}, found {value!r}")


def validate(record):
    check(record["episodeId"], str)
    check(record["task"]["id"], str)
    check(record["task"]["hash"], str)
    check(record["sampleIndex"], int)
    check(record["policy"]["id"], str)
    check(record["success"], bool)
    check(record["episodeReturn"], (int, float))
    for turn in record["turns"]:
        check(turn["observation"]["text"], str)
        for result in turn["observation"].get("toolResults", ()):
            check(result["callId"], str)
            check(result["text"], str)
        check(turn["action"]["text"], str)
        for call in turn["action"].get("toolCalls", ()):
            check(call["id"], str)
            check(call["name"], str)
            if "arguments" in call:
                check(call["arguments"], dict)


def hash_json(value):
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def convert(row, name, position):
    messages = row["messages"]
    turns, final = translate(messages)
    first = next((index for index, message in enumerate(messages) if message["role"] == "assistant"), len(messages))
    task_hash = hash_json([row["task_id"], messages[:first]])
    key = {
        "policyId": row["model"],
        "taskHash": task_hash,
        "sampleIndex": row["sample_index"],
        "budget": {},
        "disclosure": "hidden",
        "terminalRule": "hard",
    }
    record = {
        "schema": "turnwise.trajectory/1",
        "episodeId": hash_json(key)[:16],
        "task": {"id": row["task_id"], "hash": task_hash},
        "sampleIndex": row["sample_index"],
        "policy": {"id": row["model"]},
        "env": {"id": "messages", "version": "unknown"},
        "budget": {},
        "disclosure": "hidden",
        "terminalRule": "hard",
        "turns": turns,
        "stopReason": {"type": "env_end", "kind": "solved"} if row["success"] else {"type": "unknown"},
        "success": row["success"],
        "episodeReturn": row["reward"],
        "provenance": {"format": "openai-messages", "source": name, "position": position, "notes": NOTES},
        "extra": {"record": {field: value for field, value in row.items() if field != "messages"}},
    }
    if final:
        record["finalObservation"] = final
    return record


def main():
    path, folder = sys.argv[1:]
    start = time.perf_counter()
    os.makedirs(folder)
    name = os.path.basename(path)
    digest = hashlib.sha256()
    places, contents = {}, {}
    offset, batch, batch_size = 0, [], 0
    with open(path, "rb") as source, open(os.path.join(folder, "0001.jsonl"), "ab", buffering=0) as target:

        def flush():
            target.write(b"".join(batch))
            os.fdatasync(target.fileno())
            batch.clear()

        for position, raw in enumerate(source, 1):
            digest.update(raw)
            record = convert(json.loads(raw), name, position)
            validate(record)
            # A repeated attempt is told from a conflicting one by its bytes, the cheapest way there is.
            key = (record["task"]["hash"], record["sampleIndex"])
            fingerprint = hash(raw)
            if contents.setdefault(key, fingerprint) != fingerprint or key in places:
                continue
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            places[key] = (offset, len(line))
            offset += len(line)
            batch.append(line)
            batch_size += len(line)
            if batch_size >= BATCH_BYTES:
                flush()
                batch_size = 0
        flush()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    outcome = {
        "episodeCount": len(places),
        "wallSeconds": time.perf_counter() - start,
        "cpuSeconds": usage.ru_utime + usage.ru_stime,
        "peakMegabytes": usage.ru_maxrss / (1024 if sys.platform == "linux" else 2**20),
    }
    print(json.dumps(outcome))


main()
