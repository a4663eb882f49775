import { type StoredRows, sealOf } from '../../../schemas/intelligence/state/rows/stored-rows.ts'
import { decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { ENTITY_ROWS, LOOKUP_INDEXES, OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog } from '../../log/port.ts'
import type { Registry } from '../../registry/port.ts'
import type { UntilStored } from '../changes/port.ts'
import type { PlacedRows, RowLog } from './port.ts'

/** Of one batch: the more there are together, the less an index takes for each. */
const PORTION = { maxRecords: 128, maxBytes: 16 * 1024 * 1024 }

const WANTED = 'until'
/** How long it is believed that no index is wanted, in milliseconds. */
const LOOK_MS = 1_000

/**
 * Whether an index is wanted by any process, as of the last second. What is not known is as before: an index that is not sent
 * a batch is made again, and nothing waits for it.
 */
export function indexWanted(log: Pick<EventLog, 'offsets' | 'read'>, now: () => number): () => Promise<boolean> {
  let until = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  const refresh = compactedTable(log, LOOKUP_INDEXES, ({ value }) => {
    until = Number(value ?? 0)
  })
  return async () => {
    if (performance.now() - lookedAt >= LOOK_MS) {
      await refresh().catch(() => undefined)
      lookedAt = performance.now()
    }
    return now() < until
  }
}

export type RowLogPorts = {
  log: Pick<EventLog, 'offsets' | 'committed' | 'read' | 'tail' | 'send'>
  registry: Pick<Registry, 'known' | 'schema'>
  untilStored: UntilStored
}

/** What jobs say of the rows that they store, and how far they are (ADR 288). */
export function rowLog({ log, registry, untilStored }: RowLogPorts): RowLog {
  const decode = decoder<StoredRows>(records.storedRows, registry.known)

  async function read(value: Buffer | null): Promise<StoredRows | null> {
    if (value === null) return null
    const id = schemaIdOf(value)
    if (id !== null && registry.known(id) === undefined) await registry.schema(id)
    const decoded = decode(value)
    return decoded.ok ? decoded.record : null
  }

  return {
    async kept() {
      const [one] = await log.offsets(ENTITY_ROWS)
      return { low: one?.low ?? 0, high: one?.high ?? 0 }
    },
    async stored() {
      const at: number[] = []
      for (const { partition, offset } of await log.committed(OBSERVERS, OBSERVATIONS)) at[partition] = offset ?? 0
      return at
    },
    async sealBefore(partition, offset) {
      if (offset === 0) return null
      const [message] = await log.read(OBSERVATIONS, partition, offset - 1, offset, 1)
      return message === undefined ? null : sealOf(message.value)
    },
    want: (until) =>
      log.send([{ topic: LOOKUP_INDEXES, messages: [{ key: WANTED, value: Buffer.from(String(until)) }] }]),
    async follow(from, each) {
      const stopping = new AbortController()
      const tail = await log.tail(
        { topic: ENTITY_ROWS, from: [{ partition: 0, offset: from }], ...PORTION },
        async ({ messages, to }) => {
          const placed: PlacedRows[] = []
          for (const { value, offset } of messages) placed.push({ rows: await read(value), offset })
          try {
            await untilStored(
              placed.flatMap(({ rows }) => (rows === null ? [] : { partition: rows.partition, offset: rows.to - 1 })),
              stopping.signal,
            )
          } catch (error) {
            if (!stopping.signal.aborted) throw error
            return
          }
          await each(placed, to)
        },
      )
      return {
        closed: tail.closed,
        async stop() {
          stopping.abort()
          await tail.stop()
        },
      }
    },
  }
}
