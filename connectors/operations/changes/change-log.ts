import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import { type EventLog, type LogMessage, OffsetGone } from '../../log/port.ts'
import type { Registry } from '../../registry/port.ts'
import { type ChangeLog, NotKept, type PlacedChange, type UntilStored } from './port.ts'

/** Of one batch: little enough to be decoded in some milliseconds. */
const PORTION = { maxRecords: 500, maxBytes: 1024 * 1024 }

export type ChangeLogPorts = {
  log: Pick<EventLog, 'offsets' | 'offsetsAt' | 'tail'>
  registry: Pick<Registry, 'known' | 'schema'>
  stored: UntilStored
  /** A record that cannot be decoded is passed over; those who keep dead letters keep it. */
  onUnreadable: (place: { partition: number; offset: number }, reason: string) => void
}

const byPartition = <T extends { partition: number }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => a.partition - b.partition)

export function changeLog({ log, registry, stored, onUnreadable }: ChangeLogPorts): ChangeLog {
  const decode = decoder<Change>(records.change, registry.known)

  async function learn(messages: readonly LogMessage[]): Promise<void> {
    const ids = new Set(messages.map(({ value }) => (value === null ? null : schemaIdOf(value))))
    for (const id of ids) if (id !== null && registry.known(id) === undefined) await registry.schema(id)
  }

  async function decoded(partition: number, messages: readonly LogMessage[]): Promise<PlacedChange[]> {
    await learn(messages)
    const changes: PlacedChange[] = []
    for (const { value, offset, timestamp } of messages) {
      if (value === null) continue
      const read = decode(value)
      if (read.ok) changes.push({ change: read.record, offset, time: timestamp })
      else onUnreadable({ partition, offset }, read.reason)
    }
    return changes
  }

  async function kept() {
    return byPartition(await log.offsets(CHANGES)).map(({ low, high }) => ({ low, high }))
  }

  return {
    kept,
    async startsAt(time) {
      return byPartition(await log.offsetsAt(CHANGES, time)).map(({ offset }) => offset)
    },
    async follow(given, each) {
      const stopping = new AbortController()
      const unlessStopped = (error: unknown): void => {
        if (!stopping.signal.aborted) throw error
      }
      const from = given === null ? (await kept()).map(({ high }) => high) : [...given]
      const at = [...from]
      const tail = await log
        .tail(
          { topic: CHANGES, from: from.map((offset, partition) => ({ partition, offset })), ...PORTION },
          async ({ partition, messages, to }) => {
            const changes = await decoded(partition, messages)
            await stored(
              changes.map(({ change }) => change),
              stopping.signal,
            ).catch(unlessStopped)
            if (stopping.signal.aborted) return
            await each({ partition, from: at[partition] ?? 0, to, changes })
            at[partition] = to
          },
        )
        .catch(asNotKept)
      return {
        from,
        closed: tail.closed.catch(asNotKept),
        async stop() {
          stopping.abort()
          await tail.stop()
        },
      }
    },
  }
}

function asNotKept(error: unknown): never {
  if (error instanceof OffsetGone) throw new NotKept(error.message, { cause: error })
  throw error
}
