"""Writes reference.safetensors with the safetensors package, for safetensors_test.cpp to read and to reproduce.

    python make_reference.py
"""
import pathlib

import torch
from safetensors.torch import save_file

DTYPES = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]


def main():
    tensors = {f"type.{name}": torch.arange(6).reshape(2, 3).to(getattr(torch, name)) for name in DTYPES}
    tensors["number"] = torch.tensor(2.5)
    tensors["nothing"] = torch.zeros(0, 3)
    tensors["Größe \"1\"\n"] = torch.tensor([-1.0, 0.5])
    save_file(tensors, pathlib.Path(__file__).parent / "reference.safetensors", {"format": "pt"})


if __name__ == "__main__":
    main()
