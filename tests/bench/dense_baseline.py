"""Measures dense retrieval with onnxruntime in Python over the passages that `wikirag eval` made: a second way to the same
figures, which shares no code with the first.

    pip install onnxruntime==1.32.0 tokenizers numpy
    python dense_baseline.py MODEL_FOLDER WORK BEIR_FOLDER...

MODEL_FOLDER holds model.onnx and tokenizer.json, WORK is the `--work` of an earlier `wikirag eval`. Every passage is embedded
by itself, in windows of at most 256 tokens whose vectors are averaged by their length; every question is compared with every
passage. Prints nDCG@10 of each set, and the tokens embedded in a second.
"""

import json
import math
import os
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

WINDOW = 256  # tokens that the model sees, [CLS] and [SEP] among them


class Embedder:
    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        model = os.path.join(folder, "model.onnx")
        self.sessions = [
            # As in the plugin: an optimiser that puts a slow operator into the graph, and rounds otherwise, is left out.
            onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
            )
            for _ in range(len(os.sched_getaffinity(0)))
        ]
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.tokens = 0

    def one(self, session, text):
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        first, last = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        total = np.zeros(384, np.float64)
        for window in windows(encoding.ids, encoding.word_ids):
            row = np.array([[first, *window, last]], np.int64)
            (vector,) = session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})
            total += vector[0].astype(np.float64) * max(len(window), 1)
            self.tokens += row.shape[1]
        return (total / np.linalg.norm(total)).astype(np.float32)

    def all(self, texts):
        def part(number):
            return [self.one(self.sessions[number], text) for text in texts[number :: len(self.sessions)]]

        with ThreadPoolExecutor(len(self.sessions)) as pool:
            parts = list(pool.map(part, range(len(self.sessions))))
        vectors = [None] * len(texts)
        for number, found in enumerate(parts):
            vectors[number :: len(self.sessions)] = found
        return np.stack(vectors)


def windows(ids, words):
    """As few windows as can be, of about equal length, cut between words."""
    room = WINDOW - 2
    start = 0
    while len(ids) - start > room:
        rest = len(ids) - start
        end = start + math.ceil(rest / math.ceil(rest / room))
        earliest = end - room // 4
        while end > earliest and words[end] == words[end - 1]:
            end -= 1
        yield ids[start:end]
        start = end
    yield ids[start:]


def text_of(title, headings, passage):
    """What the layer embeds: title, headings and passage, a line each, nothing twice in a row."""
    lines = []
    for line in (line.strip() for line in [title, *headings]):
        if line and lines[-1:] != [line]:
            lines.append(line)
    opening = next((line.strip("# \t\r") for line in passage.split("\n") if line.strip("# \t\r")), None)
    if lines and lines[-1] == opening:
        lines.pop()
    return "\n".join([*lines, passage])


def passages(work, name):
    catalog = sqlite3.connect(f"file:{work}/{name}/.index/catalog.db?mode=ro", uri=True)
    catalog.text_factory = bytes
    texts = dict(catalog.execute("SELECT document, text FROM texts"))
    documents = {row[0]: row[1:] for row in catalog.execute("SELECT id, path, title FROM documents")}
    for document, start, end, headings in catalog.execute("SELECT document, start, end, headings FROM chunks ORDER BY id"):
        path, title = (value.decode() for value in documents[document])
        passage = texts[document][start:end].decode()
        yield unquote(os.path.basename(path)[: -len(".md")]), text_of(title, json.loads(headings), passage)


def ndcg(ranking, grades):
    gain = lambda gains: sum(grade / math.log2(rank + 2) for rank, grade in enumerate(gains[:10]))
    best = gain(sorted((grade for grade in grades.values() if grade > 0), reverse=True))
    return gain([max(grades.get(document, 0), 0) for document in ranking]) / best


def main():
    folder, work, *sets = sys.argv[1:]
    embedder = Embedder(folder)
    for beir in sets:
        name = os.path.basename(os.path.normpath(beir))
        ids, texts = zip(*passages(work, name))
        start, before = time.perf_counter(), embedder.tokens
        matrix = embedder.all(list(texts))
        speed = (embedder.tokens - before) / (time.perf_counter() - start)
        grades = {}
        with open(os.path.join(beir, "qrels.tsv")) as lines:
            for line in list(lines)[1:]:
                question, document, grade = line.rstrip("\n").split("\t")
                grades.setdefault(question, {})[document] = int(grade)
        questions = [json.loads(line) for line in open(os.path.join(beir, "queries.jsonl")) if line.strip()]
        questions = [one for one in questions if any(grade > 0 for grade in grades.get(one["_id"], {}).values())]
        vectors = embedder.all([one["text"] for one in questions])
        found = []
        for one, vector in zip(questions, vectors):
            order = np.argsort(-(matrix @ vector), kind="stable")
            ranking = list(dict.fromkeys(ids[at] for at in order[:2000]))
            found.append(ndcg(ranking, grades[one["_id"]]))
        print(f"{name}: nDCG@10 {sum(found) / len(found):.4f} over {len(found)} questions, {len(texts)} passages, {speed:.0f} tokens/s")


main()
