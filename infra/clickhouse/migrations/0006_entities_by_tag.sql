-- Entities by tag, fed from `entities`: a row for each tag of a row (ADR 194). Whatever a row of an entity is stored for, all
-- its tags are stored with it, and no rule takes a tag from it: so the last row under a tag is as current as that of the
-- entity. Every statement may run twice.
CREATE TABLE IF NOT EXISTS $table(tagged) (
  tag String,
  audience UInt64,
  digest FixedString(32),
  type LowCardinality(String),
  key UInt64 ALIAS reinterpretAsUInt64(reverse(substring(digest, 1, 8))),
  version UInt64,
  reputation Int8,
  accuracy UInt8,
  first_seen DateTime64(3, 'UTC'),
  last_seen DateTime64(3, 'UTC')
)
ENGINE = $engine(ReplacingMergeTree, version)
ORDER BY (tag, audience, digest, type)
SETTINGS $once, index_granularity = 1024, min_compress_block_size = 16384, max_compress_block_size = 65536,
  min_bytes_for_wide_part = 67108864, merge_selector_base = 12;

$distributed(tagged, reinterpretAsUInt64(reverse(substring(digest, 1, 8))));

CREATE MATERIALIZED VIEW IF NOT EXISTS $table(tagged_feed) TO $local(tagged) AS
SELECT arrayJoin(tags) AS tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen
FROM $local(entities);

-- What was stored before the view was there.
INSERT INTO tagged (tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen)
SELECT arrayJoin(tags) AS tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen FROM entities;
