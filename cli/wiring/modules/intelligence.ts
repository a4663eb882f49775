import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { IntelligencePorts } from '../../../api/intelligence/ports.ts'
import type { CommonPorts } from '../../../api/ports.ts'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { kyselyBulkRequests } from '../../../connectors/postgres/intelligence/bulk-request-store.ts'
import { kyselyComments } from '../../../connectors/postgres/intelligence/comment-store.ts'
import { type BulkRequests, KEY_KEPT_MS } from '../../../connectors/postgres/intelligence/port.ts'
import type { Tables } from '../../../connectors/postgres/tables/all-tables.ts'
import { saysCovered } from '../../../pipelines/processors/intelligence/marks/says-covered.ts'
import { startRounds } from '../../../platform/rounds.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { measureLookups, openLookups } from '../open/lookups.ts'
import type { Core } from './module.ts'

const SWEEP_MS = 60_000
/** The clock of another process may be behind. */
const KEPT_MS = KEY_KEPT_MS + 60_000

/**
 * Keys of bulk requests over the database of accounts; those that are over are removed from time to time.
 * `alone`: no other process has the database open, so a lease from before is of a process that died.
 */
async function openBulk(
  db: Kysely<Tables>,
  { alone }: { alone: boolean },
  logger: Logger,
): Promise<{ requests: BulkRequests; close(): Promise<void> }> {
  const requests = kyselyBulkRequests(db)
  if (alone) await requests.releaseAll()
  const sweeping = startRounds({
    async round() {
      // A sweep is bounded; what came faster than it goes at once.
      return (await requests.sweep(Date.now() - KEPT_MS)) > 0 ? 0 : SWEEP_MS
    },
    onFailure: (err) => logger.warn({ err }, 'cannot remove old idempotency keys; retrying'),
    failedMs: SWEEP_MS,
    maxPauseMs: SWEEP_MS,
  })
  return { requests, close: () => sweeping.stop() }
}

/** Reports, and searches and look-ups over them. */
export async function intelligenceModule(core: Core) {
  const { config, recorded, registry, history, marks, database, open, logger } = core
  const bulk = await openBulk(database.db, { alone: config.databaseUrl === null }, logger)
  open.push('bulk requests', () => bulk.close())
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  const lookups = openLookups(core)
  open.push('look-ups', () => lookups.close())
  return {
    measures: () => [measureLookups(lookups, core.metrics)],
    api: {
      bulkLog: recorded,
      bulkRequests: bulk.requests,
      history,
      scoring: history.scoring,
      encodeObservation: saysCovered(encode, marks.isCovered),
      comments: kyselyComments(database.db),
      lookups,
      geo: geoWhenAsked(),
    } satisfies IntelligencePorts & Pick<CommonPorts, 'encodeObservation' | 'history' | 'scoring'>,
  }
}
