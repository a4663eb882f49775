-- Scores fade by records of the log, and what a source said may be taken back. Every statement may run twice.

-- The moment of which the score of a row is, and when it is next another by the passing of time alone (0: never). Rows
-- from before have never been looked at: they count as due, and a tick sees to each.
ALTER TABLE $table(entities) ADD COLUMN IF NOT EXISTS scored_at DateTime64(3, 'UTC') DEFAULT last_seen AFTER last_seen,
  ADD COLUMN IF NOT EXISTS due DateTime64(3, 'UTC') DEFAULT last_seen AFTER scored_at;

$over(entities, ADD COLUMN IF NOT EXISTS scored_at DateTime64(3, 'UTC') DEFAULT last_seen AFTER last_seen,
  ADD COLUMN IF NOT EXISTS due DateTime64(3, 'UTC') DEFAULT last_seen AFTER scored_at);

-- What does not count any more, of whom, since when: evidence of a moment leaves out what was taken back before it.
CREATE TABLE IF NOT EXISTS $table(retractions) (
  key UInt64,
  entity_id String,
  audience UInt64,
  source String,
  first DateTime64(3, 'UTC'),
  last DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  log_offset UInt64,
  trust Float64
)
ENGINE = $engine(ReplacingMergeTree)
ORDER BY (key, entity_id, audience, source, log_offset)
SETTINGS $once;

$distributed(retractions, key);
