-- Attributes of merged parts lie in buckets by their names, as many as a record has on average: a search for one of
-- them reads no others. Inserted parts stay as they are, so that a batch pays nothing; parts from before are written
-- anew as they are merged. All attributes at once take longer to read. Every statement may run twice.
ALTER TABLE $table(history) MODIFY SETTING map_serialization_version = 'with_buckets',
  map_serialization_version_for_zero_level_parts = 'basic', map_buckets_min_avg_size = 0,
  map_buckets_strategy = 'linear', map_buckets_coefficient = 1, max_buckets_in_map = 16;
