-- What is known of an entity, one row for each audience that knows it. docs/integrate/sql-views.md describes every column.
CREATE OR REPLACE VIEW $view(bi_entities) AS
SELECT
  concat(type, '-', lower(hex(digest))) AS entity,
  type,
  value,
  reputation,
  ['Alarming', 'Bad', 'Poor', 'Indefinable', 'Normal', 'Good', 'Excellent'][reputation + 4] AS reputation_label,
  accuracy,
  ['None', 'Low', 'Medium', 'High'][accuracy + 1] AS accuracy_label,
  best,
  worst,
  sources,
  toUInt8(bitAnd(well_known, 1) != 0) AS well_known,
  toUInt8(bitAnd(well_known, 2) != 0) AS covered,
  tags,
  attributes,
  country,
  asn,
  aso,
  first_seen,
  last_seen,
  audience
FROM $of(entities) AS e FINAL
-- Of the others nothing counts any more.
WHERE bitAnd(e.well_known, 8) = 0;
