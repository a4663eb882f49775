-- The tables of the history store. The words that begin with $ are written out by connectors/history/migrations/macros.ts, so that
-- this file makes plain tables on a single node and replicated, distributed ones on a cluster.

-- One row for each kept observation; never changed. No FINAL on reads: insert tokens keep the rows unique, the
-- replacing engine only repairs a replay outside of the deduplication window. Plain strings where a dictionary would do:
-- dictionaries are built again for every block and every merge, and cost more than a third of all work on the table.
-- A block of a batch makes one compact part: two files instead of a hundred, each with an fsync. Merges wait for more
-- parts than by default, and write a row less often.
CREATE TABLE IF NOT EXISTS $table(history) (
  ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
  id UUID,
  digest FixedString(32),
  type LowCardinality(String),
  entity_id String ALIAS concat(type, '-', lower(hex(digest))),
  value String CODEC(ZSTD(1)),
  user_id String CODEC(ZSTD(1)),
  source String CODEC(ZSTD(1)),
  source_kind String CODEC(ZSTD(1)),
  kind String CODEC(ZSTD(1)),
  reputation Int8,
  -- 0: a sighting, which states no reputation
  stated UInt8,
  accuracy UInt8,
  tags Array(String) CODEC(ZSTD(1)),
  -- others than the main one
  attributes Map(String, String) CODEC(ZSTD(1)),
  audience UInt64 CODEC(ZSTD(1)),
  well_known UInt8,
  -- the words that find this record
  terms Array(String) CODEC(ZSTD(1)),
  submission_id UUID CODEC(ZSTD(1)),
  topic_partition UInt16 CODEC(ZSTD(1)),
  log_offset UInt64 CODEC(ZSTD(1)),
  INDEX by_digest digest TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX by_term terms TYPE text(tokenizer = 'array')
)
ENGINE = $engine(ReplacingMergeTree)
PARTITION BY toYYYYMM(ts)
ORDER BY (ts, id)
SETTINGS $once, min_bytes_for_wide_part = 67108864, merge_selector_base = 12;

$distributed(history, reinterpretAsUInt64(reverse(substring(digest, 1, 8))));

-- What is known about an entity, for one audience: the view and, in parallel arrays, the claims it follows from.
-- A row is replaced whole; `version` is the offset after the last applied observation. LZ4 in small blocks: thousands of
-- random keys are read for every batch, three times faster than from ZSTD in blocks of the default size.
CREATE TABLE IF NOT EXISTS $table(entities) (
  -- first 8 bytes of the digest, big-endian
  key UInt64,
  digest FixedString(32),
  type String,
  entity_id String ALIAS concat(type, '-', lower(hex(digest))),
  value String,
  audience UInt64,
  version UInt64,
  partition UInt16,
  reputation Int8,
  accuracy UInt8,
  best Int8,
  worst Int8,
  sources UInt32,
  well_known UInt8,
  tags Array(String),
  attributes Map(String, String),
  attribute_times Map(String, Int64),
  country String,
  asn UInt32,
  aso String,
  first_seen DateTime64(3, 'UTC'),
  last_seen DateTime64(3, 'UTC'),
  claims Nested(
    source String,
    kind String,
    trust Float64,
    reputation Nullable(Int8),
    claimed_at Int64,
    at Int64,
    kept_at Int64,
    kept_hash UInt64,
    first_seen Int64
  ),
  -- finds the rows of a small audience; keys are hashes, so any other order is no help to an index
  INDEX by_audience audience TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (key, digest, type, audience)
SETTINGS $once, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 16384,
  min_bytes_for_wide_part = 67108864, merge_selector_base = 12,
  min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;

$distributed(entities, key);

-- Entities by last sighting, a row for each time one was stored, so that the newest are read from the end. Rows of what
-- an entity was before stay: they name candidates, whose current rows decide. No question reaches back further than the
-- 720 hours of the triage feed.
CREATE TABLE IF NOT EXISTS $table(recency) (
  last_seen DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  key UInt64,
  audience UInt64 CODEC(ZSTD(1)),
  reputation Int8
)
ENGINE = $engine(MergeTree)
PARTITION BY toYYYYMM(last_seen)
ORDER BY last_seen
TTL toDateTime(last_seen) + INTERVAL 32 DAY
SETTINGS $once, ttl_only_drop_parts = 1;

$distributed(recency, key);

CREATE MATERIALIZED VIEW IF NOT EXISTS $table(recency_feed) TO $local(recency) AS
SELECT last_seen, key, audience, reputation FROM $local(entities);

-- Every counter, fed by signed differences.
CREATE TABLE IF NOT EXISTS $table(counts) (
  audience UInt64,
  dim LowCardinality(String),
  malicious UInt8,
  key String,
  n Int64
)
ENGINE = $engine(SummingMergeTree, n)
ORDER BY (audience, dim, malicious, key)
SETTINGS $once;

$distributed(counts, audience);

-- Links between entities, one row in each direction: `key` and `entity_id` are the end that is asked about.
CREATE TABLE IF NOT EXISTS $table(associations) (
  key UInt64,
  entity_id String,
  related_id String,
  mode LowCardinality(String),
  -- 1: entity_id stated the link to related_id; 0: the other way round
  outgoing UInt8,
  audience UInt64,
  first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
  last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = $engine(AggregatingMergeTree)
ORDER BY (key, entity_id, related_id, mode, outgoing, audience)
SETTINGS $once, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 16384;

$distributed(associations, key);

-- The groups behind each audience.
CREATE TABLE IF NOT EXISTS $table(audiences) (
  audience UInt64,
  groups Array(String)
)
ENGINE = $engine(ReplacingMergeTree)
ORDER BY audience
SETTINGS $once;

$distributed(audiences, audience);
