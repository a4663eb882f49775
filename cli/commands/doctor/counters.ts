import type { Credentials } from '../admin/server.ts'
import { type Check, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Reports the counter drift that the running platform exposes as a metric; unknown if no platform runs. */
export const countersCheck = (url: string, administrator: () => Promise<Credentials | null>): Check => ({
  name: 'counters',
  todo: 'run: harrier counts check',
  async run() {
    const known = await administrator()
    const answer = await fetch(`${url}/metrics`, {
      ...(known && { headers: { 'api-key': known.key, 'api-secret': known.secret } }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const drift = driftIn(answer?.ok ? await answer.text() : '')
    if (drift === null) return [ok('unknown: no running platform reports counter drift')]
    if (drift === 0) return [ok('the last recount found no drift')]
    return [
      warn(`the counters differ by ${drift} from a recount`, 'run: harrier counts check, then: harrier counts repair'),
    ]
  },
})

/** The drift in a metrics exposition; null if the metric is absent. */
export function driftIn(metrics: string): number | null {
  const [, drift] = /^harrier_counts_drift (\S+)$/m.exec(metrics) ?? []
  return drift === undefined ? null : Number(drift)
}
