-- Telemetry that owners send, and what it met (ADR 219). It belongs to no generation of tables: those of the home database
-- are read and written, whichever generation is live. Every statement may run twice.

-- Ids of events, so that each counts once. `batch` says which range of the log brought it, so that a range that is handed
-- out again knows its own.
CREATE TABLE IF NOT EXISTS $table(telemetry_ids) (
  id FixedString(16),
  batch UInt64,
  expires DateTime('UTC')
)
ENGINE = $engine(MergeTree)
ORDER BY id
TTL expires
SETTINGS $once;

$distributed(telemetry_ids, batch);

-- What was seen where and when. `anchor` brings together what an indicator is looked for by: the registrable domain with
-- its labels in reverse, an address, or the value itself. `key` orders names below it. Thousands of anchors that lie
-- anywhere are looked up at once, so little is read around each.
CREATE TABLE IF NOT EXISTS $table(telemetry_ledger) (
  owner LowCardinality(String),
  anchor String,
  key String,
  value String,
  field LowCardinality(String),
  hour DateTime('UTC'),
  count SimpleAggregateFunction(sum, UInt64),
  first SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  hosts SimpleAggregateFunction(groupUniqArrayArray(100), Array(String)),
  refs SimpleAggregateFunction(groupUniqArrayArray(5), Array(String)),
  expires SimpleAggregateFunction(max, DateTime('UTC'))
)
ENGINE = $engine(AggregatingMergeTree)
PARTITION BY toMonday(hour)
ORDER BY (owner, anchor, key, value, field, hour)
TTL expires
SETTINGS $once, index_granularity = 1024, min_compress_block_size = 16384, max_compress_block_size = 65536;

$distributed(telemetry_ledger, cityHash64(owner, anchor));

-- How many events of a row of the ledger a forward match was told for, by entity. A row without an owner says that the
-- matches of a batch are decided, and when.
CREATE TABLE IF NOT EXISTS $table(match_tallies) (
  owner LowCardinality(String),
  entity_id String,
  row UInt64,
  n UInt32,
  batch UInt64,
  decided DateTime64(3, 'UTC'),
  expires DateTime('UTC'),
  INDEX by_batch batch TYPE bloom_filter GRANULARITY 1
)
ENGINE = $engine(MergeTree)
ORDER BY (owner, entity_id, row)
TTL expires
SETTINGS $once;

$distributed(match_tallies, batch);

CREATE TABLE IF NOT EXISTS $table(matches) (
  owner LowCardinality(String),
  entity_id String,
  id UUID,
  version UInt64,
  direction LowCardinality(String),
  summary UInt8,
  groups Array(LowCardinality(String)),
  at DateTime64(3, 'UTC'),
  matched_at DateTime64(3, 'UTC'),
  event_id String,
  event_at DateTime64(3, 'UTC'),
  last_at DateTime64(3, 'UTC'),
  count UInt64,
  kind LowCardinality(String),
  host String,
  user String,
  field LowCardinality(String),
  value String,
  refs Array(String),
  type LowCardinality(String),
  entity_value String,
  reputation Int8,
  accuracy UInt8,
  tags Array(String),
  expires DateTime('UTC')
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (owner, entity_id, id)
TTL expires
SETTINGS $once;

$distributed(matches, cityHash64(owner));

-- The same in the order of their time, to find a page of them.
CREATE TABLE IF NOT EXISTS $table(matches_by_time) (
  owner LowCardinality(String),
  matched_at DateTime64(3, 'UTC'),
  id UUID,
  entity_id String,
  direction LowCardinality(String),
  groups Array(LowCardinality(String)),
  expires DateTime('UTC')
)
ENGINE = $engine(ReplacingMergeTree)
ORDER BY (owner, matched_at, id)
TTL expires
SETTINGS $once;

$distributed(matches_by_time, cityHash64(owner));

-- Whether the matches of an owner and an entity are withdrawn: since when, and why; 0: they are not. Rows without an owner
-- are notes, by their name: under which settings matches are, and how far changes were looked at.
CREATE TABLE IF NOT EXISTS $table(match_states) (
  owner LowCardinality(String),
  entity_id String,
  version UInt64,
  withdrawn_at DateTime64(3, 'UTC'),
  reason String,
  expires DateTime('UTC')
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (owner, entity_id)
TTL expires
SETTINGS $once;

$distributed(match_states, cityHash64(owner));
