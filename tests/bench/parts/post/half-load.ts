/** Half of the reports a second that a platform takes, for as long as something is measured. */

import type { Load, Loaded } from './load.ts'
import { ask, type Side, start } from './sides.ts'

const CONNECTIONS = 64
/** For the full load that the half is of, after as long to warm up. */
const FULL_MS = 5_000

/** Measures at half load: of the reports a second from the connections of the POST benchmark, which are measured before. */
export async function atHalfLoad({ port, headers, settled }: Side, measure: () => Promise<void>): Promise<void> {
  const client = start('load.ts')
  const load = (given: Pick<Load, 'ms' | 'pauseMs'>) =>
    ask<Loaded>(client, { port, headers, connections: CONNECTIONS, ...given })
  try {
    await load({ ms: FULL_MS, pauseMs: 0 })
    const full = await load({ ms: FULL_MS, pauseMs: 0 })
    await settled()
    // Each connection rests so long that all of them together send half as much.
    const pauseMs = (2_000 * CONNECTIONS) / full.rate - full.p50 / 2
    let measuring = true
    const rates: number[] = []
    const loading = (async () => {
      while (measuring) rates.push((await load({ ms: 2_000, pauseMs })).rate)
    })()
    try {
      await measure()
    } finally {
      measuring = false
      await loading
    }
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    console.log(`load: ${mean.toFixed(0)} reports/s of ${full.rate.toFixed(0)} at full load`)
  } finally {
    client.disconnect()
  }
}
