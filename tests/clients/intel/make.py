"""Documents as the producers' own libraries write them: `make.py <folder>` leaves stix.json, bare.json and misp.json."""

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import stix2
from pymisp import MISPEvent, MISPObject
from stix2.v21 import observables as sco

folder = Path(sys.argv[1])
now = datetime.now(timezone.utc)
DAY = timedelta(days=1)


def indicator(pattern, **rest):
    return stix2.Indicator(pattern=pattern, pattern_type="stix", **{"valid_from": now - 400 * DAY, **rest})


def stix():
    amber_strict = stix2.MarkingDefinition(
        id="marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003",
        created="2022-10-01T00:00:00.000Z",
        name="TLP:AMBER+STRICT",
        extensions={
            "extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d": {
                "extension_type": "property-extension",
                "tlp_2_0": "amber+strict",
            }
        },
        allow_custom=True,
    )
    terms = stix2.MarkingDefinition(
        definition_type="statement", definition=stix2.StatementMarking(statement="Copyright 2026, somebody")
    )
    malware = stix2.Malware(name="Evilware", is_family=True, aliases=["Badware"], object_marking_refs=[terms])
    group = stix2.IntrusionSet(name="Bad Set", aliases=["Worse Set"])
    tool = stix2.Tool(name="PsExec")
    technique = stix2.AttackPattern(
        name="Phishing", external_references=[{"source_name": "mitre-attack", "external_id": "T1566"}]
    )
    open_ = indicator("[ipv4-addr:value = '8.8.1.1']", confidence=50, object_marking_refs=[stix2.TLP_WHITE])
    sure = indicator("[ipv4-addr:value = '8.8.1.2']", confidence=85, valid_until=now + 30 * DAY)
    over = indicator("[ipv4-addr:value = '8.8.1.3']", valid_until=now - 30 * DAY)
    revoked = indicator("[ipv4-addr:value = '8.8.1.4']", revoked=True)
    red = indicator("[domain-name:value = 'red.example']", object_marking_refs=[stix2.TLP_RED])
    strict = indicator("[domain-name:value = 'strict.example']", object_marking_refs=[amber_strict])
    granular = indicator(
        "[domain-name:value = 'granular.example']",
        granular_markings=[{"selectors": ["pattern"], "marking_ref": stix2.TLP_AMBER}],
    )
    traffic = indicator(
        "[network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '8.8.1.5' "
        "AND network-traffic:dst_port = 53 AND network-traffic:protocols[*] = 'udp']"
    )
    address = sco.IPv4Address(value="8.8.1.6")
    name = sco.DomainName(value="seen.example", resolves_to_refs=[address])
    folder_ = sco.Directory(path="C:\\Temp")
    file = sco.File(name="a.exe", size=3, hashes={"MD5": "d41d8cd98f00b204e9800998ecf8427e"}, parent_directory_ref=folder_)
    process = sco.Process(command_line="a.exe -x", image_ref=file)
    observed = stix2.ObservedData(
        first_observed=now - DAY, last_observed=now, number_observed=1, object_refs=[name, address]
    )
    relations = [
        stix2.Relationship(open_, "indicates", malware),
        stix2.Relationship(group, "uses", malware),
        stix2.Relationship(group, "uses", tool),
        stix2.Relationship(group, "uses", technique),
        stix2.Relationship(red, "indicates", malware),
        stix2.Relationship(malware, "communicates-with", red),
    ]
    sighting = stix2.Sighting(open_, last_seen=now - 7 * DAY, observed_data_refs=[observed], count=2)
    markings = [amber_strict, terms, stix2.TLP_WHITE, stix2.TLP_RED, stix2.TLP_AMBER]
    things = [malware, group, tool, technique, open_, sure, over, revoked, red, strict, granular, traffic]
    return stix2.Bundle(
        *markings, *things, address, name, folder_, file, process, observed, *relations, sighting, allow_custom=True
    )


def misp():
    event = MISPEvent()
    event.info = "Operation Test"
    event.distribution = 3
    event.add_tag("tlp:green")
    event.add_attribute("ip-dst", "8.8.2.1", to_ids=True, distribution=5)
    event.add_attribute("domain", "org.example", to_ids=True, distribution=0)
    event.add_attribute("domain", "community.example", to_ids=True, distribution=1)
    event.add_attribute("domain", "group.example", to_ids=True, distribution=4, sharing_group_id=1)
    event.add_attribute("domain", "tagged.example", to_ids=True).add_tag('tlp:"red"')
    event.add_attribute("domain", "loud.example", to_ids=True).add_tag("TLP:AMBER+STRICT")
    event.add_attribute("domain", "gone.example", to_ids=True).delete()
    domain = MISPObject("domain-ip")
    domain.add_attribute("domain", "object.example", to_ids=True)
    domain.add_attribute("ip", "8.8.2.2", to_ids=True).add_tag("tlp:red")
    file = MISPObject("file")
    file.add_attribute("md5", "0cc175b9c0f1b6a831c399e269772661", to_ids=True)
    file.add_attribute("filename", "b.exe")
    file.distribution = 0
    domain.add_reference(file.uuid, "related-to")
    event.add_object(domain)
    event.add_object(file)
    return event.to_json()


(folder / "stix.json").write_text(stix().serialize())
(folder / "bare.json").write_text(sco.URL(value="http://bare.example/").serialize())
(folder / "misp.json").write_text(misp())
