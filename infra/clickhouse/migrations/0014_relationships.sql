-- A link may be stated with several relationship types, each a row of its own (ADR 222). Every statement may run twice.

-- A STIX relationship type; empty: stated without one, as all links of before. Last of the sorting key: what counts links
-- groups by the columns before it, in the order of the table as ever.
ALTER TABLE $table(associations) ADD COLUMN IF NOT EXISTS relationship LowCardinality(String),
  MODIFY ORDER BY (key, entity_id, related_id, mode, outgoing, audience, relationship);

$over(associations, ADD COLUMN IF NOT EXISTS relationship LowCardinality(String));
