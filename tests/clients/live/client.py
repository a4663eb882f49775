"""What clients in Python are told live: `changes <url> <count>`, `socket <url> <count>`, `webhook <secret> <file>`.

Credentials are in API_KEY and API_SECRET. Prints JSON.
"""
import json
import os
import sys

import httpx
from httpx_sse import connect_sse
from standardwebhooks import Webhook
from websockets.sync.client import connect

HEADERS = {"api-key": os.environ.get("API_KEY", ""), "api-secret": os.environ.get("API_SECRET", "")}
# A connection is left after so many changes, and the next one goes on behind the last.
AT_ONCE = 2
TIMEOUT = httpx.Timeout(60)


def some(client, url, headers, most):
    """The next changes, at most so many, and the id of the last event."""
    found = []
    with connect_sse(client, "GET", url, headers=headers) as source:
        # The place of the connection before may not be free yet.
        if source.response.status_code == 429:
            return found, None
        source.response.raise_for_status()
        print("open", flush=True)
        for event in source.iter_sse():
            if event.event == "change":
                found.append(json.loads(event.data))
            if len(found) == most:
                return found, event.id
    raise SystemExit("the stream ended")


def changes(url, count):
    found, last = [], None
    with httpx.Client(timeout=TIMEOUT) as client:
        while len(found) < count:
            headers = HEADERS if last is None else {**HEADERS, "last-event-id": last}
            more, cursor = some(client, url, headers, min(AT_ONCE, count - len(found)))
            found += more
            last = cursor or last
    return found


def socket(url, count):
    ticket = httpx.get(url + "/ticket", headers=HEADERS).raise_for_status().json()["ticket"]
    with connect(url.replace("http", "ws", 1) + "?ticket=" + ticket) as opened:
        print("open", flush=True)
        return [json.loads(opened.recv(timeout=60)) for _ in range(count)]


def webhook(secret, file):
    """The body of a request that was kept as {"headers", "body"}; an error unless it is from whoever has the secret."""
    with open(file, encoding="utf-8") as kept:
        request = json.load(kept)
    return Webhook(secret).verify(request["body"], request["headers"])


name, first, second = sys.argv[1:]
told = webhook(first, second) if name == "webhook" else {"changes": changes, "socket": socket}[name](first, int(second))
print(json.dumps(told))
