-- Records of the history, one row each: what was reported or sighted, when, and by whom.
CREATE OR REPLACE VIEW $view(bi_history) AS
SELECT
  toString(id) AS id,
  ts,
  concat(type, '-', lower(hex(digest))) AS entity,
  toString(type) AS type,
  value,
  user_id AS user,
  source_kind,
  kind,
  if(stated = 1, reputation, NULL) AS reputation,
  accuracy,
  toUInt8(well_known != 0) AS well_known,
  tags,
  attributes,
  toString(submission_id) AS submission,
  audience
FROM $of(history);
