-- Marks may be cleared, retractions take back what they brought to views, customers decide by verdicts (ADR 205, ADR 208).
-- Every statement may run twice.

-- A mark that was cleared stays in the table, and says so: `well_known` has bit 16 then. `version` is that of the row of the
-- marked entity: of two lines about a mark the higher one is true.
ALTER TABLE $table(covering_marks) ADD COLUMN IF NOT EXISTS version UInt64, ADD COLUMN IF NOT EXISTS holds UInt8 DEFAULT 1;

$over(covering_marks, ADD COLUMN IF NOT EXISTS version UInt64, ADD COLUMN IF NOT EXISTS holds UInt8 DEFAULT 1);

DROP VIEW IF EXISTS $table(covering_marks_feed);

CREATE MATERIALIZED VIEW IF NOT EXISTS $table(covering_marks_feed) TO $local(covering_marks) AS
SELECT now64(3) AS added, key, type, value, version, toUInt8(bitAnd(well_known, 4) != 0) AS holds
FROM $local(entities) WHERE bitAnd(well_known, 20) != 0;

-- What was stored while there was no view.
INSERT INTO covering_marks (added, key, type, value, version, holds)
SELECT now64(3) AS added, key, type, value, version, toUInt8(bitAnd(well_known, 4) != 0) AS holds
FROM entities FINAL
WHERE bitAnd(well_known, 20) != 0
  AND (type, value, toUInt8(bitAnd(well_known, 4) != 0)) NOT IN (SELECT type, value, holds FROM covering_marks);

-- Tags that a row had and has no more, and the verdict that decides it while it holds: 3 or -3, 0 for none; times of 0 for no
-- end. A row of which nothing counts any more has bit 8 of `well_known`.
ALTER TABLE $table(entities) ADD COLUMN IF NOT EXISTS lost_tags Array(String) AFTER tags,
  ADD COLUMN IF NOT EXISTS verdict Int8 AFTER well_known,
  ADD COLUMN IF NOT EXISTS verdict_at DateTime64(3, 'UTC') AFTER verdict,
  ADD COLUMN IF NOT EXISTS verdict_until DateTime64(3, 'UTC') AFTER verdict_at;

$over(entities, ADD COLUMN IF NOT EXISTS lost_tags Array(String) AFTER tags,
  ADD COLUMN IF NOT EXISTS verdict Int8 AFTER well_known,
  ADD COLUMN IF NOT EXISTS verdict_at DateTime64(3, 'UTC') AFTER verdict,
  ADD COLUMN IF NOT EXISTS verdict_until DateTime64(3, 'UTC') AFTER verdict_at);

-- A row of an entity that lost a tag says so under this tag.
ALTER TABLE $table(tagged) ADD COLUMN IF NOT EXISTS lost UInt8;

$over(tagged, ADD COLUMN IF NOT EXISTS lost UInt8);

DROP VIEW IF EXISTS $table(tagged_feed);

CREATE MATERIALIZED VIEW IF NOT EXISTS $table(tagged_feed) TO $local(tagged) AS
SELECT entry.1 AS tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen, entry.2 AS lost
FROM (
  SELECT arrayJoin(arrayConcat(arrayMap(t -> (t, toUInt8(0)), tags), arrayMap(t -> (t, toUInt8(1)), lost_tags))) AS entry,
    audience, digest, type, version, reputation, accuracy, first_seen, last_seen
  FROM $local(entities)
);

-- Rows of before whose reports were all taken back. Their views are fed by the insert, and so are rows by tag.
INSERT INTO entities (key, digest, type, value, audience, version, partition, reputation, accuracy, best, worst, sources,
  well_known, tags, lost_tags, attributes, attribute_times, country, asn, aso, first_seen, last_seen, scored_at, due)
SELECT key, digest, type, value, audience, version, partition, 0 AS reputation, 0 AS accuracy, 0 AS best, 0 AS worst,
  0 AS sources, bitOr(well_known, 8) AS well_known, [] AS tags, arraySort(e.tags) AS lost_tags, map() AS attributes,
  map() AS attribute_times, '' AS country, 0 AS asn, '' AS aso, first_seen, last_seen, scored_at,
  fromUnixTimestamp64Milli(0, 'UTC') AS due
FROM entities AS e FINAL WHERE e.sources = 0 AND e.verdict = 0 AND bitAnd(e.well_known, 8) = 0;

-- What was stored while there was no view of rows by tag.
INSERT INTO tagged (tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen)
SELECT arrayJoin(tags) AS tag, audience, digest, type, version, reputation, accuracy, first_seen, last_seen
FROM entities FINAL
WHERE arrayExists(t -> (t, audience, digest, type, version) NOT IN
  (SELECT tag, audience, digest, type, version FROM tagged), tags);
