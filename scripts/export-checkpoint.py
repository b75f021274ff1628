#!/usr/bin/env python3
"""export-checkpoint.py: a checkpoint of fairseq or OpenNMT-py, or pytorch_model.bin, as safetensors.

Dragoman executes no pickles. This script loads one, with PyTorch, and writes what `dragoman import`
reads: model.safetensors, config.json, and copies of the vocabularies.

    export-checkpoint.py fairseq checkpoint.pt OUT --dict dict.en.txt dict.de.txt
    export-checkpoint.py opennmt model.pt OUT
    export-checkpoint.py huggingface FOLDER FOLDER   (pytorch_model.bin -> model.safetensors)
"""
import argparse
import json
import os
import shutil
import types

import torch
from safetensors.torch import save_file

FAIRSEQ = """activation_fn adaptive_input adaptive_softmax_cutoff cross_self_attention
layernorm_embedding max_source_positions no_cross_attention no_scale_embedding
no_token_positional_embeddings share_all_embeddings share_decoder_input_output_embed""".split()
FAIRSEQ += [side + name for side in ("encoder_", "decoder_") for name in
            "attention_heads embed_dim ffn_embed_dim layers layers_to_keep learned_pos "
            "normalize_before".split()]
OPENNMT = """add_ffnbias add_qkvbias copy_attn dec_hid_size dec_layers dec_rnn_size
decoder_start_token decoder_type enc_hid_size enc_layers enc_rnn_size encoder_type
generator_function heads hidden_size layer_norm max_relative_positions multiquery norm_eps
num_experts num_kv parallel_residual pos_ffn_activation_fn position_encoding position_encoding_type
relative_positions_buckets self_attn_type share_decoder_embeddings share_embeddings
shared_layer_norm sliding_window src_word_vec_size tgt_word_vec_size transformer_ff""".split()


def chosen(options, names):
    """Those of a namespace or a dictionary that say what the network is."""
    options = options if isinstance(options, dict) else vars(options)
    return {name: options[name] for name in names if options.get(name) is not None}


def write(out, tensors, config=None):
    os.makedirs(out, exist_ok=True)
    # Tied matrices are written as often as they have names: `import` compares them.
    tensors = {name: value.detach().clone().contiguous() for name, value in tensors.items()}
    save_file(tensors, os.path.join(out, "model.safetensors"), metadata={"format": "pt"})
    if config is not None:
        with open(os.path.join(out, "config.json"), "w", encoding="utf-8") as file:
            json.dump(config, file, indent=2)


def split_projections(tensors):
    """Old versions of fairseq have one matrix for queries, keys and values."""
    for name in [name for name in tensors if ".in_proj_" in name]:
        base, what = name.split("in_proj_")
        for which, part in zip("qkv", tensors.pop(name).chunk(3)):
            tensors[f"{base}{which}_proj.{what}"] = part
    return tensors


def fairseq(args, checkpoint):
    options = checkpoint.get("args") or checkpoint["cfg"]["model"]
    config = dict(model_type="fairseq", **chosen(options, FAIRSEQ))
    write(args.out, split_projections(dict(checkpoint["model"])), config)
    for side, path in zip(("source", "target"), args.dict):
        shutil.copyfile(path, os.path.join(args.out, f"dict.{side}.txt"))


def opennmt(args, checkpoint):
    tensors = dict(checkpoint["model"])
    tensors.update({"generator." + name: value for name, value in checkpoint["generator"].items()})
    options = chosen(checkpoint["opt"], OPENNMT)
    write(args.out, tensors, dict(model_type="opennmt", **options))
    vocab = checkpoint["vocab"]
    for side, name in (("source", "src"), ("target", "tgt")):
        tokens = vocab[name]
        if not isinstance(tokens, list):  # fields of torchtext, of older versions
            tokens = tokens.fields[0][1].vocab.itos
        with open(os.path.join(args.out, f"vocab.{side}.txt"), "w", encoding="utf-8") as file:
            file.writelines(token + "\n" for token in tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=("fairseq", "opennmt", "huggingface"))
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--dict", nargs=2, default=[], help="fairseq: dictionaries of both sides")
    parser.add_argument("--unsafe", action="store_true",
                        help="load a pickle that may execute anything: of people whom you trust")
    args = parser.parse_args()
    path = args.checkpoint
    if args.program == "huggingface":
        path = os.path.join(path, "pytorch_model.bin")
    torch.serialization.add_safe_globals([argparse.Namespace, types.SimpleNamespace])
    checkpoint = torch.load(path, map_location="cpu", weights_only=not args.unsafe)
    if args.program == "huggingface":
        write(args.out, checkpoint)
    else:
        (fairseq if args.program == "fairseq" else opennmt)(args, checkpoint)


if __name__ == "__main__":
    main()
