import type { FadeStore } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { reevaluationRecord } from '../../processors/intelligence/reevaluate.ts'
import type { Watermark } from '../../runtime/find-appended.ts'
import { PORTION } from '../../runtime/job.ts'
import { endOffsets, lagOf } from '../../runtime/lag.ts'

const PAGE = 1_000
/**
 * Reports come first: decay re-evaluations take a fraction of what a process can apply, and none while a batch is
 * behind.
 */
const A_SECOND = 2_000
const LOOK_AGAIN_MS = 1_000
const LAST_KEY = 2n ** 64n - 1n

export type FadePorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  store: FadeStore
  encode: (observation: Observation) => Buffer
}

export type FadeOptions = {
  now: () => number
  /** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
  /** Where a turn begins among the keys: anywhere, so that processes rarely look at the same place at once. */
  startKey: () => bigint
  group: string
}

/**
 * Rows that are due -> `tick` records on entity.observations (ADR 125)
 * A turn scans all keys once, page by page. The records of a turn are applied before the next turn scans, so only its
 * position has to be stored. Another process may send the same records: an additional `tick` changes nothing.
 */
export function fadeJob(ports: FadePorts, options: FadeOptions) {
  const { log, store } = ports
  const { signal, group } = options
  let sent: Watermark[] = []

  async function send(entities: Awaited<ReturnType<FadeStore['due']>>['entities'], now: number): Promise<void> {
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

  /** Keys after `from`, up to `to`. */
  async function reevaluateDue(from: bigint, to: bigint): Promise<number> {
    let sent = 0
    for (let after: bigint | null = from; after !== null; ) {
      signal.throwIfAborted()
      await waitForJobs()
      const now = options.now()
      const page: Awaited<ReturnType<FadeStore['due']>> = await store.due({ after, to }, now, PAGE, signal)
      if (page.entities.length > 0) {
        await send(page.entities, now)
        sent += page.entities.length
        await options.pause((page.entities.length / A_SECOND) * 1000, signal)
      }
      after = page.next
    }
    return sent
  }

  return {
    /**
     * Returns for how many entities a `tick` was sent.
     * @throws what log and store throw, and the reason of `signal`: the next turn finds what is left
     */
    async turn(): Promise<number> {
      if ((await lagOf(log, group, OBSERVATIONS, sent)) > 0) return 0
      const start = options.startKey()
      try {
        return (await reevaluateDue(start, LAST_KEY)) + (await reevaluateDue(0n, start))
      } finally {
        sent = await endOffsets(log, OBSERVATIONS)
      }
    },
  }
}
