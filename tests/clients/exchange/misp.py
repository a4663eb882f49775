"""PyMISP as a reader and a writer of events.

`misp.py again <file>...` loads each event and writes it beside the file, as `<file>.again`; `misp.py make <folder>` leaves a
feed: a manifest and events of objects, references, galaxies, sightings, deleted attributes and all kinds of text.
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from pymisp import MISPEvent, MISPGalaxy, MISPObject, MISPOrganisation

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


def again(paths):
    told = []
    for path in paths:
        event = MISPEvent()
        event.load_file(path)
        Path(f"{path}.again").write_text(event.to_json(), encoding="utf-8")
        told.append({"uuid": event.uuid, "attributes": len(event.attributes)})
    return told


def indicators():
    event = MISPEvent()
    event.uuid = "10000000-0000-4000-8000-000000000001"
    event.info = "Ünïcode 中文 \U0001f986 \u202e \"quoted\"\n"
    event.distribution = 3
    event.add_tag("tlp:clear")
    event.add_tag('misp-galaxy:threat-actor="APT 29"')
    event.add_tag("admiralty-scale:source-reliability=\"b\"")
    url = event.add_attribute("url", "http://bad.example/ü?q=中", to_ids=True, first_seen=NOW, last_seen=NOW)
    url.add_tag('veris:actor:motive="Espionage"')
    url.add_sighting({"source": "sensor", "type": "0"})
    event.add_attribute("filename", "счёт \U0001f4a9.exe", to_ids=True)
    event.add_attribute("domain|ip", "both.example|8.8.4.4", to_ids=True)
    event.add_attribute("ip-dst|port", "8.8.4.5|443", to_ids=True)
    event.add_attribute("domain", "only-seen.example", to_ids=False, comment="Kommentar mit Ümläuten")
    event.add_attribute("domain", "gone.example", to_ids=True).delete()
    event.add_attribute("yara", "rule a { condition: true }", to_ids=True)
    return event


def objects():
    event = MISPEvent()
    event.uuid = "10000000-0000-4000-8000-000000000002"
    event.info = "Objects"
    event.distribution = 3
    galaxy = MISPGalaxy()
    galaxy.from_dict(
        type="malpedia",
        name="Malpedia",
        uuid="1d1c9af9-37fa-4deb-a928-f9b0abc7354a",
        GalaxyCluster=[
            {
                "type": "malpedia",
                "value": "Emotet",
                "tag_name": 'misp-galaxy:malpedia="Emotet"',
                "uuid": "d29eb927-d53d-4af2-b6ce-17b3a1b34fe7",
            }
        ],
    )
    event.add_galaxy(galaxy)
    file = MISPObject("file")
    file.add_attribute("md5", "0cc175b9c0f1b6a831c399e269772661", to_ids=True)
    file.add_attribute("sha256", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", to_ids=True)
    file.add_attribute("filename", "a.exe")
    host = MISPObject("domain-ip")
    host.add_attribute("domain", "c2.example", to_ids=True)
    host.add_attribute("ip", "8.8.4.6", to_ids=True)
    file.add_reference(host.uuid, "communicates-with")
    gone = MISPObject("domain-ip")
    gone.add_attribute("domain", "gone-object.example", to_ids=True)
    gone.delete()
    for one in (file, host, gone):
        event.add_object(one)
    return event


def restricted():
    event = MISPEvent()
    event.uuid = "10000000-0000-4000-8000-000000000003"
    event.info = "Restricted"
    event.distribution = 0
    event.add_attribute("domain", "secret.example", to_ids=True)
    return event


def make(folder):
    manifest = {}
    maker = MISPOrganisation()
    maker.from_dict(name="ACME", uuid="20000000-0000-4000-8000-000000000001")
    for event in (indicators(), objects(), restricted()):
        event.timestamp = NOW + timedelta(seconds=len(manifest))
        event.date = NOW.date()
        event.Orgc = maker
        manifest.update(event.manifest)
        Path(folder, f"{event.uuid}.json").write_text(json.dumps({"Event": json.loads(event.to_json())}), encoding="utf-8")
    Path(folder, "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return list(manifest)


command, *rest = sys.argv[1:]
print(json.dumps(again(rest) if command == "again" else make(rest[0])))
