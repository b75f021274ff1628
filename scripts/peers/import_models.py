"""import_models.py: random models of other programs, and what the originals compute, for import.py."""
import argparse
import json
import math
import os
import subprocess
import sys

import numpy as np
import sentencepiece
import torch
import transformers
from safetensors.torch import save_file

EXPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "export-checkpoint.py")
SMALL = dict(d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
             decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128)


def train_spm(prefix, paths, size, **more):
    sentencepiece.SentencePieceTrainer.train(
        input=",".join(paths), model_prefix=prefix, vocab_size=size, character_coverage=0.995,
        num_threads=1, minloglevel=2, input_sentence_size=2000, hard_vocab_limit=False, **more)
    os.remove(prefix + ".vocab")
    return sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")


def draw(model, seed):
    """Weights large enough that outputs depend on inputs."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if "embed_positions" in name:
                continue
            if "norm" in name:
                value.copy_(torch.randn(value.shape) * 0.1 + (1 if name.endswith("weight") else 0))
            elif "embed" in name or "shared" in name:
                value.copy_(torch.randn(value.shape) * value.shape[1] ** -0.5)
            else:
                value.copy_(torch.randn(value.shape) * (0.2 if value.dim() == 1 else 0.15))
            if "encoder_attn." in name:  # translations that depend on their sources
                value *= 2.5
        last = (model.model.decoder.layers[-1].final_layer_norm
                if hasattr(model, "final_logits_bias") else model.model.decoder.layer_norm)
        # Scores that differ. Signs part a state from the token that was read: where tables are tied,
        # a word would follow itself for ever.
        last.weight *= 3 * (torch.randint(0, 2, last.weight.shape) * 2 - 1)
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias.copy_(torch.randn(model.final_logits_bias.shape) * 0.3)
        else:
            last.bias.copy_(torch.randn(last.bias.shape) * 0.5)
    return model.eval()


def lift_end(model, eos, lift):
    """Adds to the score of the end, whatever the state."""
    with torch.no_grad():
        if hasattr(model, "final_logits_bias"):
            model.final_logits_bias[0, eos] += lift
        elif model.lm_head.bias is not None:
            model.lm_head.bias[eos] += lift
        else:  # a direction that the last norm adds to every state
            direction = model.model.decoder.layer_norm.bias
            model.model.shared.weight[eos] += direction / direction.norm() ** 2 * lift


class Original:
    """A model, its pieces, and how text becomes numbers."""

    def __init__(self, model, spm, tokens, eos, prefix=(), first=None):
        self.model, self.spm, self.eos, self.prefix = model, spm, eos, list(prefix)
        self.first = [] if first is None else [first]  # what each translation begins with
        self.tokens = tokens  # by number
        self.ends_source = True  # with </s>, as targets do
        self.numbers = {token: i for i, token in enumerate(tokens)}

    def encode(self, line, side, prefix=()):
        unk = self.numbers["<unk>"]
        ids = [self.numbers.get(piece, unk) for piece in self.spm[side].encode(line, out_type=str)]
        return list(prefix) + ids + ([self.eos] if side == 1 or self.ends_source else [])

    def decode(self, ids):
        skipped = {"<s>", "</s>", "<pad>", "<blank>"}
        pieces = [self.tokens[i] for i in ids]
        pieces = [p for p in pieces if p not in skipped and not p.startswith("__")]
        return self.spm[1].decode(pieces).replace("\n", " ")

    def by_length(self, lines):
        """(numbers of lines, their ids): of lines that have as many tokens."""
        sources = [self.encode(line, 0, self.prefix) for line in lines]
        for length in sorted({len(ids) for ids in sources}):
            these = [i for i, ids in enumerate(sources) if len(ids) == length]
            yield these, [sources[i] for i in these]

    def run_sample(self, lines, steps, **more):
        """All at once, padded: what it makes of some lines, roughly."""
        sources = [self.encode(line, 0, self.prefix) for line in lines]
        length, pad = max(map(len, sources)), self.model.config.pad_token_id
        with torch.no_grad():
            return self.model.generate(
                torch.tensor([ids + [pad] * (length - len(ids)) for ids in sources]),
                attention_mask=torch.tensor([[1] * len(ids) + [0] * (length - len(ids))
                                             for ids in sources]),
                do_sample=False, max_new_tokens=steps, output_logits=True,
                return_dict_in_generate=True, forced_eos_token_id=None,
                forced_bos_token_id=(self.first or [None])[0], **more)

    def let_end(self, lines, steps=40):
        """Most lines end within so many tokens, and not all of them at once: whether it is so."""
        for _ in range(3):  # the end is read, too: without a bias the first step is another then
            logits = torch.stack(self.run_sample(lines, steps, min_new_tokens=steps).logits, 1)
            ends = logits[:, :, self.eos].clone()
            logits[:, :, self.eos] = -math.inf
            gaps = (logits.max(-1).values - ends)[:, 8:].min(1).values
            lift_end(self.model, self.eos, float(gaps.quantile(0.7)))
        found = {tuple(ids) for ids in self.run_sample(lines, steps).sequences[:, 1:].tolist()
                 if self.eos in ids[4:]}
        return len(found) >= len(lines) // 3

    def generate(self, ids, beam):
        """Sources of one length: nothing is padded, and the limit of all is the same."""
        more = dict(num_beams=beam, early_stopping=True, length_penalty=1.0) if beam > 1 else {}
        with torch.no_grad():
            done = self.model.generate(
                torch.tensor(ids), do_sample=False, max_new_tokens=2 * len(ids[0]) + 10,
                output_logits=True, output_scores=True, return_dict_in_generate=True,
                forced_eos_token_id=None, forced_bos_token_id=(self.first or [None])[0], **more)
        for i, found in enumerate(done.sequences[:, 1:].tolist()):
            if self.eos not in found:
                # Cut by the limit: only one of the two adds an end; scores say nothing there.
                yield self.decode(found), None, len(found)
                continue
            found = found[:found.index(self.eos) + 1]
            if beam > 1:
                yield self.decode(found), float(done.sequences_scores[i]), len(found)
            else:
                steps = [torch.log_softmax(s[i], -1)[t] for s, t in zip(done.logits, found)]
                yield (self.decode(found), float(sum(steps[len(self.first):])) / len(steps),
                       len(found))

    def translate(self, lines, beam):
        out = [None] * len(lines)
        for these, ids in self.by_length(lines):
            for i, found in zip(these, self.generate(ids, beam)):
                out[i] = found
        return out

    def score(self, lines, targets):
        out = []
        for line, target in zip(lines, targets):
            source, wanted = self.encode(line, 0, self.prefix), self.encode(target, 1, self.first)
            start = self.model.config.decoder_start_token_id
            with torch.no_grad():
                logits = self.model(input_ids=torch.tensor([source]),
                                    decoder_input_ids=torch.tensor([[start] + wanted[:-1]])).logits
            steps = torch.log_softmax(logits[0].double(), -1)
            steps = steps[torch.arange(len(wanted)), torch.tensor(wanted)]
            out.append((float(steps[len(self.first):].sum()), len(wanted)))
        return out


def settle(kind, args, make):
    """An original by make(): of the first seed with which translations are worth comparing."""
    for _ in range(40):
        original = make()
        if original.let_end(args.sample):
            break
        kind.seed += 100
    return original


class Kind:
    options, tags, penalty = [], [], ["--penalty", "fairseq", "-n", "1"]

    def path(self, folder):
        return folder

    def peers(self, model):
        """(name, how ours ranks as it does, what translates)."""
        return [("transformers", self.penalty, model.translate)]


def write_json(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False)


def pieces_of(spm):
    return [spm.id_to_piece(i) for i in range(spm.get_piece_size())
            if not spm.is_control(i) and not spm.is_unknown(i)]


# ---- transformers --------------------------------------------------------------------------------


class HuggingfaceMarian(Kind):
    def __init__(self, name, activation="swish", shared=True, seed=1):
        self.name, self.activation, self.shared, self.seed = name, activation, shared, seed

    def vocabulary(self, folder, args):
        spm = [train_spm(os.path.join(folder, side), args.text, size, **args.spm)
               for side, size in (("source", args.pieces), ("target", args.pieces * 4 // 5))]
        for side in ("source", "target"):
            os.rename(os.path.join(folder, side + ".model"), os.path.join(folder, side + ".spm"))
        joint = list(dict.fromkeys(pieces_of(spm[0]) + pieces_of(spm[1])))
        return spm, ["</s>", "<unk>"] + joint + ["<pad>"]

    def build(self, tokens, args, **more):
        config = transformers.MarianConfig(
            vocab_size=len(tokens), decoder_vocab_size=len(tokens), pad_token_id=len(tokens) - 1,
            eos_token_id=0, bos_token_id=0, decoder_start_token_id=len(tokens) - 1,
            forced_eos_token_id=None, activation_function=self.activation, scale_embedding=True,
            max_position_embeddings=args.positions, share_encoder_decoder_embeddings=self.shared,
            **{**args.sizes, **more})
        model = transformers.MarianMTModel(config)
        model = draw(model, self.seed)
        with torch.no_grad():
            for table in {id(t): t for t in (model.get_encoder().embed_tokens,
                                             model.get_decoder().embed_tokens)}.values():
                table.weight[config.pad_token_id] = 0
        model.generation_config.bad_words_ids = [[len(tokens) - 1]]
        model.generation_config.forced_eos_token_id = None
        return model

    def make(self, folder, args):
        os.makedirs(folder, exist_ok=True)
        spm, tokens = self.vocabulary(folder, args)
        write_json(folder, "vocab.json", {token: i for i, token in enumerate(tokens)})
        write_json(folder, "target_vocab.json", {token: i for i, token in enumerate(tokens)})
        original = settle(self, args, lambda: Original(self.build(tokens, args), spm, tokens, 0))
        original.model.save_pretrained(folder)
        return original


class HuggingfaceM2M(Kind):
    def __init__(self, name, activation="relu", scale=True, seed=2):
        self.name, self.activation, self.scale, self.seed = name, activation, scale, seed

    tags = ["--tag", "<en>", "--target-tag", "<de>"]

    def build(self, tokens, args):
        config = transformers.M2M100Config(
            vocab_size=len(tokens), pad_token_id=1, eos_token_id=2, bos_token_id=0,
            decoder_start_token_id=2, activation_function=self.activation,
            scale_embedding=self.scale, max_position_embeddings=args.positions,
            encoder_layerdrop=0.0, decoder_layerdrop=0.0, **args.sizes)
        model = draw(transformers.M2M100ForConditionalGeneration(config), self.seed)
        model.generation_config.bad_words_ids = [[1]]
        model.generation_config.forced_eos_token_id = None
        return model

    def vocabulary(self, folder, args):
        spm = train_spm(os.path.join(folder, "sentencepiece.bpe"), args.text, args.pieces,
                        model_type="bpe", **args.spm)
        return [spm, spm], ["<s>", "<pad>", "</s>", "<unk>"] + pieces_of(spm)

    def make(self, folder, args):
        os.makedirs(folder, exist_ok=True)
        spm, tokens = self.vocabulary(folder, args)
        write_json(folder, "vocab.json", {token: i for i, token in enumerate(tokens)})
        languages = ["__de__", "__en__", "__fr__"]
        write_json(folder, "special_tokens_map.json", {"additional_special_tokens": languages})
        tokens = tokens + languages + ["madeupword0000", "madeupword0001"]
        original = settle(self, args, lambda: Original(
            self.build(tokens, args), spm, tokens, 2, [tokens.index("__en__")],
            tokens.index("__de__")))
        original.model.save_pretrained(folder)
        return original


# ---- Marian --------------------------------------------------------------------------------------


def spaced(count, dim):
    """Marian's positions (src/tensors, sinusoidalPositionEmbeddings)."""
    steps = np.exp(-math.log(10000) / (dim // 2 - 1) * np.arange(dim // 2))
    angles = np.arange(count)[:, None] * steps
    return np.concatenate([np.sin(angles), np.cos(angles)], 1)


MARIAN = {"self_attn.q_proj": "self_{}q", "self_attn.k_proj": "self_{}k",
          "self_attn.v_proj": "self_{}v", "self_attn.out_proj": "self_{}o",
          "encoder_attn.q_proj": "context_{}q", "encoder_attn.k_proj": "context_{}k",
          "encoder_attn.v_proj": "context_{}v", "encoder_attn.out_proj": "context_{}o",
          "fc1": "ffn_{}1", "fc2": "ffn_{}2", "self_attn_layer_norm": "self_Wo_ln_{}",
          "encoder_attn_layer_norm": "context_Wo_ln_{}", "final_layer_norm": "ffn_ffn_ln_{}"}


def marian_arrays(model, pad, shared):
    """Marian's names, for the weights of a model of transformers; no row for padding."""
    arrays = {}
    for name, value in model.state_dict().items():
        parts, value = name.split("."), value.numpy()
        if name.startswith(("model.encoder.layers", "model.decoder.layers")):
            tail, what = ".".join(parts[4:-1]), parts[-1]
            letters = (dict(weight="scale", bias="bias") if "norm" in tail
                       else dict(weight="W", bias="b"))
            target = f"{parts[1]}_l{int(parts[3]) + 1}_" + MARIAN[tail].format(letters[what])
            arrays[target] = value.T if value.ndim == 2 else value[None]
    source = model.get_encoder().embed_tokens.weight.detach().numpy()[:pad]
    target = model.get_decoder().embed_tokens.weight.detach().numpy()[:pad]
    if shared:
        arrays["Wemb"] = source
    else:
        arrays["encoder_Wemb"], arrays["decoder_Wemb"] = source, target
    arrays["decoder_ff_logit_out_b"] = model.final_logits_bias.numpy()[:, :pad]
    return {name: np.ascontiguousarray(value) for name, value in arrays.items()}


YML = """bert-train-type-embeddings: true
dec-depth: {dec}
dim-emb: {dim}
dim-vocabs:
  - {vocab}
  - {vocab}
enc-depth: {enc}
input-types:
  []
layer-normalization: false
lemma-dim-emb: 0
output-omit-bias: false
right-left: false
skip: false
tied-embeddings: {tied}
tied-embeddings-all: {all}
tied-embeddings-src: false
transformer-decoder-autoreg: self-attention
transformer-dim-ffn: {ffn}
transformer-ffn-activation: {activation}
transformer-ffn-depth: 2
transformer-guided-alignment-layer: last
transformer-heads: {heads}
transformer-no-projection: false
transformer-postprocess: dan
transformer-postprocess-emb: d
transformer-postprocess-top: ""
transformer-preprocess: ""
transformer-tied-layers:
  []
transformer-train-position-embeddings: false
type: transformer
version: v1.12.0
"""


class Marian(HuggingfaceMarian):
    """The same networks with Marian's positions and epsilon, as an .npz under Marian's names."""

    def peers(self, model):
        found = super().peers(model)
        if model.peer is not None:
            found.append(("CTranslate2", ["--penalty", "none"], model.translate_peer))
        return found

    def __init__(self, name, compressed=False, **more):
        super().__init__(name, **more)
        self.compressed = compressed

    def build(self, tokens, args, **more):
        model = super().build(tokens, args, **more)
        model.final_logits_bias[0, len(tokens) - 1] = -1e9
        for side in (model.get_encoder(), model.get_decoder()):
            table = torch.tensor(spaced(args.positions, model.config.d_model), dtype=torch.float32)
            side.embed_positions.weight.data.copy_(table)
        for module in model.modules():
            if isinstance(module, torch.nn.LayerNorm):
                module.eps = 1e-6
        return model

    def make(self, folder, args):
        os.makedirs(folder, exist_ok=True)
        spm, tokens = self.vocabulary(folder, args)
        model = settle(self, args, lambda: Original(self.build(tokens, args), spm, tokens, 0)).model
        pad, dim = len(tokens) - 1, model.config.d_model
        arrays = marian_arrays(model, pad, self.shared)
        text = YML.format(dec=model.config.decoder_layers, enc=model.config.encoder_layers,
                          dim=dim, ffn=model.config.encoder_ffn_dim, vocab=pad,
                          heads=model.config.encoder_attention_heads, activation=self.activation,
                          all=str(self.shared).lower(), tied=str(not self.shared).lower())
        arrays["special:model.yml"] = np.frombuffer(text.encode() + b"\0", dtype=np.int8)
        save = np.savez_compressed if self.compressed else np.savez
        save(os.path.join(folder, "model.npz"), **arrays)
        with open(os.path.join(folder, "vocab.yml"), "w", encoding="utf-8") as file:
            for i, token in enumerate(tokens[:pad]):
                quoted = token.replace("\\", "\\\\").replace('"', '\\"')
                file.write(f'"{quoted}": {i}\n')
        return MarianOriginal(model, spm, tokens, 0, folder)


class MarianOriginal(Original):
    """Asks CTranslate2, too, with Marian's positions in place of those that it makes."""

    def __init__(self, model, spm, tokens, eos, folder):
        super().__init__(model, spm, tokens, eos)
        self.peer, dim = None, model.config.d_model
        try:
            import ctranslate2
            from ctranslate2.converters import marian
        except ImportError:
            return
        marian._make_sinusoidal_position_encodings = lambda *a, **b: spaced(512, dim).astype("f")
        vocab = os.path.join(folder, "vocab.yml")
        marian.MarianConverter(os.path.join(folder, "model.npz"), [vocab, vocab]).convert(
            folder + "-ct2", force=True)
        self.peer = ctranslate2.Translator(folder + "-ct2", compute_type="float32")

    def translate_peer(self, lines, beam):
        cut = [self.spm[0].encode(line, out_type=str) for line in lines]
        out = []
        for pieces in cut:
            found = self.peer.translate_batch(
                [pieces], beam_size=beam, length_penalty=0, return_scores=True,
                min_decoding_length=0, max_decoding_length=2 * (len(pieces) + 1) + 10)[0]
            length = len(found.hypotheses[0])
            out.append((self.spm[1].decode(found.hypotheses[0]),
                        found.scores[0] if length < 2 * (len(pieces) + 1) + 10 else None, length + 1))
        return out

    def score(self, lines, targets):
        ours = super().score(lines, targets)
        if self.peer is None:
            return ours
        cut = [[self.spm[0].encode(line, out_type=str) for line in lines],
               [self.spm[1].encode(line, out_type=str) for line in targets]]
        found = self.peer.score_batch(*cut)
        worst = max(abs(sum(a.log_probs) - b) / n for a, (b, n) in zip(found, ours))
        print(f"  CTranslate2 and transformers agree within {worst:.1e} per token "
              "(layer norm: 1e-5 there)")
        return ours


# ---- exported checkpoints ------------------------------------------------------------------------


class Fairseq(HuggingfaceM2M):
    """M2M-100 of transformers is fairseq's Transformer: the same weights under fairseq's names."""

    tags = []

    def make(self, folder, args):
        os.makedirs(folder, exist_ok=True)
        spm, tokens = self.vocabulary(folder, args)
        model = settle(self, args,
                       lambda: Original(self.build(tokens, args), spm, tokens, 2)).model
        state = {name.removeprefix("model."): value for name, value in model.state_dict().items()}
        state["decoder.output_projection.weight"] = state.pop("lm_head.weight")
        state.pop("shared.weight")
        state["encoder.version"] = torch.tensor([3.0])
        state["encoder.embed_positions._float_tensor"] = torch.zeros(1)
        config = argparse.Namespace(
            arch="transformer", activation_fn=self.activation, share_all_embeddings=True,
            share_decoder_input_output_embed=True, no_scale_embedding=not self.scale,
            max_source_positions=args.positions)
        for side in ("encoder", "decoder"):
            for name, value in dict(embed_dim=model.config.d_model,
                                    ffn_embed_dim=model.config.encoder_ffn_dim,
                                    attention_heads=model.config.encoder_attention_heads,
                                    layers=getattr(model.config, side + "_layers"),
                                    normalize_before=True, learned_pos=False).items():
                setattr(config, f"{side}_{name}", value)
        path = os.path.join(folder, "checkpoint.pt")
        torch.save(dict(args=config, model=state), path)
        dictionary = os.path.join(folder, "dict.txt")
        with open(dictionary, "w", encoding="utf-8") as file:
            file.writelines(f"{token} 1\n" for token in tokens[4:])
        subprocess.run([sys.executable, EXPORT, "fairseq", path, folder, "--dict", dictionary,
                        dictionary], check=True)
        self.options = ["--spm", os.path.join(folder, "sentencepiece.bpe.model")]
        return Original(model, spm, tokens, 2)


OPENNMT = {"self_attn.q_proj": "self_attn.linear_query", "self_attn.k_proj": "self_attn.linear_keys",
           "self_attn.v_proj": "self_attn.linear_values",
           "self_attn.out_proj": "self_attn.final_linear",
           "encoder_attn.q_proj": "context_attn.linear_query",
           "encoder_attn.k_proj": "context_attn.linear_keys",
           "encoder_attn.v_proj": "context_attn.linear_values",
           "encoder_attn.out_proj": "context_attn.final_linear",
           "fc1": "feed_forward.w_1", "fc2": "feed_forward.w_2",
           "final_layer_norm": "feed_forward.layer_norm", "encoder_attn_layer_norm": "layer_norm_2"}


def without_end(original):
    """OpenNMT-py puts no </s> behind a source."""
    original.ends_source = False
    return original


class OpenNMT(HuggingfaceM2M):
    """A model of transformers made into OpenNMT-py's network: positions, epsilon, bias, <s> first."""

    tags = []

    def vocabulary(self, folder, args):
        spm, tokens = super().vocabulary(folder, args)
        return spm, ["<unk>", "<blank>", "<s>", "</s>"] + tokens[4:]

    def build(self, tokens, args):
        config = transformers.M2M100Config(
            vocab_size=len(tokens), pad_token_id=1, eos_token_id=3, bos_token_id=2,
            decoder_start_token_id=2, activation_function=self.activation, scale_embedding=True,
            max_position_embeddings=args.positions, encoder_layerdrop=0.0, decoder_layerdrop=0.0,
            **args.sizes)
        model = draw(transformers.M2M100ForConditionalGeneration(config), self.seed)
        table = model.model.shared.weight
        model.lm_head = torch.nn.Linear(config.d_model, len(tokens))
        model.lm_head.weight = table
        model.lm_head.bias.data.copy_(torch.randn(len(tokens)) * 0.3)
        steps = np.power(10000, -np.arange(0, config.d_model, 2) / config.d_model)
        angles = np.arange(args.positions)[:, None] * steps
        rows = torch.zeros(args.positions + 2, config.d_model)
        rows[2:, 0::2], rows[2:, 1::2] = torch.tensor(np.sin(angles)), torch.tensor(np.cos(angles))
        for side in (model.get_encoder(), model.get_decoder()):
            side.embed_positions.weights = rows
            side.embed_positions.make_weights = lambda *a: None
        for module in model.modules():
            if isinstance(module, torch.nn.LayerNorm):
                module.eps = 1e-6
        model.generation_config.bad_words_ids = [[1]]
        model.generation_config.forced_eos_token_id = None
        return model.eval()

    def make(self, folder, args):
        os.makedirs(folder, exist_ok=True)
        spm, tokens = self.vocabulary(folder, args)
        model = settle(self, args,
                       lambda: without_end(Original(self.build(tokens, args), spm, tokens, 3))).model
        rows = model.get_encoder().embed_positions.weights[2:]
        state = {}
        for name, value in model.state_dict().items():
            parts = name.split(".")
            if ".layers." in name:
                side, layer, tail = parts[1], parts[3], ".".join(parts[4:-1])
                first = "layer_norm" if side == "encoder" else "layer_norm_1"
                state[f"{side}.{'transformer' if side == 'encoder' else 'transformer_layers'}."
                      f"{layer}.{OPENNMT.get(tail, first)}.{parts[-1]}"] = value
            elif "layer_norm" in name:
                state[name.removeprefix("model.")] = value
        for side in ("encoder", "decoder"):
            state[f"{side}.embeddings.make_embedding.emb_luts.0.weight"] = \
                model.model.shared.weight.detach()
            state[f"{side}.embeddings.make_embedding.pe.pe"] = rows[:, None]
        options = argparse.Namespace(
            encoder_type="transformer", decoder_type="transformer", position_encoding=True,
            hidden_size=model.config.d_model, heads=model.config.encoder_attention_heads,
            transformer_ff=model.config.encoder_ffn_dim, enc_layers=model.config.encoder_layers,
            dec_layers=model.config.decoder_layers, max_relative_positions=0,
            pos_ffn_activation_fn=self.activation, self_attn_type="scaled-dot",
            share_embeddings=True, share_decoder_embeddings=True, src_word_vec_size=model.config.d_model)
        generator = {"weight": model.lm_head.weight.detach(), "bias": model.lm_head.bias.detach()}
        path = os.path.join(folder, "model.pt")
        torch.save(dict(opt=options, model=state, generator=generator,
                        vocab=dict(src=tokens, tgt=tokens)), path)
        subprocess.run([sys.executable, EXPORT, "opennmt", path, folder], check=True)
        self.options = ["--spm", os.path.join(folder, "sentencepiece.bpe.model")]
        return without_end(Original(model, spm, tokens, 3))


KINDS = [
    HuggingfaceMarian("hf-marian-swish"),
    HuggingfaceMarian("hf-marian-relu-separate", activation="relu", shared=False, seed=3),
    HuggingfaceMarian("hf-marian-gelu", activation="gelu", seed=4),
    HuggingfaceM2M("hf-m2m100"),
    HuggingfaceM2M("hf-m2m100-unscaled-gelu", activation="gelu", scale=False, seed=5),
    Marian("marian-npz-swish", seed=6),
    Marian("marian-npz-relu-separate", activation="relu", shared=False, compressed=True, seed=7),
    Fairseq("fairseq", seed=8),
    OpenNMT("opennmt", seed=9),
]


def make_large(folder):
    """A MarianMT model as OPUS-MT has them: 75 million parameters."""
    os.makedirs(folder, exist_ok=True)
    tokens = ["</s>", "<unk>"] + [f"p{i}" for i in range(58098)] + ["<pad>"]
    config = transformers.MarianConfig(
        vocab_size=len(tokens), decoder_vocab_size=len(tokens), d_model=512, encoder_layers=6,
        decoder_layers=6, encoder_attention_heads=8, decoder_attention_heads=8,
        encoder_ffn_dim=2048, decoder_ffn_dim=2048, activation_function="swish",
        pad_token_id=len(tokens) - 1, eos_token_id=0, decoder_start_token_id=len(tokens) - 1,
        scale_embedding=True, max_position_embeddings=512)
    model = transformers.MarianMTModel(config)
    print(sum(p.numel() for p in model.parameters()) / 1e6, "million parameters")
    model.save_pretrained(folder)
    write_json(folder, "vocab.json", {token: i for i, token in enumerate(tokens)})
