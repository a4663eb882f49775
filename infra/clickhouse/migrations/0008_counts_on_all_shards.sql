-- The counters of an audience are spread over all shards of a cluster, those of `public` too (ADR 198). Reads add up what
-- all shards have, so counters of before count where they are. Every statement may run twice.
$redistributed(counts, cityHash64(audience, dim, key));
