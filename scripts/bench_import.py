"""The other sides of bench_import.sh: makes a model with random weights, and translates with it as its peers do.

    python bench_import.py make FOLDER [--small]
    python bench_import.py transformers|ctranslate2 FOLDER --lines FILE --length N --beam-size N [...]
"""
import argparse
import json
import os
import pathlib
import sys
import time

os.environ["HF_HUB_OFFLINE"] = "1"
ROOT = pathlib.Path(__file__).resolve().parent.parent


def make(options):
    """A folder like one of OPUS-MT: 6+6 layers, d_model 512, swish, 58,101 pieces. It never ends a sentence by itself."""
    import sentencepiece
    import torch
    from transformers import GenerationConfig, MarianConfig, MarianMTModel, MarianTokenizer

    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True)
    sentencepiece.SentencePieceTrainer.train(
        input=str(ROOT / "data/demo/train.de"), model_prefix=str(folder / "pieces"), vocab_size=1000, bos_id=-1, eos_id=0,
        unk_id=1, pad_id=-1, minloglevel=2)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "pieces.model"))
    rows = 2001 if options.small else 58101
    names = [processor.id_to_piece(i) for i in range(processor.get_piece_size())]
    names += [f"<other{i}>" for i in range(rows - 1 - len(names))] + ["<pad>"]
    (folder / "names.json").write_text(json.dumps({name: i for i, name in enumerate(names)}))
    tokenizer = MarianTokenizer(source_spm=str(folder / "pieces.model"), target_spm=str(folder / "pieces.model"),
                                vocab=str(folder / "names.json"))
    torch.manual_seed(1)
    layers, width = (2, 64) if options.small else (6, 512)
    model = MarianMTModel(MarianConfig(
        vocab_size=rows, d_model=width, encoder_layers=layers, decoder_layers=layers, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width, activation_function="swish",
        max_position_embeddings=512, scale_embedding=True, pad_token_id=rows - 1, decoder_start_token_id=rows - 1,
        eos_token_id=0, forced_eos_token_id=0))
    with torch.no_grad():
        model.final_logits_bias[0, 0] = -1e4
        model.model.shared.weight[rows - 1] = 0
    model.generation_config = GenerationConfig(
        num_beams=4, max_length=512, bad_words_ids=[[rows - 1]], pad_token_id=rows - 1, decoder_start_token_id=rows - 1,
        eos_token_id=0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def batches(lines, size):
    """Lines of similar length together, as all three tools have them."""
    order = sorted(range(len(lines)), key=lambda i: len(lines[i]))
    return [[lines[i] for i in order[start:start + size]] for start in range(0, len(order), size)]


def run_transformers(options, lines):
    import torch
    from transformers import MarianMTModel, MarianTokenizer

    torch.set_num_threads(options.threads)
    model, tokenizer = MarianMTModel.from_pretrained(options.folder).eval(), MarianTokenizer.from_pretrained(options.folder)

    def translate():
        with torch.inference_mode():
            for batch in batches(lines, options.batch):
                ids = model.generate(**tokenizer(batch, return_tensors="pt", padding=True), num_beams=options.beam_size,
                                     max_new_tokens=options.length)
                tokenizer.batch_decode(ids, skip_special_tokens=True)

    return translate


def run_ctranslate2(options, lines):
    import ctranslate2
    import sentencepiece

    folder = pathlib.Path(options.folder)
    model = next(path for path in (folder / "sentencepiece.model", folder / "source.model") if path.exists())
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    workers, threads = (options.threads, 1) if options.workers else (1, options.threads)
    translator = ctranslate2.Translator(options.folder, compute_type=options.precision, inter_threads=workers,
                                        intra_threads=threads)

    def translate():
        results = translator.translate_batch(
            processor.encode(lines, out_type=str), beam_size=options.beam_size, max_batch_size=options.batch,
            max_decoding_length=options.length, min_decoding_length=options.length)
        for result in results:
            processor.decode(result.hypotheses[0])

    return translate


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["make", "transformers", "ctranslate2"])
    parser.add_argument("folder")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--lines")
    parser.add_argument("--length", type=int)
    parser.add_argument("--beam-size", type=int)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--precision", default="float32")
    parser.add_argument("--workers", action="store_true", help="a worker for each thread")
    options = parser.parse_args()
    if options.task == "make":
        make(options)
        return
    lines = pathlib.Path(options.lines).read_text(encoding="utf-8").splitlines()
    translate = {"transformers": run_transformers, "ctranslate2": run_ctranslate2}[options.task](options, lines)
    start = time.perf_counter()
    translate()
    seconds = time.perf_counter() - start
    print(f"{len(lines)} lines in {seconds:.3f} s, {len(lines) / seconds:.2f} lines/s", file=sys.stderr)


if __name__ == "__main__":
    main()
