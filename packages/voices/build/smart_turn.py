"""The network that hears whether a speaker has finished."""
import re

import numpy
from safetensors.numpy import save_file

from tensors import add_matrix, initial_values, name_of_product


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
