-- How each source does, for each audience by itself; what the figures mean: docs/use/sources.md. An audience tells of what
-- its own rows say alone; the volume is that of the last 30 days. Feeds have names, the others of a kind are one source.
CREATE OR REPLACE VIEW $view(bi_sources) AS
WITH
claims AS (
  SELECT audience, n, half_life, marked, earliest, second, last_against, last_for, who.1 AS kind, who.2 AS source, said, at,
    first, said >= 0 AND said % 8 > 3 AS negative, n > 1 AND first = earliest AND second > first AS led
  FROM (
    SELECT audience, bitAnd(well_known, 3) != 0 AS marked, length(shown) AS n,
      86400000 * multiIf(type IN ('ip', 'url'), 7, type IN ('domain', 'hostname', 'email', 'email-address'), 14,
        type IN ('file', 'payload', 'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-224', 'sha3-256',
          'sha3-384', 'sha3-512', 'sha512-224', 'sha512-256', 'authentihash', 'cdhash'), 180, 30) AS half_life,
      -- Feeds by name. Who else reported is nobody's to see: the others of a kind count as one.
      arrayMap((k, s) -> (k, if(k = 'feed', s, '')), claims.kind, claims.source) AS by,
      arrayDistinct(by) AS shown,
      -- The later statement is the greater number, and of one moment the worse; -1 is a sighting.
      arrayMap((r, c) -> ifNull(c * 8 + 3 - r, -1), claims.reputation, claims.claimed_at) AS statements,
      arrayMap(w -> arrayMax(arrayFilter((s, b) -> b = w, statements, by)), shown) AS stated,
      arrayMap(w -> arrayMax(arrayFilter((s, b) -> b = w, claims.at, by)), shown) AS ats,
      arrayMap(w -> arrayMin(arrayFilter((s, b) -> b = w, claims.first_seen, by)), shown) AS firsts,
      arrayMin(firsts) AS earliest, arraySort(firsts)[2] AS second,
      arrayMax(arrayMap((f, s) -> if(s >= 0 AND s % 8 > 3, f, 0), firsts, stated)) AS last_against,
      arrayMax(arrayMap(s -> if(s >= 0 AND s % 8 < 3, intDiv(s, 8), 0), stated)) AS last_for
    FROM $of(entities) FINAL WHERE n > 0
  ) ARRAY JOIN shown AS who, stated AS said, ats AS at, firsts AS first
),
volumes AS (
  SELECT audience, source_kind AS kind, if(kind = 'feed', history.source, '') AS source, count() AS records FROM $of(history)
  WHERE ts >= now64(3, 'UTC') - INTERVAL 30 DAY AND history.kind NOT IN ('verdict', 'match') GROUP BY audience, kind, source
)
SELECT scores.audience AS audience, scores.kind AS kind, scores.source AS source, volumes.records AS volume_30_days,
  entities, malicious, benign, uniques, uniques / entities AS uniqueness, firsts,
  if(entities = uniques, 0, firsts / (entities - uniques)) AS first_share, lead_hours,
  if(malicious = 0, 0, on_marked / malicious) AS overlap_well_known,
  if(malicious = 0, 0, agreed / malicious) AS agreed_share,
  if(malicious = 0, 0, contradicted / malicious) AS contradicted_share, freshness, last_report
FROM (
  SELECT audience, kind, source, count() AS entities, countIf(negative) AS malicious,
    countIf(said >= 0 AND said % 8 < 3) AS benign, countIf(n = 1) AS uniques, countIf(led) AS firsts,
    if(firsts = 0, NULL, quantileExactInclusiveIf(0.5)(second - first, led) / 3600000) AS lead_hours,
    countIf(negative AND marked) AS on_marked, countIf(negative AND last_against > first) AS agreed,
    countIf(negative AND last_for > first) AS contradicted,
    avg(exp2(-greatest(0, toUnixTimestamp64Milli(now64(3)) - at) / half_life)) AS freshness,
    fromUnixTimestamp64Milli(max(at), 'UTC') AS last_report
  FROM claims GROUP BY audience, kind, source
) AS scores
LEFT JOIN volumes ON scores.audience = volumes.audience AND scores.kind = volumes.kind AND scores.source = volumes.source
