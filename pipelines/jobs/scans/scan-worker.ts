/** Takes queued scans and runs them, scans of users first, in any number of processes (decisions 7). */

import { type Scanner, ScanRefused } from '../../../connectors/network/scanner/port.ts'
import { unheard, type WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { LeasedScan, ScanResult, ScanWork } from '../../../connectors/postgres/scans/port.ts'
import { pause } from '../../../platform/pause.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { MAX_ENTITIES } from '../../../schemas/intelligence/ingest/expand.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { scanObservations } from '../../processors/scans/scan-findings.ts'
import { idleWait } from '../../runtime/leases/idle-wait.ts'

/** One run of one scan: looked at, submitted, written down (ADR 275). */
type ScanRunPorts = {
  scans: ScanWork
  scanner: Scanner
  /** An observation as it crosses the log. */
  encode: (observation: Observation) => Buffer
  /** Unix milliseconds. */
  now: () => number
  /** Longest run; default a minute. */
  scanMs?: number
  /** What came of a run (`done`, `queued` again, `permanent_failure`), and how long it took. */
  onRun: (outcome: string, seconds: number) => void
}

const SCAN_MS = 60_000
/** Time that a scanner has for its last results after it was aborted. */
const LAST_WORDS_MS = 1_000

/** Why a run is cut off. */
type CutOff = 'stopped' | 'lost'

/**
 * Runs it and writes down what came of it: all in one transaction, and nothing when the lease was lost. Cut off because
 * this process stops, it is given back. Rejects when the database fails; the lease then ends by itself.
 */
async function runScan(ports: ScanRunPorts, task: LeasedScan, cut: AbortSignal): Promise<void> {
  const { scans, now } = ports
  const began = now()
  const found = await scanTarget(ports, task, cut)
  if (cut.aborted) {
    if ((cut.reason as CutOff) === 'stopped') await scans.release(task, now())
    return
  }
  const outcome =
    'why' in found
      ? await scans.fail(task, found.why, found.error, now())
      : (await scans.finish(task, found, now())) && 'done'
  if (outcome) ports.onRun(outcome, (now() - began) / 1000)
}

async function scanTarget(
  { scanner, encode, scanMs = SCAN_MS }: ScanRunPorts,
  task: LeasedScan,
  cut: AbortSignal,
): Promise<ScanResult | { why: 'failed' | 'refused'; error: string }> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), scanMs)
  const ended = AbortSignal.any([cut, late.signal])
  const silence = overdue(ended, `the scan timed out after ${scanMs / 1000} s`)
  try {
    const found = await Promise.race([scanner.scan(task.target, ended), silence.promise])
    const { observations, entities, cut: more } = scanObservations(task, found.entities)
    return {
      observations: observations.map((o) => ({ id: o.id, key: o.entityId, record: encode(o) })),
      entities,
      error: more ? `the scan found more than ${MAX_ENTITIES} entities, the maximum per scan` : null,
    }
  } catch (error) {
    const why = error instanceof ScanRefused ? 'refused' : 'failed'
    return { why, error: (error as Error).message || 'the scan failed' }
  } finally {
    clearTimeout(timer)
    silence.stop()
  }
}

/** Rejects a moment after `signal`: a scanner that does not listen may not keep its place. */
function overdue(signal: AbortSignal, message: string): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(() => reject(new Error(message)), LAST_WORDS_MS)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  const stop = (): void => {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
  return { promise, stop }
}

export type WorkerPorts = ScanRunPorts & {
  /** UUID of this process. */
  holder: string
  /** At once, by this process; default 16. */
  atOnce?: number
  /** Which commits queued something; default: what is queued is looked for twice a second. */
  work?: WorkSignals
  onFailure: (error: Error) => void
}

const AT_ONCE = 16
const LEASE_MS = 30_000
const RENEW_MS = LEASE_MS / 3
const IDLE_MS = 500
/** Short enough for the leases. */
const MAX_PAUSE_MS = 5_000
/** How long a process that stops waits for its scans, within the 10 s of a graceful stop (decisions 9.3). */
const GRACE_MS = 1_000

/** Automatic scans never have all places: a quarter of them, and one at least, is for users. */
const placesOfUsers = (atOnce: number): number => Math.max(1, Math.ceil(atOnce / 4))

/** Scans that this process runs. */
export type Scanning = {
  /** Takes what is queued and there is room for, and begins it; returns how many. */
  begin(): Promise<number>
  /** Prolongs the leases and cuts off the runs that have lost theirs. */
  renew(): Promise<void>
  /** Whether anything is run. */
  busy(): boolean
  /** Resolves when nothing is run. */
  ended(): Promise<void>
  /** Cuts off everything; it is given back. */
  cut(): void
}

type Run = { task: LeasedScan; abort: AbortController }

/** `onEnd` is called at the end of every run. */
export function scanning(ports: WorkerPorts, onEnd: () => void = () => undefined): Scanning {
  const { scans, holder, now, atOnce = AT_ONCE } = ports
  const runs = new Map<Promise<void>, Run>()
  const cutOff = ({ abort }: Run, why: CutOff): void => abort.abort(why)

  return {
    async begin() {
      const limit = atOnce - runs.size
      if (limit === 0) return 0
      const taken = [...runs.values()].filter(({ task }) => task.priority === 'automatic').length
      const automatic = Math.max(0, atOnce - placesOfUsers(atOnce) - taken)
      const tasks = await scans.take({ holder, now: now(), leaseMs: LEASE_MS, limit, automatic })
      for (const task of tasks) {
        const abort = new AbortController()
        const ended = runScan(ports, task, abort.signal)
          .catch(ports.onFailure)
          .finally(() => {
            runs.delete(ended)
            onEnd()
          })
        runs.set(ended, { task, abort })
      }
      return tasks.length
    },
    async renew() {
      const all = [...runs.values()]
      const held = await scans.renew(
        all.map(({ task }) => task),
        now() + LEASE_MS,
      )
      for (const run of all) if (!held.has(run.task.id)) cutOff(run, 'lost')
    },
    busy: () => runs.size > 0,
    async ended() {
      await Promise.all(runs.keys())
    },
    cut() {
      for (const run of runs.values()) cutOff(run, 'stopped')
    },
  }
}

/**
 * Works until stopped. `wake`: there may be something to take. A failure of the database is logged and retried later.
 */
export function startScanWorker(ports: WorkerPorts): Rounds {
  const { scans, now, work = unheard } = ports
  const running = scanning(ports, () => rounds.wake())
  let renewedAt = now()

  const rounds = startRounds({
    async round() {
      if (now() - renewedAt >= RENEW_MS) {
        await running.renew()
        renewedAt = now()
      }
      await running.begin()
      const nextAt = async () => ((await scans.queued()) ? now() : null)
      const waitMs = await idleWait({ work, idleMs: IDLE_MS, now, nextAt })
      return running.busy() ? Math.min(waitMs, Math.max(0, renewedAt + RENEW_MS - now())) : waitMs
    },
    onFailure: ports.onFailure,
    failedMs: IDLE_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  const unwatch = work.on('scans', rounds.wake)
  return {
    wake: rounds.wake,
    async stop() {
      unwatch()
      await rounds.stop()
      const grace = new AbortController()
      await Promise.race([running.ended(), pause(GRACE_MS, grace.signal)])
      grace.abort()
      running.cut()
      await running.ended()
    },
  }
}
