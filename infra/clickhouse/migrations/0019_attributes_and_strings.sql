-- A search reads less of what it does not ask for (ADR 272). Parts from before are written anew as they are merged. Every
-- statement may run twice.

-- Attributes of merged parts lie in buckets by their names, as many as a record has on average: a search for one of them
-- reads no others. Inserted parts stay as they are, so that a batch pays nothing. All attributes at once take longer to
-- read; that strings have no second file with their lengths makes up for it where a few records are read.
ALTER TABLE $table(history) MODIFY SETTING map_serialization_version = 'with_buckets',
  map_serialization_version_for_zero_level_parts = 'basic', map_buckets_min_avg_size = 0,
  map_buckets_strategy = 'linear', map_buckets_coefficient = 1, max_buckets_in_map = 16,
  string_serialization_version = 'single_stream';

ALTER TABLE $table(entities) MODIFY SETTING string_serialization_version = 'single_stream';
