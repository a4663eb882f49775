"""
Asks an edge as programs in Python do: `redis <port> <secret>` by redis-py, `memcached <port> ""` by pymemcache, and
`stale <port of redis> <port of memcached>` by both. Prints what it found.
"""

import json
import sys

HIT, MISS = "203.0.113.9", "198.51.100.1"
GETS = 1000


def refusal(ask):
    try:
        return ask()
    except Exception as error:  # what a library raises is what is looked at
        return f"{type(error).__name__}: {error}"


def of_redis(port, secret):
    import redis

    found = {}
    for protocol in (2, 3):
        client = redis.Redis("127.0.0.1", port, password=secret or None, protocol=protocol, decode_responses=True)
        pipeline = client.pipeline(transaction=False)
        for _ in range(GETS):
            pipeline.get(HIT).get(MISS)
        wrapped = client.pipeline()
        wrapped.get(HIT)
        wrapped.get(MISS)
        found[f"resp{protocol}"] = {
            "hits": len({client.get(HIT) for _ in range(GETS)}),
            "misses": {client.get(MISS) for _ in range(GETS)} == {None},
            "mget": [value is not None for value in client.mget(HIT, MISS, HIT)],
            "pipelined": [value is not None for value in pipeline.execute()] == [True, False] * GETS,
            "wrapped": refusal(wrapped.execute),
            # On the same connection: nothing of what was wrapped is left.
            "after": json.loads(client.get(HIT))["value"],
            "exists": client.exists(HIT, HIT, MISS),
            "ttl": [client.ttl(HIT), client.ttl(MISS)],
            "type": [client.type(HIT), client.type(MISS)],
            "set": refusal(lambda: client.set("a", "b")),
            "long": refusal(lambda: client.get("x" * 2049)),
            "still": json.loads(client.get(HIT))["value"],
            "loading": client.info()["loading"],
            "size": client.dbsize(),
            "ping": client.ping(),
        }
    wrong = redis.Redis("127.0.0.1", port, password="wrong", username="default")
    found["wrong"] = refusal(lambda: wrong.get(MISS))
    return found


def of_memcached(port):
    from pymemcache.client.base import Client

    client = Client(("127.0.0.1", port), default_noreply=False, timeout=20)
    found = {
        "hits": len({client.get(HIT) for _ in range(GETS)}),
        "misses": {client.get(MISS) for _ in range(GETS)} == {None},
        "many": sorted(client.get_many([HIT, MISS, *(f"{i}.example" for i in range(GETS))])),
        "gets": client.gets(HIT)[1].decode(),
        "set": refusal(lambda: client.set("k", "v" * 100_000)),
        "quiet": [client.set("k", "version\r\n", noreply=True), client.delete("k", noreply=True)],
        "incr": refusal(lambda: client.incr("k", 1)),
        "long": refusal(lambda: client.raw_command(b"get " + b"x" * 251)),
        "still": json.loads(client.get(HIT))["value"],
        "items": client.stats()[b"curr_items"],
        "version": client.version().decode(),
    }
    client.close()
    return found


def of_stale(port, memcached_port):
    """What a program is told by a server that does not know."""
    import redis
    from pymemcache.client.base import Client

    cache = redis.Redis("127.0.0.1", port)
    memory = Client(("127.0.0.1", memcached_port), timeout=20)
    asks = {
        "get": lambda: cache.get(MISS),
        "mget": lambda: cache.mget(MISS, HIT),
        "exists": lambda: cache.exists(MISS),
        "pipeline": lambda: cache.pipeline(transaction=False).get(MISS).execute(),
        "memory": lambda: memory.get(MISS),
        "many": lambda: memory.get_many([MISS, HIT]),
    }
    return {"ping": cache.ping(), **{name: refusal(ask) for name, ask in asks.items()}}


name, port, more = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if name == "redis":
    print(json.dumps(of_redis(port, more)))
elif name == "memcached":
    print(json.dumps(of_memcached(port)))
else:
    print(json.dumps(of_stale(port, int(more))))
