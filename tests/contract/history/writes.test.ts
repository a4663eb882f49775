import { onOneStore } from '../../builders/history/shared.ts'
import { auditRecords } from './audit/store.ts'
import { eventsVerified } from './match/present.ts'
import { telemetryKept } from './match/store.ts'
import { rangesBegunAgain } from './writes/dedupe-window.ts'
import { generationsOfTables } from './writes/generations.ts'
import { storedInserts } from './writes/inserts.ts'
import { appliedMigrations } from './writes/migrations.ts'
import { recounts } from './writes/recount.ts'
import { retractions } from './writes/retraction.ts'

/** What is written, corrected and taken back, on one engine, each part with databases of its own. */
onOneStore({
  'history migrations': appliedMigrations,
  'history inserts': storedInserts,
  'a range that is begun again after its tokens were forgotten': rangesBegunAgain,
  'generations of the tables': generationsOfTables,
  'history recount': recounts,
  'what was taken back': retractions,
  'audit records': auditRecords,
  'what is kept of telemetry': telemetryKept,
  'what events that meet something are verified by': eventsVerified,
})
