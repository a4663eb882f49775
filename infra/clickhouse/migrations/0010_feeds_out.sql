-- Feeds that leave the platform: what they select, and the steps of their lists (ADR 207). They belong to no generation of
-- tables: those of the home database are read and written, whichever generation is live. Every statement may run twice.

-- A row with an empty entity_id is the head of a feed, as JSON text: that of epoch 0 says which epoch is its list, and the
-- same stands in that epoch, so that one statement reads a list together with its sequence.
CREATE TABLE IF NOT EXISTS $table(feed_members) (
  feed UUID,
  epoch UInt64,
  key UInt64,
  entity_id String,
  version UInt64,
  -- 0: gone. 1: selected, and left out by the cap. 2: listed.
  state UInt8,
  type LowCardinality(String),
  value String,
  reputation Int8,
  accuracy UInt8,
  tags Array(String),
  first_seen DateTime64(3, 'UTC'),
  last_seen DateTime64(3, 'UTC'),
  -- When the time alone takes it out; 0 for never.
  leaves_at DateTime64(3, 'UTC'),
  reason LowCardinality(String),
  at DateTime64(3, 'UTC'),
  head String
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (feed, epoch, key, entity_id)
SETTINGS $once;

$distributed(feed_members, cityHash64(feed));

CREATE TABLE IF NOT EXISTS $table(feed_deltas) (
  feed UUID,
  sequence UInt64,
  version UInt64,
  op LowCardinality(String),
  reason LowCardinality(String),
  at DateTime64(3, 'UTC'),
  entity_id String,
  type LowCardinality(String),
  value String,
  reputation Int8,
  accuracy UInt8,
  tags Array(String),
  first_seen DateTime64(3, 'UTC'),
  last_seen DateTime64(3, 'UTC'),
  stored_at DateTime('UTC') DEFAULT now()
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (feed, sequence)
TTL stored_at + INTERVAL 31 DAY
SETTINGS $once;

$distributed(feed_deltas, cityHash64(feed));
