-- Who did what, as audit.events has it (ADR 228): to be read newest first. It belongs to no generation of tables, and the
-- log gives it again: set the group `audit` back to the beginning. Every statement may run twice.
-- A record that stands twice on the log is one row here.
CREATE TABLE IF NOT EXISTS $table(audit_events) (
  at DateTime64(3, 'UTC'),
  id UUID,
  log_partition UInt32,
  log_offset UInt64,
  sequence UInt64,
  user_id String,
  key_id String,
  action LowCardinality(String),
  subject String,
  outcome LowCardinality(String),
  ip String,
  count UInt32,
  previous_hash FixedString(32),
  hash FixedString(32),
  INDEX by_user user_id TYPE bloom_filter(0.01) GRANULARITY 2,
  INDEX by_subject subject TYPE bloom_filter(0.01) GRANULARITY 2
)
ENGINE = $engine(ReplacingMergeTree)
ORDER BY (at, id)
SETTINGS $once;

$distributed(audit_events, cityHash64(id));
