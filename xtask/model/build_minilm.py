"""Builds the form of all-MiniLM-L6-v2 that is fast on CPUs: a graph of fused operators, int8 weights per channel.

    pip install -r requirements.txt
    python build_minilm.py model.safetensors model.onnx [--fp32]

Inputs  input_ids, attention_mask: int64 [batch, sequence], sequence <= 512.
Output  embedding: float32 [batch, 384], the mean over the mask, of unit length.

The graph uses Attention and BiasGelu of ONNX Runtime's own operators. The int8 form takes one
scale for the activations of a whole batch, so it runs one text at a time. The same input gives the same bytes.
"""

import argparse
import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

LAYERS, HIDDEN, HEADS, EPSILON = 6, 384, 12, 1e-12
OPSET, IR_VERSION = 21, 10
RUNTIME = "com.microsoft"


class Graph:
    """Nodes and weights, in the order in which they are added."""

    def __init__(self):
        self.nodes, self.weights, self.names = [], [], set()

    def const(self, name, array):
        if name not in self.names:
            self.names.add(name)
            self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def ints(self, name, *values):
        return self.const(name, np.array(values, np.int64))

    def op(self, kind, inputs, output=None, domain="", **attributes):
        output = output or f"{kind}_{len(self.nodes)}"
        name = f"n{len(self.nodes)}_{kind}"
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, name=name, **attributes))
        return output


def embeddings(g, tensor):
    """Words, positions and the one type of token that a single text has."""
    positions = tensor("embeddings.position_embeddings.weight") + tensor("embeddings.token_type_embeddings.weight")[0]
    words = g.op("Gather", [g.const("words", tensor("embeddings.word_embeddings.weight")), "input_ids"])
    length = g.op("Gather", [g.op("Shape", ["input_ids"]), g.ints("one", 1)], axis=0)
    position = g.op("Slice", [g.const("positions", positions), g.ints("zero", 0), length, g.ints("axis0", 0)])
    norm = [
        g.const("ln_w", tensor("embeddings.LayerNorm.weight")),
        g.const("ln_b", tensor("embeddings.LayerNorm.bias")),
    ]
    return g.op("LayerNormalization", [g.op("Add", [words, position]), *norm], epsilon=EPSILON, axis=-1)


def transformer_layer(g, tensor, x, mask, layer):
    """One layer: attention and two dense steps, each with its residual and norm."""

    def weight(name):
        return tensor(f"encoder.layer.{layer}.{name}.weight").T

    def bias(name):
        return tensor(f"encoder.layer.{layer}.{name}.bias")

    def matmul(y, name):
        return g.op("MatMul", [y, g.const(f"{name}_w{layer}", weight(name))])

    def add_norm(y, skip, dense, norm):
        # Not SkipLayerNormalization, which does all of this in one: its kernel in ONNX Runtime 1.32 is a scalar loop and took
        # 18 % of the time. Sessions must leave out the optimiser that would put it back (SkipLayerNormFusion).
        biased = g.op("Add", [y, g.const(f"{dense}_b{layer}", bias(dense))])
        scale = g.const(f"{norm}_w{layer}", tensor(f"encoder.layer.{layer}.{norm}.weight"))
        inputs = [g.op("Add", [biased, skip]), scale, g.const(f"{norm}_b{layer}", bias(norm))]
        return g.op("LayerNormalization", inputs, epsilon=EPSILON, axis=-1)

    parts = [f"attention.self.{name}" for name in ("query", "key", "value")]
    inputs = [
        x,
        g.const(f"qkv_w{layer}", np.concatenate([weight(name) for name in parts], 1)),
        g.const(f"qkv_b{layer}", np.concatenate([bias(name) for name in parts])),
        mask,
    ]
    attention = g.op("Attention", inputs, domain=RUNTIME, num_heads=HEADS)
    dense = "attention.output.dense"
    x = add_norm(matmul(attention, dense), x, dense, "attention.output.LayerNorm")
    y = matmul(x, "intermediate.dense")
    y = g.op("BiasGelu", [y, g.const(f"intermediate_b{layer}", bias("intermediate.dense"))], domain=RUNTIME)
    return add_norm(matmul(y, "output.dense"), x, "output.dense", "output.LayerNorm")


def pool(g, x, mask):
    """The mean of the tokens, at unit length: dividing the sum by its own length leaves the count of tokens out."""
    weighted = g.op("Mul", [x, g.op("Unsqueeze", [mask, g.ints("axis2", 2)])])
    pooled = g.op("ReduceSum", [weighted, g.ints("axis1", 1)], keepdims=0)
    square = g.op("ReduceSum", [g.op("Mul", [pooled, pooled]), g.ints("last", -1)], keepdims=1)
    g.op("Div", [pooled, g.op("Sqrt", [square])], "embedding")


def build(weights):
    g = Graph()

    def tensor(name):
        return weights[name].astype(np.float32)

    x = embeddings(g, tensor)
    mask_of_attention = g.op("Cast", ["attention_mask"], to=TensorProto.INT32)
    mask_of_mean = g.op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    for layer in range(LAYERS):
        x = transformer_layer(g, tensor, x, mask_of_attention, layer)
    pool(g, x, mask_of_mean)

    shape = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", HIDDEN])
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, [output], g.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIME, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def quantize(model, target):
    """Weights to int8, one scale a channel: one scale a tensor loses 7 % of the cosine to f32."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "fp32.onnx"
        onnx.save(model, source)
        quantize_dynamic(
            source,
            target,
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Attention", "Gather"],
            extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("target", help="the ONNX file to write")
    parser.add_argument("--fp32", action="store_true", help="the same graph with its weights as they are")
    args = parser.parse_args()
    model = build(load_file(args.source))
    if args.fp32:
        onnx.save(model, args.target)
    else:
        quantize(model, args.target)


main()
