"""Documents of feeds as the libraries of others read them: `read.py <folder>` prints one JSON line with what each found.

The folder has one file for each format, by its name, and `addresses.json` with the addresses to look up.
"""

import csv
import json
import sys
from pathlib import Path

import dns.rdatatype
import dns.zone
import maxminddb
import pyarrow.parquet
import stix2
from pymisp import MISPEvent
from standard import VALIDATED, other_ids, refused

folder = Path(sys.argv[1])


def rpz():
    zone = dns.zone.from_file(str(folder / "rpz"), origin="rpz.harrier.", relativize=True)
    names = [(str(name), str(data.target)) for name, _, data in zone.iterate_rdatas(dns.rdatatype.CNAME)]
    return {"serial": zone.get_soa().serial, "names": names}


def mmdb():
    with maxminddb.open_database(str(folder / "mmdb")) as database:
        networks = sum(1 for _ in database)
        found = [database.get(address) for address in json.loads((folder / "addresses.json").read_text())]
    return {"networks": networks, "found": found}


def stix():
    document = json.loads((folder / "stix").read_text())
    bundle = stix2.parse(document, allow_custom=False)
    return {
        "objects": len(bundle.objects),
        "other_ids": other_ids(bundle),
        "duplicates": len(bundle.objects) - len({one.id for one in bundle.objects}),
        "refused": refused(document["objects"][:: 1 + len(document["objects"]) // VALIDATED]),
    }


def misp():
    event = MISPEvent()
    event.load_file(str(folder / "misp"))
    attributes = [[one.type, one.value, one.to_ids, sorted(tag.name for tag in one.tags)] for one in event.attributes]
    return {"info": event.info, "tags": [tag.name for tag in event.tags], "attributes": attributes}


def table(path):
    with open(folder / path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def lines():
    with open(folder / "text", newline="", encoding="utf-8") as file:
        return file.read().splitlines()


def ndjson():
    with open(folder / "ndjson", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def parquet():
    rows = pyarrow.parquet.read_table(folder / "parquet")
    return {"columns": [f"{field.name} {field.type}" for field in rows.schema], "values": rows.column("value").to_pylist()}


found = {"rpz": rpz(), "mmdb": mmdb(), "stix": stix(), "misp": misp()}
found |= {"text": lines(), "csv": table("csv"), "ndjson": ndjson()}
if (folder / "parquet").exists():
    found["parquet"] = parquet()
print(json.dumps(found))
