import { NotRight, type PartsCheck } from '../../../api/http/parts-health.ts'
import type { OperationPorts } from '../../../api/operation/ports.ts'
import type { CommonPorts } from '../../../api/ports.ts'
import { StoreSlow } from '../../../connectors/availability/port.ts'
import { auditReads } from '../../../connectors/history/audit/audit-store.ts'
import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { retractionStore } from '../../../connectors/history/stores/retraction.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import { RetractionPending, type Retractions } from '../../../connectors/operations/retractions/port.ts'
import { kyselyNames } from '../../../connectors/postgres/operation/name-store.ts'
import type { Outbox, Settings } from '../../../connectors/postgres/operation/port.ts'
import { kyselySettings } from '../../../connectors/postgres/operation/setting-store.ts'
import { demoInBackground } from '../../../pipelines/demo/background.ts'
import { FROM_THE_START, NOTHING_DONE, type RetractPorts } from '../../../pipelines/retract/ports.ts'
import { retractPage } from '../../../pipelines/retract/run-retract.ts'
import { pause } from '../../../platform/pause.ts'
import type { Rounds } from '../../../platform/rounds.ts'
import { type Seals, seals } from '../../../schemas/cursors/seal.ts'
import { feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { BURYING, CONSUMERS, deadTopic, GROUPS } from '../../../schemas/log/topics.ts'
import { aloneIn } from '../../../schemas/operation/breaker.ts'
import { openOutbox, relayOutbox } from '../background/outbox-relay.ts'
import { openDemo } from '../open/open-demo.ts'
import { MAX_COUNTED } from '../process/job-metrics.ts'
import type { Core, Worker } from './module.ts'

const CLOSED = 'closed'
/** Sources that stand alone are named up to so many. */
const MAX_NAMED = 10

/** Not ready while a consumer stands still, wherever it runs: answers are out of date then. */
export const breakerCheck = (breakers: Breakers): PartsCheck => ({
  name: 'breakers',
  async check() {
    const states = (await breakers.list()).filter((state) => state.open)
    const open = states.filter(({ source }) => source === null)
    if (open.length > 0) throw new NotRight(`open: ${open.map(({ group }) => group).join(' ')}`)
    const alone = states.map(({ group, source }) => `${source} in ${group}`)
    return alone.length === 0 ? CLOSED : `${CLOSED}; isolated: ${alone.slice(0, MAX_NAMED).join(', ')}`
  },
  // A source is a user, a customer or a feed: only administrators see the sources of reports.
  forAnybody: () => CLOSED,
})

/** The jobs apply the 2,000 records of a page in seconds; proxies give a request a minute. */
const PATIENCE = { stalledMs: 20_000, mostMs: 40_000 }
/** Of one page, with what is read before. */
const MOST_MS = 90_000

type RetractionParts = Pick<RetractPorts, 'log' | 'encode'> & {
  history: History
  /** A repeat refreshes a claim for so long, milliseconds. */
  dedupeWindow: number
}

/** Retractions page by page, over the live generation of the history. */
function openRetractions({ log, encode, history, dedupeWindow }: RetractionParts): Retractions {
  const store = { ...retractionStore(history), ...observationStore(history) }
  return {
    async page({ feed, from, to, reason, preview, after }) {
      const source = feedSource(feed)
      if (after === null && !(await store.known(source))) return null
      const signal = AbortSignal.timeout(MOST_MS)
      const window = { source, from, to, reason, dryRun: preview, dedupeWindow }
      const options = { ...window, patience: PATIENCE, now: Date.now, pause, signal }
      const result = { ...NOTHING_DONE }
      const ports = { log, store, encode }
      try {
        const next = await retractPage(ports, options, after ?? FROM_THE_START, result)
        return { ...result, next }
      } catch (error) {
        if (!signal.aborted || error instanceof RetractionPending) throw error
        throw new StoreSlow('the history store', 'did not find the page of a retraction in time', { cause: error })
      }
    },
  }
}

/** Reads lag and dead letters from the log; called before every exposition. */
async function measureLog(log: EventLog, { instruments: m }: Metrics): Promise<void> {
  for (const { group, topic, optional } of CONSUMERS) {
    const [offsets, committed] = await Promise.all([log.offsets(topic), log.committed(group, topic)])
    const positions = new Map(committed.map((c) => [c.partition, c.offset]))
    const reads = !optional || committed.some(({ offset }) => offset !== null)
    if (reads)
      for (const { partition, low, high } of offsets)
        m.harrier_consumer_lag.set(
          { group, topic, partition: String(partition) },
          high - Math.max(low, positions.get(partition) ?? low),
        )
    if (!BURYING.includes(topic)) continue
    const dead = await log.offsets(deadTopic(topic))
    m.harrier_dead_letters.set(
      { topic: deadTopic(topic) },
      dead.reduce((sum, p) => sum + p.high - p.low, 0),
    )
  }
}

/** Reads which breakers are open; called before every exposition. */
async function measureBreakers(breakers: Breakers, { instruments: m }: Metrics): Promise<void> {
  const states = (await breakers.list()).filter((state) => state.open)
  const open = new Set(states.filter(({ source }) => source === null).map(({ group }) => group))
  for (const group of GROUPS) {
    m.harrier_breaker_open.set({ group }, open.has(group) ? 1 : 0)
    m.harrier_isolated_sources.set({ group }, aloneIn(states, group).length)
  }
}

/** Reads what waits in the outbox; called before every exposition. `now` in unix milliseconds. */
export async function measureOutbox(
  outbox: Pick<Outbox, 'backlog'>,
  { instruments: m }: Metrics,
  now: number,
): Promise<void> {
  const { pending, oldest } = await outbox.backlog(MAX_COUNTED)
  m.harrier_outbox_pending.set(pending)
  m.harrier_outbox_oldest_seconds.set(oldest === null ? 0 : Math.max(0, now - oldest) / 1000)
}

/** The secret is asked for once; again while the accounts do not answer. */
function sealsOf(settings: Pick<Settings, 'cursorSecret'>): () => Promise<Seals> {
  let known: Seals | undefined
  return async () => {
    known ??= seals(await settings.cursorSecret())
    return known
  }
}

/** What operators see and do: the audit log, dead letters, breakers, lag, demonstration data, retractions; and the outbox. */
export function operationModule(core: Core) {
  const { config, log, recorded, registry, history, database, audit, open, metrics, logger } = core
  const breakers = logBreakers(recorded)
  const outbox = openOutbox(database.db)
  const settings = kyselySettings(database.db)
  const demo = demoInBackground(openDemo(recorded, registry), logger)
  open.push('demonstration data', () => demo.stop())
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  let relay: Rounds | null = null
  return {
    api: {
      audit: audit.writer,
      auditReads: auditReads(history.home),
      settings,
      names: kyselyNames(database.db),
      seals: sealsOf(settings),
      deadLetters: deadLetterBox({ log: recorded, registry, now: Date.now }),
      breakers,
      consumerLag: consumerLag(recorded, Date.now),
      demo,
      retractions: openRetractions({ log: recorded, encode, history, dedupeWindow: config.dedupeWindowMs }),
    } satisfies Omit<OperationPorts, 'feedStates'> & Pick<CommonPorts, 'audit' | 'seals' | 'settings'>,
    /** The outbox is looked through at once, and not at the next poll. */
    wakeRelay: () => relay?.wake(),
    workers: [
      {
        name: 'outbox relay',
        withApi: true,
        start: () => (relay = relayOutbox({ audit, outbox, log, work: database.work }, metrics, logger)),
      },
    ] satisfies Worker[],
    measures: (now: number) => [
      measureLog(recorded, metrics),
      measureBreakers(breakers, metrics),
      measureOutbox(outbox, metrics, now),
    ],
  }
}
