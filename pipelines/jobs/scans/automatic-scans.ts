import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import type { ScanTasks } from '../../../connectors/postgres/scans/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import { type AutomaticScan, automaticScans } from '../../processors/scans/automatic-scan.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import { changeReader } from '../../runtime/changes/change-reader.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { type Job, persist } from '../../runtime/job.ts'

/** `met`: a task of the target lives. `late`: it waited for too long to be worth a scan. */
export type AutomaticOutcome = 'scheduled' | 'met' | 'late'

export type AutomaticPorts = {
  log: Pick<EventLog, 'send'>
  registry: Registry
  scans: Pick<ScanTasks, 'schedule' | 'backlog'>
  /** Unix milliseconds. */
  now: () => number
  newId: () => string
  /** Resolves after so many milliseconds, or as soon as the signal says so. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  onScan: (outcome: AutomaticOutcome) => void
  onFailure: (error: unknown) => void
  breaker?: Breaker
}

/** Scans that a process schedules at most: one a second. */
const EVERY_MS = 1_000
/** While workers are further behind than this, no new scan is requested; how often the backlog is checked. */
const BEHIND_MS = 10 * 60 * 1000
const LOOK_MS = 10_000
/** An import brings more than there are scans in a day: what waited longer makes room for what is new. */
const LATE_MS = 24 * 60 * 60 * 1000
/** Further ahead than partitions take turns: the clock was set back. */
const SET_BACK_MS = 60_000
/** Repeated when a process stops half way through: each is one look at the database then. */
const MAX_RECORDS = 500
const MAX_BYTES = 1024 * 1024

/**
 * entity.changes -> decode -> automaticScans -> a task of priority automatic
 *
 * One task of a target and audience as long as it exists, which is a week: a change that is handed out again meets it.
 * The rest waits on the log.
 */
export function automaticScanJob(ports: AutomaticPorts, rules: { allowPrivate: boolean }): Job {
  const { scans, now, pause } = ports
  const readChanges = changeReader(ports.registry)
  const moveToDeadLetters = deadLetterWriter(ports.log, ports.breaker)
  /** When the next scan may be scheduled, over all partitions. */
  let next = 0
  let looked = Number.NEGATIVE_INFINITY

  /** Waits while the workers have more than they can do. */
  async function room(signal: AbortSignal): Promise<void> {
    while (Math.abs(now() - looked) >= LOOK_MS) {
      const { oldest } = await scans.backlog(1)
      if (oldest.automatic === null || now() - oldest.automatic < BEHIND_MS) looked = now()
      else await pause(LOOK_MS, signal)
      signal.throwIfAborted()
    }
  }

  async function schedule(scan: AutomaticScan, signal: AbortSignal): Promise<void> {
    await room(signal)
    const asked = now()
    const at = next > asked + SET_BACK_MS ? asked : Math.max(next, asked)
    next = at + EVERY_MS
    if (at > asked) await pause(at - asked, signal)
    signal.throwIfAborted()
    const defaults = { priority: 'automatic', account: false, webhook: null, createdAt: now() } as const
    const made = await scans.schedule({ id: ports.newId(), ...scan, ...defaults })
    // Without an account there is none that could be gone.
    if (made === 'no user') throw new Error('the system user of automatic scans is used by an account')
    // What cost the workers nothing does not count.
    if (!made.created) next -= EVERY_MS
    ports.onScan(made.created ? 'scheduled' : 'met')
  }

  async function once(batch: Batch): Promise<void> {
    const { records, dead } = await readChanges(batch)
    for (const { message, value } of records) {
      for (const scan of automaticScans(value, rules))
        if (message.timestamp < now() - LATE_MS) ports.onScan('late')
        else await schedule(scan, batch.signal)
    }
    await moveToDeadLetters(batch, dead)
  }

  return {
    group: 'scan.automatic',
    topics: [CHANGES],
    maxRecords: MAX_RECORDS,
    maxBytes: MAX_BYTES,
    lingerMs: 0,
    eachBatch: (batch) => persist(batch, () => once(batch), ports),
  }
}
