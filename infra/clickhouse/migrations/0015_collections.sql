-- TAXII collections of feeds that leave the platform (ADR 225): every version of every object, in the order in which it is
-- served. They belong to no generation of tables: those of the home database are read and written, whichever generation is
-- live. Every statement may run twice.

-- Rows of one place are added up: what says that a version was superseded is a row of its place without a version, stored in
-- the block of the one that follows. A row without an object says how far a collection is, or what is known of an entity.
-- The row of the feed 0 says who may write. A page of 1,000 reads little around it.
CREATE TABLE IF NOT EXISTS $table(taxii_objects) (
  -- Always 0. All rows are one chain of writes, so they are on one shard.
  line SimpleAggregateFunction(max, UInt8),
  feed UUID,
  -- When it was added, unix microseconds: each row of a collection has a moment of its own.
  added UInt64,
  -- The place of the version that follows; 0: there is none.
  superseded SimpleAggregateFunction(max, UInt64),
  -- One more than the delta of the feed up to which the collection is brought; 0: as before.
  sequence SimpleAggregateFunction(max, UInt64),
  key SimpleAggregateFunction(max, UInt64),
  entity_id SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  life SimpleAggregateFunction(max, UInt32),
  live SimpleAggregateFunction(max, UInt8),
  -- A digest of what is shown of the entity, and times of its indicator in unix milliseconds; 0: it has none.
  shown SimpleAggregateFunction(max, UInt64),
  first_seen SimpleAggregateFunction(max, Int64),
  modified SimpleAggregateFunction(max, Int64),
  valid_until SimpleAggregateFunction(max, Int64),
  look_at SimpleAggregateFunction(max, Int64),
  object_type SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  object_id SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  -- Unix microseconds.
  object_version SimpleAggregateFunction(max, UInt64),
  is_first SimpleAggregateFunction(max, UInt8),
  -- A claim that was not revoked. Observables and definitions claim nothing.
  in_force SimpleAggregateFunction(max, UInt8),
  -- Of the text.
  digest SimpleAggregateFunction(max, UInt64),
  text SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
  INDEX by_entity key TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX by_object object_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX by_look look_at TYPE minmax GRANULARITY 1
)
ENGINE = $engine(AggregatingMergeTree)
ORDER BY (feed, added)
SETTINGS $once, index_granularity = 1024;

$distributed(taxii_objects, line);
