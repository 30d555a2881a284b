"""The attention of a model folder, computed by PyTorch's own modules from the weights on the disk."""
import json
import math

import sentencepiece
import torch
from safetensors.torch import load_file

BOS, EOS = 2, 3


class PlainModel:
    """Pre-norm, one sentence at a time."""

    def __init__(self, folder):
        config = json.loads((folder / "config.json").read_text())["model"]
        assert config["norm"] == "pre" and config["tie_embeddings"] == "all"
        self.layers, self.heads, self.width = config["N"], config["h"], config["d_model"]
        self.epsilon = config["norm_epsilon"]
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sentencepiece.model"))

    def linear(self, name, x):
        return torch.nn.functional.linear(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def norm(self, name, x):
        return torch.nn.functional.layer_norm(x, [self.width], self.weights[name + ".weight"], self.weights[name + ".bias"],
                                              self.epsilon)

    def embed(self, ids):
        place = torch.arange(len(ids)).unsqueeze(1)
        angle = place * torch.exp(torch.arange(0, self.width, 2) * (-math.log(10000.0) / self.width))
        encoding = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
        return self.weights["tgt_embed.lut.weight"][ids] * math.sqrt(self.width) + encoding

    def attend(self, name, query, memory, mask=None):
        """The sublayer's output and its weights (h, T, S)."""
        heads = lambda x: x.unflatten(-1, (self.heads, -1)).transpose(0, 1)
        q, k, v = (heads(self.linear(f"{name}.w_{part}", x)) for part, x in zip("qkv", (query, memory, memory)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.width / self.heads)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return self.linear(name + ".w_o", (weights @ v).transpose(0, 1).flatten(1)), weights

    def feed_forward(self, layer, x):
        y = self.linear(layer + ".feed_forward.w_1", self.norm(layer + ".ff_sublayer.norm", x)).relu()
        return x + self.linear(layer + ".feed_forward.w_2", y)

    def attention(self, source, translation):
        """[encoder self, decoder self, decoder source], each (layers, heads, rows, columns)."""
        src = self.tokenizer.encode(source) + [EOS]
        tgt = [BOS] + self.tokenizer.encode(translation)
        kinds = [[], [], []]
        x = self.embed(src)
        for i in range(self.layers):
            name = f"encoder.layer_{i}"
            y = self.norm(name + ".attn_sublayer.norm", x)
            out, weights = self.attend(name + ".self_attn", y, y)
            kinds[0].append(weights)
            x = self.feed_forward(name, x + out)
        memory = self.norm("encoder.norm", x)
        x = self.embed(tgt)
        past = torch.ones(len(tgt), len(tgt), dtype=torch.bool).tril()
        for i in range(self.layers):
            name = f"decoder.layer_{i}"
            y = self.norm(name + ".self_sublayer.norm", x)
            out, weights = self.attend(name + ".self_attn", y, y, past)
            kinds[1].append(weights)
            x = x + out
            out, weights = self.attend(name + ".src_attn", self.norm(name + ".src_sublayer.norm", x), memory)
            kinds[2].append(weights)
            x = self.feed_forward(name, x + out)
        return [torch.stack(kind) for kind in kinds]
