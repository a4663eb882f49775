-- Each UTC day by type: entities that were new on it, and what was reported on it. Verdicts and matches are
-- no reports (ADR 208, ADR 219).
CREATE OR REPLACE VIEW $view(bi_daily) AS
SELECT
  day,
  type,
  countIf(is_entity) AS new_entities,
  countIf(is_entity AND negative) AS new_malicious,
  countIf(NOT is_entity) AS records,
  countIf(NOT is_entity AND NOT has_stated) AS sightings,
  countIf(NOT is_entity AND negative) AS malicious,
  audience
FROM (
  SELECT toDate(first_seen, 'UTC') AS day, type, audience, true AS is_entity, reputation < 0 AS negative,
    false AS has_stated
  FROM $of(entities) FINAL WHERE bitAnd(well_known, 8) = 0
  UNION ALL
  SELECT toDate(ts, 'UTC') AS day, toString(type) AS type, audience, false AS is_entity,
    stated = 1 AND reputation < 0 AS negative, stated = 1 AS has_stated
  FROM $of(history) WHERE kind NOT IN ('verdict', 'match')
)
GROUP BY day, type, audience;
