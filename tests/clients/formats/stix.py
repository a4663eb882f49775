"""Parses documents of STIX 2.1 with the library of its committee and writes them again: `stix.py <file>...`.

Prints one line of JSON with what was found in each, and what the library wrote.
"""

import json
import sys
from pathlib import Path

import stix2
from standard import VALIDATED, other_ids, refused


def again(path):
    text = Path(path).read_text()
    document = json.loads(text)
    bundle = stix2.parse(text, allow_custom=False)
    return {
        "types": [one.type for one in bundle.objects],
        "other_ids": other_ids(bundle),
        "refused": refused(document["objects"][:: 1 + len(document["objects"]) // VALIDATED]),
        "written": bundle.serialize(),
    }


print(json.dumps([again(path) for path in sys.argv[1:]]))
