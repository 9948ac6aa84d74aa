#!/usr/bin/env python3
"""Makes the files for translation_parity: the first updates of a PyTorch translator on real sentences.

    python3 translation_parity.py PROGRAM DATA FOLDER [--attention none] [--updates 20] [--seed 1234] [--threads 1]
    translation_parity FOLDER/weights.safetensors FOLDER/batches.json

PROGRAM is a Python file with read_tokens, build_vocab, encode, batches, collate, init_weights and a Seq2Seq whose
layers are named as in NAMES below. DATA is a folder with train.en and train.de, one sentence per line. Nothing but
FOLDER is written.
"""
import argparse
import importlib.util
import json
import pathlib
import random
import sys

import torch

sys.dont_write_bytecode = True  # no __pycache__ among the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "fixtures"))

import fixture_format
from translator_cases import train

# The layers of PROGRAM's Seq2Seq -> those of nn::RecurrentTranslator.
NAMES = {
    "src_emb": "encoder.embedding",
    "encoder": "encoder.rnn",
    "bridge": "encoder.fc",
    "tgt_emb": "decoder.embedding",
    "w_dec": "decoder.attention.W_dec",
    "w_enc": "decoder.attention.W_enc",
    "v": "decoder.attention.v",
    "decoder": "decoder.rnn",
    "out": "decoder.output.fc_out",
}


def load_program(path):
    spec = importlib.util.spec_from_file_location("torch_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def our_name(name):
    layer, _, parameter = name.partition(".")
    return f"{NAMES[layer]}.{parameter}"


def first_batches(program, data, updates, seed):
    """The batches that the program's training would begin with, and the sizes of the vocabularies."""
    texts = [program.read_tokens(data / f"train.{language}") for language in ("en", "de")]
    vocabularies = [program.build_vocab(text, 2) for text in texts]
    sides = [program.encode(text, ids) for text, (_, ids) in zip(texts, vocabularies)]
    pairs = list(zip(*sides))
    plan = program.batches(pairs, 64, random.Random(seed))[:updates]
    names = ("src", "src_lengths", "tgt_in", "tgt_out")
    batches = [dict(zip(names, program.collate(pairs, index))) for index in plan]
    return batches, [len(words) for words, _ in vocabularies]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--attention", choices=["additive", "none"], default="additive")
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1234)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    program = load_program(options.program)
    batches, sizes = first_batches(program, options.data, options.updates, options.seed)
    model = program.Seq2Seq(*sizes, dropout=0.0, attention=options.attention == "additive")
    program.init_weights(model)
    weights = {our_name(name): parameter for name, parameter in model.state_dict().items()}
    options.folder.mkdir(parents=True, exist_ok=True)
    fixture_format.write_safetensors(options.folder / "weights.safetensors", weights)
    losses, norms = train(model, batches)
    result = {
        "source_vocab": sizes[0],
        "target_vocab": sizes[1],
        "attention": options.attention,
        "batches": [{name: x.tolist() for name, x in batch.items()} for batch in batches],
        "losses": losses,
        "norms": norms,
    }
    (options.folder / "batches.json").write_text(json.dumps(result, separators=(",", ":")))
    print(f"{len(batches)} updates, loss {losses[0]:.4f} -> {losses[-1]:.4f}, in {options.folder}")


if __name__ == "__main__":
    main()
