import type { Administrator } from '../admin/server.ts'
import { type Check, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5_000

/** What the running platform, asked as its administrator, has last found of its counters; nothing is known without one. */
export const countersCheck = (url: string, administrator: () => Promise<Administrator | null>): Check => ({
  name: 'counters',
  todo: 'harrier counts check',
  async run() {
    const known = await administrator()
    const answer = await fetch(`${url}/metrics`, {
      ...(known && { headers: { 'api-key': known.key, 'api-secret': known.secret } }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const drift = driftIn(answer?.ok ? await answer.text() : '')
    if (drift === null) return [ok('no platform runs that could tell of drift')]
    if (drift === 0) return [ok('the last recount found no drift')]
    return [warn(`they differ by ${drift} from a recount`, 'harrier counts check, then harrier counts repair')]
  },
})

/** The drift in an exposition of metrics; null when it says nothing of it. */
export function driftIn(metrics: string): number | null {
  const [, drift] = /^harrier_counts_drift (\S+)$/m.exec(metrics) ?? []
  return drift === undefined ? null : Number(drift)
}
