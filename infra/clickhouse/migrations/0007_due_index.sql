-- Rows whose score fades next are found by time (ADR 196). Every statement may run twice.

-- When to look at an entity again: as of `due` of one of its rows, or when that row was stored, if it was due already. So
-- nothing comes in before a moment that was looked at, except by the duration of an insert. A line for each time a row was
-- stored: it names a candidate, whose current row decides. Once a day all rows are looked at anyway, so what has passed
-- goes after three days, with one merge a day.
CREATE TABLE IF NOT EXISTS $table(due_keys) (
  at DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  key UInt64
)
ENGINE = $engine(ReplacingMergeTree)
ORDER BY (at, key)
TTL toDateTime(at) + INTERVAL 3 DAY
SETTINGS $once, index_granularity = 1024, merge_with_ttl_timeout = 86400, min_bytes_for_wide_part = 67108864,
  merge_selector_base = 12;

$distributed(due_keys, key);

-- A time that DateTime cannot hold would be dropped at once as long past.
CREATE MATERIALIZED VIEW IF NOT EXISTS $table(due_keys_feed) TO $local(due_keys) AS
SELECT greatest(due, now64(3, 'UTC')) AS at, key FROM $local(entities)
WHERE due > fromUnixTimestamp64Milli(0, 'UTC') AND due < toDateTime64('2100-01-01 00:00:00', 3, 'UTC');

-- What was stored before the view was there.
INSERT INTO due_keys (at, key)
SELECT greatest(due, now64(3, 'UTC')) AS at, key FROM entities
WHERE due > fromUnixTimestamp64Milli(0, 'UTC') AND due < toDateTime64('2100-01-01 00:00:00', 3, 'UTC');
