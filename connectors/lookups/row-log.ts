import { hash } from 'node:crypto'
import { decoder, schemaIdOf } from '../../schemas/log/codec.ts'
import { records } from '../../schemas/log/records.ts'
import { ENTITY_ROWS, LOOKUP_INDEXES, OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'
import { compactedTable } from '../log/compacted.ts'
import type { EventLog } from '../log/port.ts'
import type { UntilStored } from '../operations/changes/port.ts'
import type { Registry } from '../registry/port.ts'
import type { KeyedEntry } from './port.ts'

/** A record of `entity.rows`: see `stored-rows.avsc`. */
export type StoredRows = {
  form: string
  database: string
  partition: number
  from: number
  to: number
  seal: string
  part: number
  last: boolean
  entries: Buffer
}

/** By which the log is known again: of the last record before an offset of the observations. */
export const sealOf = (value: Buffer | null): string => hash('sha256', value ?? Buffer.alloc(0), 'hex')

const KEY = 16
const HEAD = KEY + 4

/** The entries of a record, each in the bytes of the record. */
export function entriesIn({ entries }: Pick<StoredRows, 'entries'>): KeyedEntry[] {
  const found: KeyedEntry[] = []
  for (let at = 0; at < entries.length; ) {
    const end = at + HEAD + entries.readUInt32LE(at + KEY)
    found.push({ key: entries.subarray(at, at + KEY), entry: entries.subarray(at + HEAD, end) })
    at = end
  }
  return found
}

const WANTED = 'until'
/** How long it is believed that no index is wanted, in milliseconds. */
const LOOK_MS = 1_000

/** Whether an index is wanted by any process, as of the last second. */
export function indexWanted(log: Pick<EventLog, 'offsets' | 'read'>, now: () => number): () => Promise<boolean> {
  let until = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  const refresh = compactedTable(log, LOOKUP_INDEXES, ({ value }) => {
    until = Number(value ?? 0)
  })
  return async () => {
    if (performance.now() - lookedAt >= LOOK_MS) {
      await refresh()
      lookedAt = performance.now()
    }
    return now() < until
  }
}

/** A record and its offset; null: it cannot be read, so what it says is missing. */
export type PlacedRows = { rows: StoredRows | null; offset: number }

export type RowLog = {
  /** The first and the next offset of the rows. */
  kept(): Promise<{ low: number; high: number }>
  /** By partition of the observations, the offset below which everything is stored. */
  stored(): Promise<number[]>
  /** Of the record before an offset of the observations; null: there is none. */
  sealBefore(partition: number, offset: number): Promise<string | null>
  /** Says that an index is wanted until then, unix milliseconds: batches that are begun a second later are sent with their rows. */
  want(until: number): Promise<void>
  /**
   * Hands over records from an offset on, one after another, each once its rows are stored. `closed` rejects when the log
   * failed for good, or no longer keeps what comes next (OffsetGone).
   * @param each `to`: the next offset to read after them
   */
  follow(
    from: number,
    each: (records: readonly PlacedRows[], to: number) => Promise<void>,
  ): Promise<{ closed: Promise<void>; stop(): Promise<void> }>
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
        { topic: ENTITY_ROWS, from: [{ partition: 0, offset: from }], maxRecords: 16, maxBytes: 2 * 1024 * 1024 },
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
