import { setTimeout as sleep } from 'node:timers/promises'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Ledger } from './ledger.ts'
import { type NoAnswer, post } from './post.ts'

/** Who reports: credentials, and the source that the log will name. */
export type Reporter = { headers: Record<string, string>; source: string; groups: string[] }

export type Target = { url: () => string; reporters: readonly Reporter[]; ledger: Ledger; random: () => number }

/** What became of a request that left at `at`; both times in milliseconds of performance.now. */
export type Told = { op: number; at: number; took: number; fate: number | NoAnswer }

export type Load = {
  /** In the order of their ends. */
  told: readonly Told[]
  stop(): Promise<void>
}

type Request = { body: object; mark: string | null; records: number; main: { type: string; value: string } }

/** Entities that many requests speak of. */
const SHARED = 40
/** After a request without an answer: the platform is down, and hammering it would only slow its start. */
const PAUSE_MS = 50
const PATIENCE_MS = 20_000

/**
 * Requests by `clients` at a time until stopped; the ledger holds each of them before it leaves.
 * @param rate requests a second of all clients together; without it, as many as are answered
 * @param first number of the first request; those of two loads of one stage must differ
 */
export function startLoad(target: Target, clients: number, rate = Number.POSITIVE_INFINITY, first = 0): Load {
  const told: Told[] = []
  let stopping = false
  let ops = first
  let due = performance.now()
  /** A client that is late sends at once; what was missed meanwhile is not made up for. */
  const turn = async (): Promise<void> => {
    due = Math.max(due, performance.now() - 1000) + 1000 / rate
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
  }
  const run = async (): Promise<void> => {
    while (!stopping) {
      await turn()
      const op = ops++
      const at = performance.now()
      const fate = await one(target, op)
      told.push({ op, at, took: performance.now() - at, fate })
      if (typeof fate !== 'number') await sleep(PAUSE_MS)
    }
  }
  const running = Array.from({ length: clients }, run)
  return {
    told,
    async stop(): Promise<void> {
      stopping = true
      await Promise.all(running)
    },
  }
}

/** The status of the answer, or why none came. */
async function one({ url, reporters, ledger, random }: Target, op: number): Promise<Told['fate']> {
  const reporter = reporters[op % reporters.length]!
  const { body, mark, records, main } = requestOf(op, reporter, random)
  ledger.sent({ op, entityId: entityId(main.type, main.value), source: reporter.source, mark, records })
  const { headers } = reporter
  const answer = await post(`${url()}/api/ingest/v1/entity`, { body, headers, patienceMs: PATIENCE_MS })
  if ('lost' in answer) return answer.lost
  ledger.answered(op, answer.status === 202 ? 'acknowledged' : answer.status >= 500 ? 'failed' : 'refused')
  return answer.status
}

/** New entities, news of shared ones, repeats of one content, and trees of associations. */
function requestOf(op: number, reporter: Reporter, random: () => number): Request {
  const pick = (n: number): number => Math.floor(random() * n)
  const shared = `198.51.100.${pick(SHARED)}`
  const mark = `op ${op}`
  const reputation = pick(7) - 3
  const visibleBy = random() < 0.5 ? ['public'] : [reporter.groups[pick(reporter.groups.length)]!]
  const kind = random()
  if (kind < 0.4) {
    const domain = `n${op}.example.net`
    const body = { type: 'domain', attributes: { domain, text: mark }, reputation, tags: [`t${pick(5)}`], visibleBy }
    return { body, mark, records: 1, main: { type: 'domain', value: domain } }
  }
  const ip = { type: 'ip', attributes: { ip: shared } }
  const main = { type: 'ip', value: shared }
  if (kind < 0.6) {
    const attributes = { ip: shared, text: mark, country: ['France', 'Peru'][pick(2)]! }
    return { body: { ...ip, attributes, reputation, tags: [`t${pick(5)}`], visibleBy }, mark, records: 1, main }
  }
  if (kind < 0.85) return { body: { ...ip, reputation: -2, visibleBy }, mark: null, records: 1, main }
  const md5 = op.toString(16).padStart(32, '0')
  const associations = [
    { mode: 'association', ...ip },
    { mode: 'aggregation', type: 'domain', attributes: { domain: `a${op}.example.org` } },
  ]
  const body = { type: 'md5', attributes: { md5, text: mark }, reputation: -3, associations, visibleBy }
  return { body, mark, records: 3, main: { type: 'md5', value: md5 } }
}
