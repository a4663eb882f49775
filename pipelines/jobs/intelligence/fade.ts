import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { DueEntity, FadeStore } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { pause } from '../../../platform/pause.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { reevaluationRecord } from '../../processors/intelligence/reevaluate.ts'
import type { Watermark } from '../../runtime/find-appended.ts'
import { PORTION } from '../../runtime/job.ts'
import { endOffsets, lagOf } from '../../runtime/lag.ts'
import { unwritten, type Written } from '../../runtime/unwritten.ts'

const PAGE = 1_000
/**
 * Reports come first: decay re-evaluations take a fraction of what a process can apply, and none while a batch is
 * behind.
 */
const A_SECOND = 2_000
const LOOK_AGAIN_MS = 1_000
const LAST_KEY = 2n ** 64n - 1n
/** How often all keys are looked at, by one column of the table. */
const ALL_EVERY_MS = 24 * 3_600_000
/**
 * How long before the last turn the next one begins: longer than an insert, whose rows have the time of its beginning, and
 * than clocks differ. What is later still is found within a day.
 */
const MARGIN_MS = 120_000

type FadePorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  store: FadeStore
  encode: (observation: Observation) => Buffer
  /** Whether something was written to the store: else nothing becomes due before it was known to. */
  written?: Written
}

type FadeOptions = {
  now: () => number
  /** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  /** Where a turn over all keys begins: anywhere, so that processes rarely look at the same place at once. */
  startKey: () => bigint
  group: string
}

/** What this process has looked at: all keys at `allAt`, and what was to be looked at until `until`. */
type Looked = { generation: string; allAt: number; until: number }

type Page<Place> = { entities: DueEntity[]; next: Place | null }

/**
 * Rows that are due -> `tick` records on entity.observations (ADR 269)
 * A turn looks at what has become due since the one before it (ADR 266); the first turn, that of another generation and one
 * each day scan all keys, page by page. The records of a turn are applied before the next turn scans, so only its
 * position has to be stored. Another process may send the same records: an additional `tick` changes nothing.
 */
export function fadeJob(ports: FadePorts, options: FadeOptions) {
  const { log, store } = ports
  const { signal, group } = options
  let sent: Watermark[] = []
  let looked: Looked | undefined
  const nothing = unwritten(ports.written, options.now)

  async function send(entities: readonly DueEntity[], now: number): Promise<void> {
    const messages = entities.map((entity) => ({
      key: entity.entityId,
      value: ports.encode(reevaluationRecord(entity, now)),
      timestamp: now,
    }))
    await log.send([{ topic: OBSERVATIONS, messages }])
  }

  async function waitForJobs(): Promise<void> {
    while ((await lagOf(log, group, OBSERVATIONS, await endOffsets(log, OBSERVATIONS))) > PORTION.maxRecords) {
      await options.pause(LOOK_AGAIN_MS, signal)
      signal.throwIfAborted()
    }
  }

  /** Sends what is due on the pages from `start` on. */
  async function reevaluate<Place>(start: Place, read: (from: Place, now: number) => Promise<Page<Place>>) {
    let sent = 0
    for (let from: Place | null = start; from !== null; ) {
      signal.throwIfAborted()
      await waitForJobs()
      const now = options.now()
      const page: Page<Place> = await read(from, now)
      if (page.entities.length > 0) {
        await send(page.entities, now)
        sent += page.entities.length
        await options.pause((page.entities.length / A_SECOND) * 1000, signal)
      }
      from = page.next
    }
    return sent
  }

  /** Keys after `from`, up to `to`. */
  const between = (from: bigint, to: bigint): Promise<number> =>
    reevaluate(from, (after, now) => store.dueBetween({ after, to }, now, PAGE, signal))

  async function ofAllKeys(): Promise<number> {
    const start = options.startKey()
    return (await between(start, LAST_KEY)) + (await between(0n, start))
  }

  const since = (at: number): Promise<number> =>
    reevaluate({ at, key: 0n }, (position, now) => store.dueAfter(position, now, PAGE, signal))

  return {
    /**
     * Returns for how many entities a `tick` was sent.
     * @throws what log and store throw, and the reason of `signal`: the next turn finds what is left
     */
    async turn(): Promise<number> {
      if (nothing.holds() || (await lagOf(log, group, OBSERVATIONS, sent)) > 0) return 0
      const answered = nothing.asking()
      const { generation, clock } = await store.tables(signal)
      const now = options.now()
      // The clock of either side may be the one that is behind.
      const until = Math.min(now, clock) - MARGIN_MS
      // Tables that were built meanwhile are older than what was looked at in others.
      const known =
        looked?.generation === generation && Math.abs(now - looked.allAt) < ALL_EVERY_MS ? looked : undefined
      try {
        const ticks = known === undefined ? await ofAllKeys() : await since(known.until)
        looked = { generation, allAt: known?.allAt ?? now, until }
        if (ticks === 0 && ports.written?.() != null) answered((await store.nextAfter(now, signal)) ?? undefined)
        return ticks
      } finally {
        sent = await endOffsets(log, OBSERVATIONS)
      }
    },
  }
}

/** What time alone changes shows within 5 s, in lists too (decisions 11.3). */
const EVERY_MS = 3_000

/**
 * Looks every three seconds for what is due to fade, until stopped; a turn that failed is followed by the next.
 * @param alone whether this is the only process that does; several begin at different moments
 */
export function watchFading(
  ports: FadePorts,
  { alone, logger, report }: { alone: boolean; logger: Logger; report: (news: { ticks: number }) => void },
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const startKey = () => randomBytes(8).readBigUInt64BE()
  const job = fadeJob(ports, { now: Date.now, pause, signal, startKey, group: OBSERVERS })

  const once = async (): Promise<void> => {
    const ticks = await job.turn()
    if (ticks === 0) return
    report({ ticks })
    logger.info({ ticks }, 're-evaluated the scores of faded entities')
  }

  const watch = async (): Promise<void> => {
    if (!alone) await pause(Math.random() * EVERY_MS, signal)
    while (!signal.aborted) {
      await once().catch(
        (err: unknown) =>
          signal.aborted || logger.warn({ err }, 'cannot find entities that are due for re-evaluation; retrying'),
      )
      await pause(EVERY_MS, signal)
    }
  }
  const watching = watch()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await watching
    },
  }
}
