-- What each source says of an entity now: one row for each claim. A feed is named; of any other source only the kind is
-- told, as everywhere (ADR 102).
CREATE OR REPLACE VIEW $view(bi_claims) AS
SELECT
  entity,
  type,
  value,
  if(claim.2 = 'feed', claim.1, '') AS feed,
  claim.2 AS source_kind,
  claim.3 AS trust,
  claim.4 AS reputation,
  if(claim.5 = 0, NULL, fromUnixTimestamp64Milli(claim.5, 'UTC')) AS claimed_at,
  fromUnixTimestamp64Milli(claim.6, 'UTC') AS at,
  fromUnixTimestamp64Milli(claim.7, 'UTC') AS first_seen,
  audience
FROM (
  SELECT
    concat(type, '-', lower(hex(digest))) AS entity, type, value, audience,
    arrayJoin(arrayZip(claims.source, claims.kind, claims.trust, claims.reputation, claims.claimed_at, claims.at,
      claims.first_seen)) AS claim
  FROM $of(entities) FINAL
);
