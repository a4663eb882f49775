-- An insert that was cut off between `entities` and its views left out rows of these tables for good (ADR 185). Rows that
-- `recency` lacks leave its 32 days by themselves. Every statement may run twice.
INSERT INTO networks (key, audience, bits, start, value, version, reputation, accuracy, well_known, tags, last_seen)
SELECT key, audience,
  toUInt8(toUInt8OrZero(splitByChar('/', value)[2]) + if(position(value, ':') = 0, 96, 0)) AS bits,
  toIPv6OrDefault(splitByChar('/', value)[1]) AS start, value,
  version, reputation, accuracy, well_known, tags, last_seen
FROM entities WHERE type = 'cidr' AND (key, audience, version) NOT IN (SELECT key, audience, version FROM networks);

INSERT INTO covering_marks (added, key, type, value)
SELECT now64(3) AS added, key, type, value
FROM entities WHERE bitAnd(well_known, 4) != 0 AND (type, value) NOT IN (SELECT type, value FROM covering_marks);
