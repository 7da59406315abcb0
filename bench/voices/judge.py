"""Predicts the mean opinion score (1 to 5) of each WAV file with Distill-MOS, whose weights are in its package (MIT)."""

import json
import sys
import types

# Its command line reads files with torchaudio, which is not needed here.
sys.modules['torchaudio'] = types.ModuleType('torchaudio')

import soundfile
import torch
from distillmos import ConvTransformerSQAModel

torch.set_num_threads(1)
model = ConvTransformerSQAModel().eval()
scores = []
for path in sys.argv[1:]:
    samples, rate = soundfile.read(path, dtype='float32')
    assert rate == 16000
    with torch.no_grad():
        scores.append(model(torch.from_numpy(samples)[None]).item())
print(json.dumps(scores))
