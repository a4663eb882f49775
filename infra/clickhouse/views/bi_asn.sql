-- Networks and countries: how many entities are in each, and how many of them are malicious.
CREATE OR REPLACE VIEW $view(bi_asn) AS
SELECT country, asn, aso, count() AS entities, countIf(reputation < 0) AS malicious, audience
FROM $of(entities) FINAL
WHERE (asn != 0 OR country != '') AND bitAnd(well_known, 8) = 0
GROUP BY country, asn, aso, audience;
