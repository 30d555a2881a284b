#!/usr/bin/env python3
"""Writes tests/reference/annotated_training.safetensors: loss, gradients and ten updates of the tiny Annotated Transformer.

The weights, batches and learning rates are those of tests/reference/annotated_tiny.safetensors. Its own losses and gradients
cannot be replayed: the Annotated Transformer's make_model leaves the dropout of attention weights at 0.1 whatever dropout
it is given, so they hold one draw of random numbers. Here the same formulas run without it, on PyTorch's autograd and Adam, after a
check that they give the recorded log-probabilities. In float64: the gradient of a key's bias is 0 but for rounding, and Adam makes
full steps of what rounding leaves in float32. Run once with the torch of scripts/versions.txt; the file is committed.
"""
import math
import pathlib

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional as F

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/reference"
D_MODEL, HEADS, LAYERS, PAD, SMOOTHING = 32, 4, 2, 0, 0.1


class Annotated:
    """The Annotated Transformer's equations on a dictionary of its weights."""

    def __init__(self, weights):
        self.weights = weights

    def norm(self, x, name):
        deviation = x.std(-1, keepdim=True)
        return self.weights[name + ".a_2"] * (x - x.mean(-1, keepdim=True)) / (deviation + 1e-6) + self.weights[name + ".b_2"]

    def linear(self, x, name):
        return F.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def attention(self, query, key, value, mask, name):
        split = lambda x, i: self.linear(x, f"{name}.linears.{i}").unflatten(-1, (HEADS, -1)).transpose(1, 2)
        q, k, v = split(query, 0), split(key, 1), split(value, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(D_MODEL // HEADS)
        weights = scores.masked_fill(~mask.unsqueeze(1), -1e9).softmax(-1)
        return self.linear((weights @ v).transpose(1, 2).flatten(2), f"{name}.linears.3")

    def feed_forward(self, x, name):
        return self.linear(self.linear(x, name + ".w_1").relu(), name + ".w_2")

    def embed(self, ids, name):
        position = torch.arange(ids.shape[1]).unsqueeze(1)
        angle = position * torch.exp(torch.arange(0, D_MODEL, 2) * -(math.log(10000.0) / D_MODEL))
        positions = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
        return self.weights[name + ".0.lut.weight"][ids] * math.sqrt(D_MODEL) + positions

    def log_probs(self, src, tgt):
        src_mask = (src != PAD).unsqueeze(-2)
        tgt_mask = (tgt != PAD).unsqueeze(-2) & torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).tril()
        x = self.embed(src, "src_embed")
        for i in range(LAYERS):
            layer = f"encoder.layers.{i}"
            y = self.norm(x, layer + ".sublayer.0.norm")
            x = x + self.attention(y, y, y, src_mask, layer + ".self_attn")
            x = x + self.feed_forward(self.norm(x, layer + ".sublayer.1.norm"), layer + ".feed_forward")
        memory = self.norm(x, "encoder.norm")
        x = self.embed(tgt, "tgt_embed")
        for i in range(LAYERS):
            layer = f"decoder.layers.{i}"
            y = self.norm(x, layer + ".sublayer.0.norm")
            x = x + self.attention(y, y, y, tgt_mask, layer + ".self_attn")
            y = self.norm(x, layer + ".sublayer.1.norm")
            x = x + self.attention(y, memory, memory, src_mask, layer + ".src_attn")
            x = x + self.feed_forward(self.norm(x, layer + ".sublayer.2.norm"), layer + ".feed_forward")
        return self.linear(self.norm(x, "decoder.norm"), "generator.proj").log_softmax(-1)


def loss_sum(model, src, tgt):
    log_probs, target = model.log_probs(src, tgt[:, :-1]).flatten(0, 1), tgt[:, 1:].flatten()
    truth = torch.full_like(log_probs, SMOOTHING / (log_probs.shape[1] - 2))
    truth.scatter_(1, target.unsqueeze(1), 1 - SMOOTHING)
    truth[:, PAD] = 0
    truth[target == PAD] = 0
    return F.kl_div(log_probs, truth, reduction="sum"), (target != PAD).sum()


def main():
    recorded = load_file(FOLDER / "annotated_tiny.safetensors")
    weights = {name[8:]: value.double().requires_grad_() for name, value in recorded.items() if name.startswith("weights/")}
    model = Annotated(weights)
    src, tgt = recorded["forward/src"], recorded["forward/tgt"]
    difference = (model.log_probs(src, tgt[:, :-1]) - recorded["forward/log_probs"]).abs().max().item()
    assert difference < 1e-5, f"the log-probabilities differ by {difference}"

    total, ntokens = loss_sum(model, src, tgt)
    (total / ntokens).backward()
    result = {"loss/sum": total.detach(), "loss/ntokens": ntokens}
    result |= {"grad/" + name: weight.grad.clone() for name, weight in weights.items()}

    adam = torch.optim.Adam(weights.values(), betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for i, rate in enumerate(recorded["train/learning_rates"].tolist()):
        adam.zero_grad()
        total, ntokens = loss_sum(model, recorded[f"train/{i}/src"], recorded[f"train/{i}/tgt"])
        (total / ntokens).backward()
        adam.param_groups[0]["lr"] = rate
        adam.step()
        losses.append((total / ntokens).item())
    result["train/losses"] = torch.tensor(losses, dtype=torch.float64)
    result |= {"weights_after_10/" + name: weight.detach().clone() for name, weight in weights.items()}
    save_file(result, FOLDER / "annotated_training.safetensors")


if __name__ == "__main__":
    main()
