-- Which links of a change are new to a reader follows from what was stated first to whom (ADR 203). Every statement may run
-- twice.

-- The offset after the first observation that states the link to this audience, as versions are, in the partition of the end
-- that states it. 0: stated before this was noted.
ALTER TABLE $table(associations) ADD COLUMN IF NOT EXISTS first_version SimpleAggregateFunction(min, UInt64);

$over(associations, ADD COLUMN IF NOT EXISTS first_version SimpleAggregateFunction(min, UInt64));
