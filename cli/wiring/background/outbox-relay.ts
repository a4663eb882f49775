import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import { type AppendEvents, appendEvents, kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { Outbox } from '../../../connectors/postgres/operation/port.ts'
import { requestsPublished } from '../../../connectors/postgres/scans/scan-work.ts'
import { startSealer } from '../../../pipelines/jobs/accounts/audit-sealer.ts'
import { startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { Rounds } from '../../../platform/rounds.ts'
import { type LifecycleRecord, lifecycleRecord } from '../../../schemas/accounts/lifecycle.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { OpenAudit } from '../open/open-audit.ts'

type RelayParts = { audit: Pick<OpenAudit, 'sealing'>; outbox: Outbox; log: EventLog; work: WorkSignals }

/** Stores events as they go to the log; `lifecycleSchema` is the id of their schema. */
export function openAppend(lifecycleSchema: number): AppendEvents {
  const encode = encoder<LifecycleRecord>(records.lifecycle, lifecycleSchema)
  return appendEvents((event) => encode(lifecycleRecord(event)))
}

/** What waits to be brought to the log. */
export const openOutbox = (db: AccountsDatabase['db']): Outbox => kyselyOutbox(db, requestsPublished)

/**
 * Brings what changes of accounts left to the log until stopped, and audit records into their chains before; every process
 * that serves the API does, one of them at a time.
 */
export function relayOutbox({ audit, outbox, log, work }: RelayParts, metrics: Metrics, logger: Logger): Rounds {
  const sealer = startSealer({
    sealing: audit.sealing,
    work,
    now: Date.now,
    onFailure: (err) => logger.warn({ err }, 'cannot seal audit records; retrying'),
  })
  const relay = startRelay({
    outbox,
    log,
    work,
    now: Date.now,
    holder: randomUUID(),
    onPublished: (records) => metrics.instruments.harrier_outbox_published_total.inc(records),
    onFailure: (err) => logger.warn({ err }, 'cannot write account events to the log; retrying'),
  })
  return {
    wake: relay.wake,
    async stop() {
      await sealer.stop()
      await relay.stop()
    },
  }
}
