/** One run of one scan: looked at, submitted, written down (ADR 113). */

import { type Scanner, ScanRefused } from '../../../connectors/network/scanner/port.ts'
import type { LeasedScan, ScanResult, ScanWork } from '../../../connectors/postgres/scans/port.ts'
import { MAX_ENTITIES } from '../../../schemas/intelligence/ingest/expand.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { scanObservations } from '../../processors/scans/scan-findings.ts'

export type ScanRunPorts = {
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
/** What a scanner that was told to end has left for its last words. */
const LAST_WORDS_MS = 1_000

/** Why a run is cut off. */
export type CutOff = 'stopped' | 'lost'

/**
 * Runs it and writes down what came of it: all in one transaction, and nothing when the lease was lost. Cut off because
 * this process stops, it is given back. Rejects when the database fails; the lease then ends by itself.
 */
export async function runScan(ports: ScanRunPorts, task: LeasedScan, cut: AbortSignal): Promise<void> {
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
