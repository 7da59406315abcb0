"""Makes the data of this package from the Python packages that README.md names.

    pip download --no-deps hibari-tts==0.2.1 && unzip hibari_tts-*.whl -d hibari
    pip download --no-deps py-nanotts==0.1.1 && unzip py_nanotts-*.whl -d nanotts
    pip install numpy onnx safetensors
    python build.py hibari/hibari/assets nanotts/py_nanotts/lang

The voices of Pico are copied as they are.

The voice of hibari is a graph that multiplies by matrices of 8-bit weights. The graph itself is written down in
`engines/hibari` of @parlando/local-service, so only the weights are kept.
"""
import gzip
import json
import re
import shutil
import sys
from pathlib import Path

import numpy
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

assets = Path(sys.argv[1])
pico = Path(sys.argv[2])
here = Path(__file__).parent


def initial_values(path):
    graph = onnx.load(str(path)).graph
    return graph, {value.name: numpy_helper.to_array(value) for value in graph.initializer}


def add_matrix(tensors, name, matrix, scales=None):
    """Adds a matrix with one row per output, padded to a width that is a multiple of 8."""
    padded = numpy.pad(matrix, ((0, 0), (0, -matrix.shape[1] % 8)))
    if scales is None:
        scales = numpy.maximum(numpy.abs(padded).max(1), 1e-9) / 127
        padded = numpy.round(padded / scales[:, None])
    tensors[f"{name}.weight"] = numpy.ascontiguousarray(padded).astype(numpy.int8)
    tensors[f"{name}.scale"] = scales.astype(numpy.float32)


def name_of_product(graph, values, product):
    """The name of the bias that is added to a product, without its last part: graphs do not name their matrices."""
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    name = product
    while True:
        for node in users[name]:
            biases = [other for other in node.input if other in values]
            if node.op_type == "Add" and biases:
                return re.sub(r"[._]bias$", "", biases[0])
        name = users[name][0].output[0]


def convert(source, target):
    graph, values = initial_values(source)
    tensors = {}
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            quantized = node.input[1]
            scale = values[quantized.replace("_quantized", "_scale")]
            assert values[quantized.replace("_quantized", "_zero_point")] == 0
            name = name_of_product(graph, values, node.output[0])
            matrix = values[quantized].T
            add_matrix(tensors, name, matrix, numpy.full(matrix.shape[0], scale))
        elif node.op_type == "MatMul" and node.input[1] in values:
            add_matrix(tensors, name_of_product(graph, values, node.output[0]), values[node.input[1]].T)
    for name, value in values.items():
        if not re.match(r"(m|pn)\.", name):
            continue
        if name.endswith(".weight") and value.ndim == 3 and value.shape[1] > 1:
            # A convolution as a product: its taps one after the other.
            add_matrix(tensors, name[: -len(".weight")], value.transpose(0, 2, 1).reshape(value.shape[0], -1))
        elif value.ndim == 3:
            tensors[name] = numpy.ascontiguousarray(value.squeeze(1).T).astype(numpy.float32)
        else:
            tensors[re.sub(r"_bias$", ".bias", name)] = value.astype(numpy.float32)
    save_file(tensors, str(target))


def write_table(target, rows):
    """Writes lines of a key and a value, in the order of their bytes, so that a reader can search them as they are."""
    lines = sorted(f"{key}\t{value}\n".encode() for key, value in rows)
    with open(target, "wb") as file:
        file.write(gzip.compress(b"".join(lines), 9, mtime=0))


def pronunciation(entry):
    """One pronunciation, or one per part of speech: `DEFAULT=…;VBD=…`."""
    if isinstance(entry, str):
        return entry
    return ";".join(f"{tag}={sounds or ''}" for tag, sounds in entry.items())


def read_json(name):
    path = assets / name
    return json.loads((gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()).decode())


def write_json(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


for folder in ("heart", "english", "british", "pico"):
    (here / folder).mkdir(exist_ok=True)
convert(assets / "hibari.onnx", here / "heart/weights.safetensors")
for folder, accent, network in (("english", "us", "oov"), ("british", "gb", "oov_gb")):
    convert(assets / f"{network}.onnx", here / folder / "unknown-words.safetensors")
    for quality in ("gold", "silver"):
        entries = read_json(f"lexicon_{accent}_{quality}.json.gz")
        rows = ((word, pronunciation(entry)) for word, entry in entries.items())
        write_table(here / folder / f"{quality}.txt.gz", rows)
tagger = read_json("tagger.json.gz")
tags = tagger["tags"]
write_table(here / "english/tags.txt.gz", tagger["tagdict"].items())
frequent = set(tagger["vocab"])
write_table(
    here / "english/features.txt.gz",
    (
        (feature, " ".join(f"{tags.index(tag)}:{weight:g}" for tag, weight in weights.items()))
        for feature, weights in tagger["weights"].items()
    ),
)
write_table(here / "english/frequent-words.txt.gz", ((word, "") for word in frequent))
unknown = read_json("oov.json")
write_json(
    here / "english/english.json",
    {
        "phonemes": read_json("vocab.json"),
        "tags": tags,
        "letters": unknown["in"],
        "sounds": unknown["out"],
        "contractions": read_json("tokenizer_exceptions.json"),
    },
)
unknown = read_json("oov_gb.json")
write_json(here / "british/british.json", {"letters": unknown["in"], "sounds": unknown["out"]})
for file in pico.glob("*.bin"):
    # American English has better voices.
    if not file.name.startswith("en-US"):
        shutil.copyfile(file, here / "pico" / file.name)
