"""How words of English sound."""
import gzip
import json


def write_words(assets, accent, folder):
    """Writes how words sound: those that people have checked, and others."""
    for quality in ("gold", "silver"):
        entries = read_json(assets / f"lexicon_{accent}_{quality}.json.gz")
        write_table(folder / f"{quality}.txt.gz", ((word, pronunciation(entry)) for word, entry in entries.items()))


def write_english(assets, folder):
    """Writes what the parts of speech of a sentence are found with, and the symbols of the networks."""
    tagger = read_json(assets / "tagger.json.gz")
    tags = tagger["tags"]
    write_table(folder / "tags.txt.gz", tagger["tagdict"].items())
    write_table(folder / "frequent-words.txt.gz", ((word, "") for word in set(tagger["vocab"])))
    features = (
        (feature, " ".join(f"{tags.index(tag)}:{weight:g}" for tag, weight in weights.items()))
        for feature, weights in tagger["weights"].items()
    )
    write_table(folder / "features.txt.gz", features)
    unknown = read_json(assets / "oov.json")
    content = {
        "phonemes": read_json(assets / "vocab.json"),
        "tags": tags,
        "letters": unknown["in"],
        "sounds": unknown["out"],
        "contractions": read_json(assets / "tokenizer_exceptions.json"),
    }
    write_json(folder / "english.json", content)


def write_british(assets, folder):
    unknown = read_json(assets / "oov_gb.json")
    write_json(folder / "british.json", {"letters": unknown["in"], "sounds": unknown["out"]})


def pronunciation(entry):
    """One pronunciation, or one per part of speech: `DEFAULT=…;VBD=…`."""
    if isinstance(entry, str):
        return entry
    return ";".join(f"{tag}={sounds or ''}" for tag, sounds in entry.items())


def write_table(target, rows):
    """Writes lines of a key and a value, in the order of their bytes, so that a reader can search them as they are."""
    lines = sorted(f"{key}\t{value}\n".encode() for key, value in rows)
    with open(target, "wb") as file:
        file.write(gzip.compress(b"".join(lines), 9, mtime=0))


def read_json(path):
    return json.loads((gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode())


def write_json(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")))
