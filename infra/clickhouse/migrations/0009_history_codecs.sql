-- Columns that answers show are compressed by LZ4: ZSTD takes 13 % less disk, and twice as long to read (ADR 202). Parts that
-- are there are compressed again as they are merged.
ALTER TABLE $table(history) MODIFY COLUMN value CODEC(LZ4), MODIFY COLUMN user_id CODEC(LZ4),
  MODIFY COLUMN attributes CODEC(LZ4), MODIFY COLUMN tags CODEC(LZ4), MODIFY COLUMN audience CODEC(LZ4);
