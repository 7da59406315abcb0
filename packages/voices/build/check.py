"""Compares the data of this package with checksums.json, after `npm run format` has formatted it."""
import hashlib
import json
import sys
from pathlib import Path

here = Path(__file__).parent.parent


def main():
    """Names each file that is missing or different, and fails if there is one."""
    checksums = json.loads((here / "checksums.json").read_text())
    different = [path for path, checksum in checksums.items() if checksum_of(here / path) != checksum]
    for path in different:
        print(f"{path} is missing or is another file than the one of checksums.json.", file=sys.stderr)
    sys.exit(1 if different else 0)


def checksum_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


if __name__ == "__main__":
    main()
