/** Finds scans that nobody ends, and forgets old ones (specification 3.1, 8.4). Any number of processes may do this. */

import type { ScanUpkeep } from '../../../connectors/postgres/scans/port.ts'
import { pause } from '../../../platform/pause.ts'
import { KEEP_MS, type ScanStatus } from '../../../schemas/scans/scan.ts'

export type SweepPorts = {
  scans: ScanUpkeep
  /** Unix milliseconds. */
  now: () => number
  /** What became of a run that nobody ended. */
  onRecovered: (scan: { id: string; status: ScanStatus }) => void
  onFailure: (error: Error) => void
}

/** A lease that ends is seen this soon. */
const EVERY_MS = 10_000
const ROWS = 100
const OLD_ROWS = 1_000
const SILENT_MS = 60 * 60 * 1000

/** One round, each part of it bounded: the next one goes on. */
export async function sweepScans({ scans, now, onRecovered }: SweepPorts): Promise<void> {
  for (const scan of await scans.recover(now(), ROWS)) onRecovered(scan)
  await scans.remind(now() - SILENT_MS, now(), ROWS)
  await scans.prune(now() - KEEP_MS, OLD_ROWS)
}

/** Sweeps until stopped; a failure is told, and the next round comes. */
export function startScanSweep(ports: SweepPorts): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweepScans(ports).catch(ports.onFailure)
      await pause(EVERY_MS, stopping.signal)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
