"""Writes the models in tests/formats/fixtures: tiny ones in the layouts that OPUS-MT models come in, with what
transformers' generate() makes of twenty sentences. They are fitted a little, so that their translations end and vary.

    python scripts/make_marian_fixtures.py        # needs transformers, sentencepiece and pyyaml; about a minute
"""
import json
import os
import pathlib
import shutil
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import numpy as np
import sentencepiece
import torch
import yaml
from safetensors.torch import load_file, save_file
from transformers import (GenerationConfig, MarianConfig, MarianMTModel, MarianTokenizer, PegasusConfig,
                          PegasusForConditionalGeneration)

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests/formats/fixtures"
PAIRS = 48                 # that a model is fitted to
LANGUAGES = [">>deu<<", ">>fra<<"]
D_MODEL = 24


def lines(name):
    return (ROOT / "data/demo" / name).read_text(encoding="utf-8").splitlines()


# --- tokenizers ---

def train_pieces(folder):
    """The SentencePiece models of both sides, with the special ids that OPUS-MT's have."""
    for side, language, size in (("source", "en", 140), ("target", "de", 160)):
        text = folder / f"{side}.txt"
        text.write_text("\n".join(lines(f"train.{language}")[:3000]) + "\n", encoding="utf-8")
        # The rule "identity" keeps 240 kB of normalization tables out of every folder.
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=str(folder / side), vocab_size=size, model_type="unigram", bos_id=-1, eos_id=0,
            unk_id=1, pad_id=-1, normalization_rule_name="identity", minloglevel=2, num_threads=1)
        shutil.move(folder / f"{side}.model", folder / f"{side}.spm")


def pieces(spm):
    processor = sentencepiece.SentencePieceProcessor(model_file=str(spm))
    return [processor.id_to_piece(i) for i in range(processor.get_piece_size())]


def joint_map(folder):
    """Pieces of both sides in code-point order, so that no id is SentencePiece's and </s> is not 0."""
    names = sorted(set(pieces(folder / "source.spm"))) + sorted(
        set(pieces(folder / "target.spm")) - set(pieces(folder / "source.spm")))
    return {name: i for i, name in enumerate(names + LANGUAGES + ["<pad>"])}


def separate_maps(folder):
    """A map for each side: the same special ids in both, filled up to the same size."""
    sides = []
    for side in ("source", "target"):
        special = ["</s>", "<unk>"]
        sides.append(special + sorted(set(pieces(folder / f"{side}.spm")) - set(special)) + LANGUAGES)
    size = max(map(len, sides))
    for names in sides:
        names += [f"<filler{i}>" for i in range(size - len(names))] + ["<pad>"]
    return [{name: i for i, name in enumerate(names)} for names in sides]


def make_tokenizer(folder, separate):
    paths = dict(source_spm=str(folder / "source.spm"), target_spm=str(folder / "target.spm"),
                 vocab=str(folder / "vocab.json"), source_lang="en", target_lang="de")
    maps = separate_maps(folder) if separate else [joint_map(folder)]
    (folder / "vocab.json").write_text(json.dumps(maps[0]))
    if separate:
        (folder / "target_vocab.json").write_text(json.dumps(maps[1]))
        paths |= dict(separate_vocabs=True, target_vocab_file=str(folder / "target_vocab.json"))
    return MarianTokenizer(**paths), maps[-1]


# --- models ---

KINDS = {
    "swish": dict(activation_function="swish"),
    "relu": dict(activation_function="relu"),
    "gelu": dict(activation_function="gelu"),
    "deep_encoder": dict(encoder_layers=3, decoder_layers=1, decoder_attention_heads=4, decoder_ffn_dim=56),
    "untied": dict(tie_word_embeddings=False),
    "no_bias": dict(),
    "separate": dict(share_encoder_decoder_embeddings=False),
    "pegasus": dict(activation_function="relu"),
}
# Short limits, so that searches hit them; another penalty, so that it counts.
GENERATION = {"relu": dict(max_length=14), "gelu": dict(length_penalty=0.6)}


def make_model(kind, vocabulary):
    pad, eos, size = vocabulary["<pad>"], vocabulary["</s>"], len(vocabulary)
    settings = dict(vocab_size=size, decoder_vocab_size=size, d_model=D_MODEL, encoder_layers=2, decoder_layers=2,
                    encoder_attention_heads=3, decoder_attention_heads=3, encoder_ffn_dim=40, decoder_ffn_dim=40,
                    activation_function="swish", max_position_embeddings=96, scale_embedding=True, init_std=0.18,
                    dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, tie_word_embeddings=True,
                    pad_token_id=pad, decoder_start_token_id=pad, eos_token_id=eos, forced_eos_token_id=eos,
                    bos_token_id=0) | KINDS[kind]
    if kind == "pegasus":
        del settings["decoder_vocab_size"]
        return PegasusForConditionalGeneration(PegasusConfig(**settings))
    return MarianMTModel(MarianConfig(**{"share_encoder_decoder_embeddings": True} | settings))


def embeddings_of(model):
    tables = model.model.encoder.embed_tokens, model.model.decoder.embed_tokens
    return {id(table): table for table in tables}.values()


def fit(model, tokenizer, pad, steps=200):
    bias = torch.nn.Parameter(model.final_logits_bias.clone())
    del model.final_logits_bias
    model.final_logits_bias = bias
    source = tokenizer(lines("train.en")[:PAIRS], return_tensors="pt", padding=True)
    labels = tokenizer(text_target=lines("train.de")[:PAIRS], return_tensors="pt", padding=True).input_ids
    labels[labels == pad] = -100
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=4e-3)
    for _ in range(steps):
        batch = torch.randperm(PAIRS)[:16]
        loss = model(input_ids=source.input_ids[batch], attention_mask=source.attention_mask[batch],
                     labels=labels[batch]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    del model.final_logits_bias
    model.register_buffer("final_logits_bias", bias.detach())
    model.eval()
    with torch.no_grad():  # as Marian's converter makes it
        model.final_logits_bias[0, pad] = 0
        for table in [*embeddings_of(model), model.lm_head]:
            table.weight[pad] = 0
    return loss.item()


def generation_config(kind, vocabulary):
    pad, eos = vocabulary["<pad>"], vocabulary["</s>"]
    return GenerationConfig(**dict(num_beams=4, max_length=48, bad_words_ids=[[pad]], pad_token_id=pad, eos_token_id=eos,
                                   forced_eos_token_id=eos, decoder_start_token_id=pad, bos_token_id=0)
                            | GENERATION.get(kind, {}))


def rewrite(folder, change):
    """Applies `change` to the tensors in the folder."""
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


# --- what is expected of them ---

SENTENCES = (lines("train.en")[:9] + lines("test.en")[:7] +
             [">>deu<< Now you are laughing at the theatre.", ">>fra<< The boy sleeps.", "I", "The  boy, 漢 & the \"girl\"."])
FORCED = 2  # sentences of which logits are kept


def until_end(ids, pad):
    """The ids behind the start; padding behind the end is the batch's."""
    ids = ids[1:]
    while ids and ids[-1] == pad:
        ids.pop()
    return ids


def greedy_scores(found, ids, power, renormalize):
    """generate() gives none: the log-probability over n^power as for beams. A forced end costs nothing."""
    totals = [0.0] * len(ids)
    for step, (processed, logits) in enumerate(zip(found.scores, found.logits)):
        forced = processed.isfinite().sum(-1) == 1
        for i, row in enumerate((processed if renormalize else logits).log_softmax(-1)):
            if step < len(ids[i]) and not forced[i]:
                totals[i] += row[ids[i][step]].item()
    return [total / len(row) ** power for total, row in zip(totals, ids)]


@torch.no_grad()
def searched(model, tokenizer, sentences, **options):
    """Ids and scores."""
    batch = tokenizer(sentences, return_tensors="pt", padding=True)
    pad = model.generation_config.pad_token_id
    found = model.generate(**batch, return_dict_in_generate=True, output_scores=True, output_logits=True, **options)
    ids = [until_end(row, pad) for row in found.sequences.tolist()]
    if options["num_beams"] > 1:
        scores = found.sequences_scores.tolist()
    else:
        scores = greedy_scores(found, ids, model.generation_config.length_penalty or 1.0, options["renormalize_logits"])
    return {"ids": ids, "scores": [round(score, 6) for score in scores]}


@torch.no_grad()
def forced(model, tokenizer):
    """Logits of a few sentences, and the log-probability of whole translations."""
    logits, totals = {}, []
    pairs = sorted(zip(lines("valid.en")[:40], lines("valid.de")[:40]), key=lambda pair: len(pair[1]))[:8]
    sources, targets = map(list, zip(*pairs))
    start = model.generation_config.decoder_start_token_id
    for i, (source, target) in enumerate(zip(sources, targets)):
        labels = tokenizer(text_target=target).input_ids
        batch = tokenizer([source], return_tensors="pt")
        step = model(**batch, decoder_input_ids=torch.tensor([[start] + labels[:-1]])).logits[0]
        if i < FORCED:
            logits[f"source_{i}"] = batch.input_ids[0]
            logits[f"target_{i}"] = torch.tensor([start] + labels[:-1])
            logits[f"logits_{i}"] = step.clone()
        totals.append(round(step.log_softmax(-1)[range(len(labels)), labels].sum().item(), 6))
    return logits, {"sources": sources, "targets": targets, "log_probabilities": totals}


def record(model, tokenizer, folder, never):
    """Writes expected.json and logits.safetensors."""
    expected = {"sentences": SENTENCES, "input_ids": tokenizer(SENTENCES).input_ids}
    for beams in (1, 4, 6):
        for renormalize in (False, True):
            name = ("beam" + str(beams) if beams > 1 else "greedy") + ("_renormalized" if renormalize else "")
            options = dict(num_beams=beams, bad_words_ids=[[i] for i in never], renormalize_logits=renormalize)
            expected[name] = searched(model, tokenizer, SENTENCES, **options)
            if not renormalize:
                expected[name]["texts"] = tokenizer.batch_decode(expected[name]["ids"], skip_special_tokens=True)
    logits, expected["forced"] = forced(model, tokenizer)
    (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n", encoding="utf-8")
    save_file(logits, folder / "logits.safetensors")


def make_hugging_face(kind, raw):
    """A folder as save_pretrained leaves it, read again before anything is recorded."""
    folder = FIXTURES / kind
    tokenizer, vocabulary = make_tokenizer(raw, separate=kind == "separate")
    torch.manual_seed(7)
    model = make_model(kind, vocabulary)
    loss = fit(model, tokenizer, vocabulary["<pad>"])
    model.generation_config = generation_config(kind, vocabulary)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if kind == "no_bias":
        rewrite(folder, lambda tensors: tensors.pop("final_logits_bias"))
    record_folder(folder)
    print(f"{kind}: loss {loss:.2f}, {sum(f.stat().st_size for f in folder.iterdir()) // 1024} KiB")


def open_folder(folder):
    kind = PegasusForConditionalGeneration if folder.name == "pegasus" else MarianMTModel
    return kind.from_pretrained(folder).eval(), MarianTokenizer.from_pretrained(folder)


def record_folder(folder):
    model, tokenizer = open_folder(folder)
    record(model, tokenizer, folder, [model.config.pad_token_id])


def make_from_swish(kind, change):
    """The swish model with other tensors in its file."""
    folder = FIXTURES / kind
    shutil.copytree(FIXTURES / "swish", folder)
    rewrite(folder, change)
    record_folder(folder)


def to_half(tensors):
    for name, tensor in tensors.items():
        tensors[name] = tensor.half()


def add_stale_output(tensors):
    torch.manual_seed(3)
    tensors["lm_head.weight"] = torch.randn_like(tensors["model.shared.weight"])


# --- Marian's own format ---

MATRICES = {"self_attn.q_proj": "self_Wq", "self_attn.k_proj": "self_Wk", "self_attn.v_proj": "self_Wv",
            "self_attn.out_proj": "self_Wo", "encoder_attn.q_proj": "context_Wq", "encoder_attn.k_proj": "context_Wk",
            "encoder_attn.v_proj": "context_Wv", "encoder_attn.out_proj": "context_Wo", "fc1": "ffn_W1", "fc2": "ffn_W2"}
NORMS = {"self_attn_layer_norm": "self_Wo_ln", "encoder_attn_layer_norm": "context_Wo_ln", "final_layer_norm": "ffn_ffn_ln"}


def marian_tensors(tensors, config, suffix):
    arrays = {"Wemb": tensors["model.shared.weight"][:-1], "decoder_ff_logit_out_b": tensors["final_logits_bias"][:, :-1]}
    for side, depth in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        for i in range(depth):
            ours, theirs = f"model.{side}.layers.{i}.", f"{side}_l{i + 1}_"
            for name, marian in MATRICES.items():
                if ours + name + ".weight" in tensors:
                    arrays[theirs + marian] = tensors[ours + name + ".weight"].T
                    arrays[theirs + marian.replace("_W", "_b")] = tensors[ours + name + ".bias"][None]
            for name, marian in NORMS.items():
                if ours + name + ".weight" in tensors:
                    arrays[theirs + marian + "_scale" + suffix] = tensors[ours + name + ".weight"][None]
                    arrays[theirs + marian + "_bias" + suffix] = tensors[ours + name + ".bias"][None]
        if suffix:
            arrays[f"{side}_top_ln_scale"] = tensors[f"model.{side}.layer_norm.weight"][None]
            arrays[f"{side}_top_ln_bias"] = tensors[f"model.{side}.layer_norm.bias"][None]
    return {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in arrays.items()}


def marian_options(config, size, pre_norm):
    norms = {"transformer-preprocess": "n", "transformer-postprocess": "da", "transformer-postprocess-top": "n"} if pre_norm \
        else {"transformer-preprocess": "", "transformer-postprocess": "dan", "transformer-postprocess-top": ""}
    return {"type": "transformer", "enc-depth": config.encoder_layers, "dec-depth": config.decoder_layers,
            "dim-emb": config.d_model, "dim-vocabs": [size, size], "transformer-heads": config.encoder_attention_heads,
            "transformer-dim-ffn": config.encoder_ffn_dim, "transformer-ffn-depth": 2,
            "transformer-ffn-activation": config.activation_function, "transformer-postprocess-emb": "d",
            "transformer-decoder-autoreg": "self-attention", "transformer-no-projection": False,
            "transformer-guided-alignment-layer": "last", "tied-embeddings-all": True, "tied-embeddings": False,
            "tied-embeddings-src": False, "version": "v1.12.0 65bf82ff 2023-02-21 09:56:29 -0800"} | norms


def become_marian(model):
    """Marian's frequencies and its epsilon."""
    with torch.no_grad():
        for stack in (model.model.encoder, model.model.decoder):
            table = stack.embed_positions.weight
            half = table.shape[1] // 2
            frequency = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / (half - 1))
            angle = torch.arange(table.shape[0], dtype=torch.float64)[:, None] * frequency
            table.copy_(torch.cat([angle.sin(), angle.cos()], 1))
    for module in model.modules():
        if isinstance(module, torch.nn.LayerNorm):
            module.eps = 1e-6


def make_npz(kind, origin, padding):
    folder = FIXTURES / kind
    folder.mkdir()
    model, tokenizer = open_folder(FIXTURES / origin)
    vocabulary = json.loads((FIXTURES / origin / "vocab.json").read_text())
    pad = vocabulary.pop("<pad>")
    pre_norm = origin == "pegasus"
    arrays = marian_tensors(load_file(FIXTURES / origin / "model.safetensors"), model.config, "_pre" if pre_norm else "")
    options = yaml.safe_dump(marian_options(model.config, len(vocabulary), pre_norm)).encode() + b"\0"
    options += b"\0" * (-len(options) % padding)
    np.savez(folder / "model.npz", **arrays, **{"special:model.yml": np.frombuffer(options, np.int8)})
    with open(folder / "vocab.yml", "w", encoding="utf-8") as file:
        yaml.safe_dump(vocabulary, file, allow_unicode=True, sort_keys=False)
    (folder / "decoder.yml").write_text("relative-paths: true\nmodels:\n  - model.npz\nvocabs:\n  - vocab.yml\n  - vocab.yml\n"
                                        "beam-size: 4\nnormalize: 1\nword-penalty: 0\n")
    for side in ("source", "target"):
        shutil.copy(FIXTURES / origin / f"{side}.spm", folder)
    become_marian(model)
    model.generation_config.forced_eos_token_id = None  # Marian forces none
    record(model, tokenizer, folder, [pad, vocabulary["<unk>"]])


def main():
    torch.set_num_threads(1)
    shutil.rmtree(FIXTURES, ignore_errors=True)
    FIXTURES.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as raw:
        train_pieces(pathlib.Path(raw))
        for kind in KINDS:
            make_hugging_face(kind, pathlib.Path(raw))
    make_from_swish("float16", to_half)
    make_from_swish("stale_output", add_stale_output)
    make_npz("npz_post", "swish", padding=1)
    make_npz("npz_pre", "pegasus", padding=256)
    for file in FIXTURES.rglob("*.safetensors"):
        file.chmod(0o644)
    print(f"{sum(f.stat().st_size for f in FIXTURES.rglob('*.*')) // 1024} KiB in all")


if __name__ == "__main__":
    main()
