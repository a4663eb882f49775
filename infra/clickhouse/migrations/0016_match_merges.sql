-- What telemetry writes is merged less often: of a row of the ledger that comes once, each merge is work for nothing, and
-- reads bear more parts (ADR 219).
ALTER TABLE $table(telemetry_ids) MODIFY SETTING merge_selector_base = 12;
ALTER TABLE $table(telemetry_ledger) MODIFY SETTING merge_selector_base = 12;
ALTER TABLE $table(match_tallies) MODIFY SETTING merge_selector_base = 12;
ALTER TABLE $table(matches) MODIFY SETTING merge_selector_base = 12;
ALTER TABLE $table(matches_by_time) MODIFY SETTING merge_selector_base = 12;
