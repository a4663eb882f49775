-- History is read by key and by day (ADR 192). Every statement may run twice. Granules of 1,024 rows belong to it, which
-- only a new table can be given: connectors/history/migrations/macros.ts. A table of before has them after a rebuild.

-- Small blocks of compression: an exact search reads one granule of each column for every part with a hit.
-- A merge that drops a row twice stored, and a DELETE of an operator, make the sums of their part anew.
ALTER TABLE $table(history) MODIFY SETTING min_compress_block_size = 16384, max_compress_block_size = 65536,
  deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild',
  materialize_projections_on_merge = 1;

-- Records by tag.
ALTER TABLE $table(history) ADD INDEX IF NOT EXISTS by_tag tags TYPE text(tokenizer = 'array');

-- Sums of each day, from which histograms, terms, averages and counts are made. A part from before has them after its next
-- merge; until then its records are summed up on request.
ALTER TABLE $table(history) ADD PROJECTION IF NOT EXISTS daily_scores (
  SELECT toDate32(ts), audience, type, well_known, reputation, accuracy, count(), sum(reputation), sum(accuracy)
  GROUP BY toDate32(ts), audience, type, well_known, reputation, accuracy
);

ALTER TABLE $table(history) ADD PROJECTION IF NOT EXISTS daily_tags (
  SELECT toDate32(ts), audience, type, tags, count(), sum(reputation), sum(accuracy)
  GROUP BY toDate32(ts), audience, type, tags
);
