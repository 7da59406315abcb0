"""Transcribes WAV files of 16 kHz with Whisper base, and predicts their mean opinion score (1 to 5) with Distill-MOS.

Arguments: the folder of Whisper in the format of CTranslate2, then the files. Prints a line of JSON for each file.
"""

import json
import sys
import types

# The command line of Distill-MOS reads files with torchaudio, which is not needed here.
sys.modules['torchaudio'] = types.ModuleType('torchaudio')

import soundfile
import torch
from distillmos import ConvTransformerSQAModel
from faster_whisper import WhisperModel

torch.set_num_threads(1)
judge = ConvTransformerSQAModel().eval()
folder, *paths = sys.argv[1:]
whisper = WhisperModel(folder, device='cpu', compute_type='int8', cpu_threads=1)
for path in paths:
    samples, rate = soundfile.read(path, dtype='float32')
    assert rate == 16000
    segments, _ = whisper.transcribe(samples, language='en', without_timestamps=True)
    text = ' '.join(segment.text for segment in segments)
    with torch.no_grad():
        opinion = judge(torch.from_numpy(samples)[None]).item()
    print(json.dumps({'text': text, 'opinion': opinion}), flush=True)
