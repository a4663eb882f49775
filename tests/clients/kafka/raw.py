"""Writes records exactly as they are given: raw.py <brokers> < records.jsonl

Each line: topic, partition, codec, timestamp (or null), key, value and headers as [name, value] pairs; key and values
in base64, or null. Prints the records that the broker refused, as JSON.
"""

import base64
import json
import sys

from confluent_kafka import Producer

BROKERS = sys.argv[1]
# Far beyond what clients allow by default: the broker counts compressed bytes.
LARGEST = 200_000_000

producers = {}
refused = []


def unpacked(text):
    return None if text is None else base64.b64decode(text)


def producer_of(codec):
    if codec not in producers:
        settings = {"bootstrap.servers": BROKERS, "compression.type": codec, "message.max.bytes": LARGEST}
        producers[codec] = Producer(settings)
    return producers[codec]


for line in sys.stdin:
    record = json.loads(line)
    producer = producer_of(record["codec"])
    times = {} if record["timestamp"] is None else {"timestamp": record["timestamp"]}

    def delivered(error, _, name=record["name"]):
        if error is not None:
            refused.append([name, str(error)])

    producer.produce(
        record["topic"],
        partition=record["partition"],
        key=unpacked(record["key"]),
        value=unpacked(record["value"]),
        headers=[(name, unpacked(value)) for name, value in record["headers"]],
        on_delivery=delivered,
        **times,
    )
    # One after the other: several codecs are several connections, which would overtake each other.
    producer.flush(30)

print(json.dumps(refused))
