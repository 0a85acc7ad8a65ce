"""PyTorch's side of the training benchmark: the same network, batch, loss and optimiser, with fused attention, fused
AdamW and a cache of keys and values. Answers the commands on its input, one JSON line each.
Arguments: a JSON file with the job, a folder with the first weights, threads, rows that run together."""

import json
import resource
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

job = json.load(open(sys.argv[1]))
threads, micro_rows = int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
V, T, L, H, B = (job["sizes"][k] for k in ("vocabularySize", "contextLength", "layers", "heads", "batch"))


def read_weights(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    weights = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        array = np.frombuffer(data[8 + length + start : 8 + length + end], np.float32).reshape(entry["shape"])
        weights[name] = torch.tensor(array.copy(), requires_grad=True)
    return weights


P = read_weights(f"{sys.argv[2]}/model.safetensors")
D = P["norm.gain"].shape[0]
rows = job["rows"]
N = T - 1  # the last token predicts nothing
ids = torch.tensor([row["ids"] for row in rows])
inputs, targets = ids[:, :-1].contiguous(), ids[:, 1:].contiguous()
column = lambda name: torch.tensor([row[name][1:] for row in rows], dtype=torch.float32)
advantages, weights, old = column("advantages"), column("weights"), column("sampledLogProbs")
illegal = torch.ones(B, T, V, dtype=torch.bool)
for r, row in enumerate(rows):
    for t, legal in enumerate(row["allowed"]):
        illegal[r, t, legal] = False
step_illegal = illegal[:, 1:].contiguous()
low, high, entropy_weight = 1 - job["loss"]["clipLow"], 1 + job["loss"]["clipHigh"], job["loss"]["entropyWeight"]


def block(l, x, attend):
    p = lambda name: P[f"blocks.{l}.{name}"]
    rows_, time_ = x.shape[0], x.shape[1]
    h = F.layer_norm(x, (D,), p("norm1.gain"), p("norm1.bias"))
    qkv = torch.addmm(p("attention.input.bias"), h.view(-1, D), p("attention.input.weight")).view(rows_, time_, 3 * D)
    q, k, v = (z.view(rows_, time_, H, D // H).transpose(1, 2) for z in qkv.split(D, -1))
    o = attend(l, q, k, v).transpose(1, 2).reshape(-1, D)
    x = x + torch.addmm(p("attention.output.bias"), o, p("attention.output.weight")).view_as(x)
    h = F.layer_norm(x, (D,), p("norm2.gain"), p("norm2.bias")).view(-1, D)
    h = F.gelu(torch.addmm(p("feedforward.input.bias"), h, p("feedforward.input.weight")), approximate="tanh")
    return x + torch.addmm(p("feedforward.output.bias"), h, p("feedforward.output.weight")).view_as(x)


def head(x):
    return F.layer_norm(x, (D,), P["norm.gain"], P["norm.bias"]) @ P["head.weight"]


def causal(_layer, q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def loss_of(part):
    x = P["embedding.tokens"][inputs[part]] + P["embedding.positions"][:N]
    for l in range(L):
        x = block(l, x, causal)
    log_probs = head(x).masked_fill(step_illegal[part], -1e9).log_softmax(-1)
    taken = log_probs.gather(-1, targets[part].unsqueeze(-1)).squeeze(-1)
    ratio = (taken - old[part]).exp()
    surrogate = torch.min(ratio * advantages[part], ratio.clamp(low, high) * advantages[part])
    entropy = -(log_probs.exp() * log_probs).sum(-1)
    return -((surrogate + entropy_weight * entropy) * weights[part]).sum()


o = job["optimizer"]
optimizer = torch.optim.AdamW(
    list(P.values()), lr=job["learningRate"], betas=(o["beta1"], o["beta2"]), eps=o["epsilon"], weight_decay=0, fused=True
)


def step():
    optimizer.zero_grad(set_to_none=True)
    total = 0.0
    for start in range(0, B, micro_rows):
        loss = loss_of(slice(start, start + micro_rows))
        loss.backward()
        total += loss.item()
    norm = torch.nn.utils.clip_grad_norm_(P.values(), o["maxGradNorm"], foreach=True)
    optimizer.step()
    return {"loss": total, "gradNorm": norm.item()}


@torch.no_grad()
def generate():
    shape = (B, H, T, D // H)
    keys, values = ([torch.empty(shape) for _ in range(L)] for _ in range(2))
    token = ids[:, :1]
    for t in range(N):

        def cached(l, q, k, v):
            keys[l][:, :, t : t + 1] = k
            values[l][:, :, t : t + 1] = v
            return F.scaled_dot_product_attention(q, keys[l][:, :, : t + 1], values[l][:, :, : t + 1])

        x = P["embedding.tokens"][token] + P["embedding.positions"][t]
        for l in range(L):
            x = block(l, x, cached)
        log_probs = head(x)[:, 0].masked_fill(illegal[:, t + 1], -1e9).log_softmax(-1)
        token = torch.multinomial(log_probs.exp(), 1)
        log_probs.gather(1, token)  # what training needs of the sample
    return {"tokens": B * N}


print(json.dumps({"version": f"PyTorch {torch.__version__}", "parameters": sum(p.numel() for p in P.values())}), flush=True)
for line in sys.stdin:
    wall, cpu = time.perf_counter(), time.process_time()
    result = step() if line.strip() == "step" else generate()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result.update(wallSeconds=time.perf_counter() - wall, cpuSeconds=time.process_time() - cpu, peakMegabytes=peak)
    print(json.dumps(result), flush=True)
