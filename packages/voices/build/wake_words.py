"""The networks of wake words, and the network that those of openWakeWord share."""
import base64
import json

import numpy
import tflite
from safetensors.numpy import save_file

from tensors import add_matrix, initial_values


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
