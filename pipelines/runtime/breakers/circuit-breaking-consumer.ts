import { untilNext } from '../../../platform/pause.ts'
/** Consumers behind circuit breakers: a breaker that opens stops its group here until it is closed (ADR 281). */

import type { ConsumeOptions, Consumer, EventLog } from '../../../connectors/log/port.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import type { ReplaySeals } from '../../../connectors/operations/dead-letters/port.ts'
import { BURYING, deadTopic } from '../../../schemas/log/topics.ts'
import { aloneIn, type BreakerState, breakerKey } from '../../../schemas/operation/breaker.ts'
import { type Breaker, BreakerOpen, groupBreaker, type SourceAlone } from './group-breaker.ts'

export type CircuitBreakerPorts = {
  log: Pick<EventLog, 'consume' | 'offsets' | 'offsetsAt'>
  breakers: Breakers
  seals: Pick<ReplaySeals, 'check'>
  /** Unix milliseconds. */
  now: () => number
  /** This process, for the record. */
  by: string
  /** Resolves after so many milliseconds, or as soon as the signal says so. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** `found`: it was open already, by this process before it was started again, or by another. */
  onOpen: (state: BreakerState, found: boolean) => void
  onClose: (group: string) => void
  /** A source is isolated from now on: its dead records become dead letters, all other records are processed. */
  onAlone: (state: BreakerState) => void
  onFailure: (error: Error, group: string) => void
}

export type CircuitBreakers = {
  /** The breaker of a group, for its job. */
  breakerOf(group: string): Breaker
  /** As the log's own `consume`. Resolves too while the breaker is open; then nothing is handed out until it is closed. */
  consume: EventLog['consume']
}

const LOOK_MS = 2_000
const FAILED_MS = 1_000

export function circuitBreakers(ports: CircuitBreakerPorts): CircuitBreakers {
  const known = new Map<string, Breaker>()
  /** Isolated sources that are not on the log yet, by the keys of their records. */
  const unnoted = new Map<string, BreakerState>()
  const breakerOf = (group: string): Breaker => {
    const made =
      known.get(group) ?? groupBreaker((alone) => void storeAlone(ports, unnoted, stateOf(ports, group, alone)))
    known.set(group, made)
    return made
  }
  return {
    breakerOf,
    consume: (options, eachBatch) =>
      consumeBehindBreaker(ports, unnoted, breakerOf(options.group), options, async (batch) =>
        // Whatever a job is handed: what headers say of a replay is so.
        eachBatch({ ...batch, messages: await ports.seals.check(batch.topic, batch.messages) }),
      ),
  }
}

const stateOf = (
  ports: CircuitBreakerPorts,
  group: string,
  { topic, source, trip, reasons }: SourceAlone,
): BreakerState => ({
  group,
  source,
  open: true,
  at: ports.now(),
  by: ports.by,
  topic,
  reasons,
  allow: 0,
  ratio: trip.ratio,
  run: trip.run,
})

/** Retries until the record is on the log, where a restart must find it, or until the signal is aborted. */
async function storeState(
  { breakers, onFailure, pause }: CircuitBreakerPorts,
  state: BreakerState,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted)
    try {
      return await breakers.set(state)
    } catch (error) {
      onFailure(error as Error, state.group)
      await pause(FAILED_MS, signal).catch(() => undefined)
    }
}

/** Records that were written to the dead-letter topics of `topics` since a time (Unix milliseconds). */
async function deadLettersSince(
  log: CircuitBreakerPorts['log'],
  topics: readonly string[],
  since: number,
): Promise<number> {
  let count = 0
  for (const topic of topics.filter((name) => BURYING.includes(name))) {
    const high = new Map((await log.offsets(deadTopic(topic))).map((at) => [at.partition, at.high]))
    for (const { partition, offset } of await log.offsetsAt(deadTopic(topic), since))
      count += (high.get(partition) ?? offset) - offset
  }
  return count
}

async function storeAlone(
  ports: CircuitBreakerPorts,
  unnoted: Map<string, BreakerState>,
  state: BreakerState,
): Promise<void> {
  unnoted.set(breakerKey(state), state)
  ports.onAlone(state)
  await storeState(ports, state, new AbortController().signal)
  unnoted.delete(breakerKey(state))
}

async function consumeBehindBreaker(
  ports: CircuitBreakerPorts,
  unnoted: ReadonlyMap<string, BreakerState>,
  own: Breaker,
  options: ConsumeOptions,
  eachBatch: Parameters<EventLog['consume']>[1],
): Promise<Consumer> {
  const { group, topics } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const began = Promise.withResolvers<void>()
  let seen: BreakerState | null = await readStates()
  await resetAfterClose(seen)

  const closed = runUntilStopped()
  closed.catch(began.reject)
  await began.promise
  return {
    closed,
    async stop() {
      stopping.abort()
      await closed.catch(() => undefined)
    },
  }

  /** The state of the group; on the way, which sources stand alone, here or elsewhere. */
  async function readStates(): Promise<BreakerState | null> {
    const states = await ports.breakers.list()
    own.setAlone(aloneIn([...states, ...unnoted.values()], group).map(({ source }) => source))
    return states.find((state) => state.group === group && state.source === null) ?? null
  }

  async function runUntilStopped(): Promise<void> {
    if (seen?.open) ports.onOpen(seen, true)
    while (!signal.aborted) {
      if (seen?.open) {
        began.resolve()
        await poll()
      } else await consumeUntilOpen()
    }
  }

  /** Consumes until stopped, or until the breaker is open, here or elsewhere. */
  async function consumeUntilOpen(): Promise<void> {
    const consumer = await ports.log.consume(options, eachBatch)
    began.resolve()
    const ended = new AbortController()
    const watching = watch(AbortSignal.any([signal, ended.signal]))
    try {
      await Promise.race([consumer.closed, watching])
    } catch (error) {
      if (!(error instanceof BreakerOpen)) throw error
      await storeOpen(error)
    } finally {
      ended.abort()
      await watching
      await consumer.stop()
    }
  }

  /** Watches for changes until stopped, or until another process has opened the breaker. */
  async function watch(until: AbortSignal): Promise<void> {
    while (!until.aborted && !seen?.open) await poll(until)
  }

  async function poll(until: AbortSignal = signal): Promise<void> {
    // All groups of a process look at the same moments: so they share a look.
    await ports.pause(untilNext(LOOK_MS), until).catch(() => undefined)
    if (until.aborted) return
    try {
      const state = await readStates()
      if (state === null || (state.at === seen?.at && state.open === seen.open)) return
      const before = seen
      seen = state
      if (state.open) {
        if (!before?.open) ports.onOpen(state, true)
        return
      }
      await resetAfterClose(state)
      if (before?.open) ports.onClose(group)
    } catch (error) {
      ports.onFailure(error as Error, group)
    }
  }

  /** Dead letters written since the breaker was closed count against the limit; a restart does not reset it. */
  async function resetAfterClose(state: BreakerState | null): Promise<void> {
    if (state === null || state.open) return
    const used = state.allow > 0 ? await deadLettersSince(ports.log, topics, state.at) : 0
    own.reset(Math.max(0, state.allow - used))
  }

  async function storeOpen({ topic, trip, reasons }: BreakerOpen): Promise<void> {
    const { ratio, run } = trip
    const state = {
      group,
      source: null,
      open: true,
      at: ports.now(),
      by: ports.by,
      topic,
      ratio,
      run,
      reasons,
      allow: 0,
    }
    seen = state
    ports.onOpen(state, false)
    await storeState(ports, state, signal)
  }
}
