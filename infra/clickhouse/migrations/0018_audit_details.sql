-- Which roles, groups or entities an audit record is about, as JSON; empty: none, as in all records of before (ADR 261).
-- Every statement may run twice.
ALTER TABLE $table(audit_events) ADD COLUMN IF NOT EXISTS details String;

$over(audit_events, ADD COLUMN IF NOT EXISTS details String);
