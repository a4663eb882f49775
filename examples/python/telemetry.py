"""Sends sensor events to Harrier, over Kafka, to be matched with known indicators.

    pip install confluent-kafka fastavro
    harrier feed register sensors --trust 0.5 --owner customer:<id>
    export KAFKA_BROKERS=127.0.0.1:9092 SCHEMA_REGISTRY_URL=http://127.0.0.1:8081/apis/ccompat/v7
    python telemetry.py
"""

import os
import time

from confluent_kafka import Producer

from producer import framed, newest_schema

BROKERS = os.environ["KAFKA_BROKERS"]
FEED = os.environ.get("FEED", "sensors")
TOPIC = os.environ.get("TOPIC", "telemetry.events")


def events():
    """A question for a name with its answers, and a file."""
    seen_at = int(time.time() * 1000)
    yield {
        "feed": FEED,
        # What is sent again under the same id counts once.
        "id": f"dns-{seen_at}",
        "at": seen_at,
        "kind": "dns",
        "host": "pc-7",
        "fields": {"query": ["cdn.bad.example"], "answers": ["203.0.113.44", "203.0.113.45"]},
        "ref": "CHhAvVGS1DHFjwGM9",
    }
    # Without an id one follows from the content.
    yield {
        "feed": FEED,
        "at": seen_at,
        "kind": "file",
        "fields": {"sha256": ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"]},
    }


def main():
    schema_id, schema = newest_schema("telemetry.events-value")
    producer = Producer({"bootstrap.servers": BROKERS, "enable.idempotence": True, "compression.type": "zstd"})
    refused = []

    def delivered(error, _message):
        if error is not None:
            refused.append(str(error))

    for event in events():
        # One key for what has to stay in order: the machine is a good one.
        producer.produce(TOPIC, key=event.get("host"), value=framed(schema_id, schema, event), on_delivery=delivered)
        producer.poll(0)
    left = producer.flush(30)
    if refused or left:
        raise SystemExit(f"not written: {refused}, {left} without an answer")
    print("written")


if __name__ == "__main__":
    main()
