import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import type { ScanWork } from '../../../connectors/postgres/scans/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { pause } from '../../../platform/pause.ts'
import { records } from '../../../schemas/log/records.ts'
import { AUTOMATIC_SCANS, SCANS_OF_USERS } from '../../../schemas/log/topics.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import { type Job, persist } from '../../runtime/job.ts'

export type RequestPorts = {
  log: Pick<EventLog, 'send'>
  registry: Registry
  scans: Pick<ScanWork, 'published'>
  now: () => number
  /** Something can be taken. */
  wake: () => void
  onFailure: (error: unknown) => void
  breaker?: Breaker
}

const MAX_RECORDS = 500
const MAX_BYTES = 1024 * 1024

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * scan.requests.* -> decode -> the task is queued, the worker is woken. The task is in the database, where every worker
 * takes the next one of all (ADR 275): a request that is handed out again changes nothing.
 */
export function scanRequestJob({ log, registry, scans, now, wake, onFailure, breaker }: RequestPorts): Job {
  const decode = batchDecoder<{ id: string }>(records.scanRequest, registry)
  const moveToDeadLetters = deadLetterWriter(log, breaker)

  async function once(batch: Batch): Promise<void> {
    const { records: requests, dead } = await decode(batch.messages)
    const ids: string[] = []
    for (const { message, value } of requests) {
      if (UUID.test(value.id)) ids.push(value.id)
      else dead.push({ message, reason: 'id is not a UUID' })
    }
    await scans.published(ids, now())
    await moveToDeadLetters(batch, dead)
    if (ids.length > 0) wake()
  }

  return {
    group: 'scan',
    topics: [SCANS_OF_USERS, AUTOMATIC_SCANS],
    maxRecords: MAX_RECORDS,
    maxBytes: MAX_BYTES,
    lingerMs: 0,
    eachBatch: (batch) => persist(batch, () => once(batch), { pause, onFailure }),
  }
}
