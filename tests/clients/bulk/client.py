"""Streams lines of JSON from standard input to a platform and prints its verdicts while it sends.

Usage: client.py <url of the platform> <header>=<value> ...
Half of the lines are sent only after a verdict has been read: a server that answers at the end only would never end.
Prints each verdict, then `first verdict after <n> of <m> lines`.
"""

import http.client
import json
import sys
import threading
import urllib.parse

url = urllib.parse.urlsplit(sys.argv[1])
headers = dict(given.split("=", 1) for given in sys.argv[2:])
lines = sys.stdin.buffer.read().splitlines(keepends=True)

connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
connection.putrequest("POST", "/api/ingest/v1/entities")
for name, value in {"content-type": "application/x-ndjson", "transfer-encoding": "chunked", **headers}.items():
    connection.putheader(name, value)
connection.endheaders()

first = threading.Event()
sent = 0
sent_before_first = []


def read() -> None:
    response = connection.getresponse()
    if response.status != 200:
        print(response.status, response.read().decode(), file=sys.stderr)
        first.set()
        return
    for verdict in iter(response.readline, b""):
        if not first.is_set():
            sent_before_first.append(sent)
            first.set()
        json.loads(verdict)
        sys.stdout.write(verdict.decode())


reader = threading.Thread(target=read)
reader.start()
for at, line in enumerate(lines):
    if at == len(lines) // 2 and not first.wait(30):
        sys.exit("no verdict after half of the lines")
    connection.send(b"%x\r\n%s\r\n" % (len(line), line))
    sent = at + 1
connection.send(b"0\r\n\r\n")
reader.join(60)
print(f"first verdict after {sent_before_first[0]} of {len(lines)} lines")
