"""Reads graphs of ONNX, and makes matrices of 8-bit weights of them."""
import re

import numpy
import onnx
from onnx import numpy_helper


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
    while name in users:
        for node in users[name]:
            biases = [other for other in node.input if other in values]
            if node.op_type == "Add" and biases:
                return re.sub(r"[._]bias$", "", biases[0])
        name = users[name][0].output[0]
    raise ValueError(f"Its product {product} has no bias.")
