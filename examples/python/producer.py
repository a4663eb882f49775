"""Reports what a honeypot saw to Harrier, over Kafka.

    pip install confluent-kafka fastavro
    harrier feed register honeypots --trust 0.8
    export KAFKA_BROKERS=127.0.0.1:9092 SCHEMA_REGISTRY_URL=http://127.0.0.1:8081/apis/ccompat/v7
    python producer.py
"""

import io
import json
import os
import struct
import time
import urllib.request

import fastavro
from confluent_kafka import Producer

BROKERS = os.environ["KAFKA_BROKERS"]
REGISTRY = os.environ["SCHEMA_REGISTRY_URL"].rstrip("/")
FEED = os.environ.get("FEED", "honeypots")
TOPIC = os.environ.get("TOPIC", "entity.submissions")
SUBJECT = "entity.submissions-value"


def newest_schema(subject=SUBJECT):
    """The id of the newest schema of a subject, and the schema. Harrier registers it when it starts."""
    with urllib.request.urlopen(f"{REGISTRY}/subjects/{subject}/versions/latest", timeout=10) as response:
        version = json.load(response)
    return version["id"], fastavro.parse_schema(json.loads(version["schema"]))


def framed(schema_id, schema, submission):
    """Confluent's wire format: a zero, the id of the schema in four bytes, the record in Avro."""
    body = io.BytesIO()
    body.write(struct.pack(">bI", 0, schema_id))
    # strict: a misspelt field is an error here rather than nothing there.
    fastavro.schemaless_writer(body, schema, submission, strict_allow_default=True)
    return body.getvalue()


def submissions():
    """What was seen: an address that tried passwords, and the file that it left."""
    seen_at = int(time.time() * 1000)
    yield {
        "feed": FEED,
        "observedAt": seen_at,
        "type": "ip",
        "attributes": {"ip": "203.0.113.44", "text": "tried 4,200 passwords over SSH"},
        "reputation": -2,
        "tags": ["brute-force", "ssh"],
        "associations": [
            {"mode": "association", "type": "domain", "attributes": {"domain": "scanner.example.net"}},
        ],
    }
    yield {
        "feed": FEED,
        "observedAt": seen_at,
        "type": "sha3-256",
        "attributes": {"sha3-256": "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
        "reputation": -3,
        "tags": ["dropper"],
    }


def main():
    schema_id, schema = newest_schema()
    # Idempotent: what the client repeats after a lost answer is in the topic once, and in order.
    producer = Producer({"bootstrap.servers": BROKERS, "enable.idempotence": True, "compression.type": "zstd"})
    refused = []

    def delivered(error, _message):
        if error is not None:
            refused.append(str(error))

    for submission in submissions():
        # One key for what has to stay in order: the main value of the entity is a good one.
        key = submission["attributes"][submission["type"]]
        producer.produce(TOPIC, key=key, value=framed(schema_id, schema, submission), on_delivery=delivered)
        producer.poll(0)
    left = producer.flush(30)
    if refused or left:
        raise SystemExit(f"not written: {refused}, {left} without an answer")
    print("written")


if __name__ == "__main__":
    main()
