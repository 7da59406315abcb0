"""Prints what the given integrations of the installed Home Assistant need from Python's registry, one a line."""

import importlib.util
import json
import pathlib
import sys

package = importlib.util.find_spec("homeassistant").submodule_search_locations[0]
components = pathlib.Path(package) / "components"
seen: set[str] = set()
waiting = sys.argv[1:]
while waiting:
    name = waiting.pop()
    manifest = components / name / "manifest.json"
    if name in seen or not manifest.exists():
        continue
    seen.add(name)
    about = json.loads(manifest.read_text())
    waiting += about.get("dependencies", [])
    for requirement in about.get("requirements", []):
        print(requirement)
