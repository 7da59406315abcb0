"""The networks of hibari: the voice Heart, and words in no list."""
import re

import numpy
from safetensors.numpy import save_file

from tensors import add_matrix, initial_values, name_of_product


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
