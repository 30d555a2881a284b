#!/usr/bin/env python3
"""Writes tests/reference/post_norm.safetensors: a tiny post-norm Transformer by torch.nn.Transformer, its inputs and results.

Run once with the torch of scripts/versions.txt; the file is committed. Weights carry xformer's names, so that the test copies
them as they are. torch.nn.Transformer packs query, key and value into one matrix; here they are taken apart.
"""
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

N, D_MODEL, D_FF, H = 2, 32, 64, 4
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "tests/reference/post_norm.safetensors"


def attention(prefix, module):
    names = ("w_q", "w_k", "w_v")
    tensors = {}
    for name, weight, bias in zip(names, module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
        tensors[f"{prefix}.{name}.weight"], tensors[f"{prefix}.{name}.bias"] = weight, bias
    tensors[f"{prefix}.w_o.weight"], tensors[f"{prefix}.w_o.bias"] = module.out_proj.weight, module.out_proj.bias
    return tensors


def plain(prefix, module):
    return {f"{prefix}.weight": module.weight, f"{prefix}.bias": module.bias}


def layer_weights(prefix, layer, sublayers):
    tensors = attention(f"{prefix}.self_attn", layer.self_attn)
    if hasattr(layer, "multihead_attn"):
        tensors |= attention(f"{prefix}.src_attn", layer.multihead_attn)
    tensors |= plain(f"{prefix}.feed_forward.w_1", layer.linear1) | plain(f"{prefix}.feed_forward.w_2", layer.linear2)
    for i, sublayer in enumerate(sublayers, 1):
        tensors |= plain(f"{prefix}.{sublayer}.norm", getattr(layer, f"norm{i}"))
    return tensors


def main():
    torch.manual_seed(20)
    options = dict(d_model=D_MODEL, nhead=H, dim_feedforward=D_FF, dropout=0.0, batch_first=True, norm_first=False)
    # Stacks without a last norm, as in the paper; torch.nn.Transformer would add one of its own.
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options), N, norm=None, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**options), N, norm=None)
    model = nn.Transformer(**options, custom_encoder=encoder, custom_decoder=decoder)
    for parameter in model.parameters():  # gains and biases away from 1 and 0
        nn.init.uniform_(parameter, -0.3, 0.3) if parameter.dim() > 1 else nn.init.normal_(parameter, 0.5, 0.3)

    src, tgt = torch.randn(3, 7, D_MODEL), torch.randn(3, 5, D_MODEL)
    src_padding = torch.tensor([[False] * 7, [False] * 4 + [True] * 3, [False] * 6 + [True]])
    causal = nn.Transformer.generate_square_subsequent_mask(5)
    memory = model.encoder(src, src_key_padding_mask=src_padding)
    output = model.decoder(tgt, memory, tgt_mask=causal, memory_key_padding_mask=src_padding)
    (output ** 2).sum().backward()

    tensors = {"src": src, "tgt": tgt, "src_mask": ~src_padding.unsqueeze(1), "memory": memory, "output": output}
    for i in range(N):
        encoder_layer = (f"encoder.layer_{i}", model.encoder.layers[i], ("attn_sublayer", "ff_sublayer"))
        decoder_layer = (f"decoder.layer_{i}", model.decoder.layers[i], ("self_sublayer", "src_sublayer", "ff_sublayer"))
        for arguments in (encoder_layer, decoder_layer):
            tensors |= {f"weights/{name}": value for name, value in layer_weights(*arguments).items()}
    # One gradient from the far end of the chain says that all between are right.
    first = model.encoder.layers[0].self_attn.in_proj_weight.grad.chunk(3)[0]
    tensors["grad/encoder.layer_0.self_attn.w_q.weight"] = first
    tensors["grad/decoder.layer_0.self_sublayer.norm.weight"] = model.decoder.layers[0].norm1.weight.grad
    save_file({name: value.detach().contiguous().clone() for name, value in tensors.items()}, OUTPUT)


if __name__ == "__main__":
    main()
