"""Prints what the phonemiser of hibari makes of each line of the input, with `_` for a space inside a word."""

import sys

from hibari.g2p import G2P
from hibari.g2p.normalize import normalize

phonemizer = G2P()


def phonemize(text):
    tokens = phonemizer.phonemize_tokens(phonemizer.tokenize(normalize(text)))
    parts = ((token.phonemes or '').replace(' ', '_') + token.whitespace for token in tokens)
    return ''.join(parts).strip()


for line in sys.stdin:
    print(phonemize(line.rstrip('\n')))
