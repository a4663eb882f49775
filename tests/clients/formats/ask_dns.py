"""A zone as dnspython sees it: `ask_dns.py <port> <questions>` prints as JSON what it got for each question.

A question is `[name, type, how]`: `udp`, `tcp`, `edns` (0, or another version), `size`, `resolver` (as programs ask), `zone` (whose zone the name is in).
dnspython itself refuses answers to other questions, with other ids, and with bytes left over.
"""

import json
import sys

import dns.flags
import dns.message
import dns.query
import dns.rcode
import dns.resolver

SECONDS = 10
PORT = int(sys.argv[1])

resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = ["127.0.0.1"]
resolver.port = PORT
resolver.lifetime = SECONDS


def told(answer):
    return {
        "rcode": dns.rcode.to_text(answer.rcode()),
        "flags": dns.flags.to_text(answer.flags),
        "edns": answer.edns,
        "answers": [line for records in answer.answer for line in records.to_text().split("\n")],
        "authority": [line for records in answer.authority for line in records.to_text().split("\n")],
    }


def ask(name, kind, how):
    if "resolver" in how:
        try:
            return [record.to_text() for record in resolver.resolve(name, kind, search=False)]
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.resolver.NoNameservers) as error:
            return type(error).__name__
    if "zone" in how:
        return dns.resolver.zone_for_name(name, resolver=resolver).to_text()
    query = dns.message.make_query(name, kind, use_edns=how.get("edns", -1), payload=how.get("size"))
    by = dns.query.tcp if "tcp" in how else dns.query.udp
    return told(by(query, "127.0.0.1", timeout=SECONDS, port=PORT))


print(json.dumps([ask(*question) for question in json.loads(sys.argv[2])]))
