-- What answers which networks an address is in, and which marks cover what lies under them: two small tables beside
-- `entities`, fed from it, so that neither question reads all entities. Every statement may run twice.

-- The cidr entities by place, with what an answer about an address shows of them. IPv4 stands among IPv6 as
-- ::ffff:a.b.c.d, so `bits` counts from 0 to 128 for both.
CREATE TABLE IF NOT EXISTS $table(networks) (
  key UInt64,
  audience UInt64,
  bits UInt8,
  start IPv6,
  value String,
  version UInt64,
  reputation Int8,
  accuracy UInt8,
  well_known UInt8,
  tags Array(String),
  last_seen DateTime64(3, 'UTC')
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (audience, bits, start)
SETTINGS $once;

$distributed(networks, key);

-- OrDefault and OrZero: a row that could not be read must not keep a batch from being stored.
CREATE MATERIALIZED VIEW IF NOT EXISTS $table(networks_feed) TO $local(networks) AS
SELECT key, audience,
  toUInt8(toUInt8OrZero(splitByChar('/', value)[2]) + if(position(value, ':') = 0, 96, 0)) AS bits,
  toIPv6OrDefault(splitByChar('/', value)[1]) AS start, value,
  version, reputation, accuracy, well_known, tags, last_seen
FROM $local(entities) WHERE type = 'cidr';

-- Marks that cover what lies under them (bit 4 of `well_known`), each with when it was stored last.
CREATE TABLE IF NOT EXISTS $table(covering_marks) (
  added DateTime64(3, 'UTC'),
  key UInt64,
  type String,
  value String
)
ENGINE = $engine(ReplacingMergeTree, added)
ORDER BY (type, value)
SETTINGS $once;

$distributed(covering_marks, key);

CREATE MATERIALIZED VIEW IF NOT EXISTS $table(covering_marks_feed) TO $local(covering_marks) AS
SELECT now64(3) AS added, key, type, value FROM $local(entities) WHERE bitAnd(well_known, 4) != 0;

-- What was stored before the views were there; no mark covered anything then.
INSERT INTO networks (key, audience, bits, start, value, version, reputation, accuracy, well_known, tags, last_seen)
SELECT key, audience,
  toUInt8(toUInt8OrZero(splitByChar('/', value)[2]) + if(position(value, ':') = 0, 96, 0)) AS bits,
  toIPv6OrDefault(splitByChar('/', value)[1]) AS start, value,
  version, reputation, accuracy, well_known, tags, last_seen
FROM entities WHERE type = 'cidr';
