import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { appendReports } from '../../../builders/intelligence/long-ago.ts'
import { HOUR } from '../../../builders/intelligence/observation.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'

/** Who decides over what a load reports, and where. */
export type Deciders = {
  /** One process of the API; another one each time. */
  url: () => string
  /** A member of a customer. */
  member: Record<string, string>
  log: Pick<EventLog, 'send'>
  /** Of an observation. */
  schema: number
  random: () => number
}

/** A feed's reports by this source are retracted now and then. */
export const SOURCE = 'chaos list'
/** Below which reports are of almost an hour ago. */
export const AGING = 'aging.example'
/** What the load shares, half of it. */
const COVERED = '198.51.100.0/28'
const SHARED = 40
const EVERY_MS = 150
/** A retraction is answered once it is applied. */
const PATIENCE_MS = 3_000
const FIRST_AGE_MS = 2_000
const LAST_AGE_MS = 8_000

/**
 * Marks, verdicts, retractions, what takes them back, and reports that will soon be an hour old, one after another until
 * stopped. A request that is not answered may have been done or not.
 */
export function startDeciding({ url, member, log, schema, random }: Deciders): { stop(): Promise<void> } {
  const pick = (n: number): number => Math.floor(random() * n)
  const shared = (): string => `198.51.100.${pick(SHARED)}`
  const ask = async (method: string, path: string, body?: object, as: object = ADMINISTRATOR): Promise<void> => {
    const headers = { ...as, ...(body && { 'content-type': 'application/json' }) }
    await fetch(url() + path, {
      method,
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
      .then((response) => response.text())
      // A process that died with the request.
      .catch(() => undefined)
  }
  const mark = (type: string, value: string) =>
    ask('POST', '/api/ingest/v1/well-known', { type, attributes: { [type]: value } })
  const clear = (type: string, value: string) => ask('DELETE', `/api/ingest/v1/well-known/${entityId(type, value)}`)
  const verdict = (method: string, body?: object) =>
    ask(method, `/api/casework/v1/verdicts/${entityId('ip', shared())}`, body, member)
  const aging = (): Promise<void> =>
    appendReports(
      log,
      schema,
      Array.from({ length: 5 }, (_, n) => ({
        type: 'domain',
        value: `a${pick(300)}.${AGING}`,
        submissionId: randomUUID(),
        source: SOURCE,
        sourceKind: 'feed' as const,
        // The first one stays.
        observedAt: Date.now() - HOUR + (n === 0 ? HOUR / 2 : FIRST_AGE_MS + pick(LAST_AGE_MS - FIRST_AGE_MS)),
      })),
    )
  const decisions = [
    () => mark('ip', shared()),
    () => clear('ip', shared()),
    () => mark('cidr', COVERED),
    () => clear('cidr', COVERED),
    () => verdict('PUT', { verdict: ['benign', 'malicious'][pick(2)], reason: 'chaos' }),
    () => verdict('DELETE'),
    aging,
    aging,
    () => {
      const from = Date.now() - HOUR + pick(HOUR / 2)
      const window = { from: String(from), to: String(from + 5_000) }
      return ask('POST', '/api/admin/v1/retractions', { feed: SOURCE, ...window, preview: false })
    },
  ]
  let stopping = false
  const run = async (): Promise<void> => {
    // However few decisions a slow machine makes, the list of these has something to say.
    await aging()
    while (!stopping) {
      await decisions[pick(decisions.length)]!()
      await sleep(EVERY_MS)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping = true
      await running
    },
  }
}

/** After what was appended last has grown old. */
export const AGED_MS = LAST_AGE_MS + 2_000
