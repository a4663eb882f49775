/** Changes in memory, with the manners of the log: batches of a partition one after another, those of several side by side. */

import { setImmediate as turn } from 'node:timers/promises'
import {
  type ChangeBatch,
  type ChangeLog,
  type Following,
  NotKept,
  type PlacedChange,
} from '../../../../connectors/operations/changes/port.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'

export type MemoryChangeLog = ChangeLog & {
  append(partition: number, changes: readonly Change[], time?: number): void
  /** Removes what stands before an offset, as retention does. */
  forget(partition: number, low: number): void
  /** Readings that are under way. */
  readings(): number
  /** The next batch that is handed over fails for good. */
  breakDown(error: Error): void
}

/** @param most changes of a batch */
export function memoryChangeLog(partitions: number, most = 3): MemoryChangeLog {
  const kept = Array.from({ length: partitions }, () => ({ low: 0, records: [] as PlacedChange[] }))
  let news = Promise.withResolvers<void>()
  let readings = 0
  let broken: Error | null = null

  const high = (partition: number): number => kept[partition]!.low + kept[partition]!.records.length

  const batchAt = (partition: number, from: number): ChangeBatch => {
    const { low, records } = kept[partition]!
    const changes = records.slice(from - low, from - low + most)
    return { partition, from, to: from + changes.length, changes }
  }

  async function read(
    partition: number,
    from: number,
    each: (batch: ChangeBatch) => Promise<void>,
    isStopped: () => boolean,
  ): Promise<void> {
    let at = from
    while (!isStopped()) {
      if (broken !== null) throw broken
      if (at < kept[partition]!.low) throw new NotKept(`offset ${at} of partition ${partition}`)
      const next = news.promise
      if (at >= high(partition)) {
        await next
        continue
      }
      const batch = batchAt(partition, at)
      await turn()
      if (isStopped()) return
      await each(batch)
      at = batch.to
    }
  }

  return {
    append(partition, changes, time = 0) {
      for (const change of changes) {
        kept[partition]!.records.push({ change, offset: high(partition), time })
      }
      news.resolve()
      news = Promise.withResolvers()
    },
    forget(partition, low) {
      const one = kept[partition]!
      one.records.splice(0, low - one.low)
      one.low = low
    },
    readings: () => readings,
    breakDown(error) {
      broken = error
      news.resolve()
      news = Promise.withResolvers()
      setTimeout(() => {
        broken = null
      }, 0)
    },
    kept: async () => kept.map(({ low }, partition) => ({ low, high: high(partition) })),
    startsAt: async (time) =>
      kept.map(({ low, records }) => low + records.filter((record) => record.time < time).length),
    async follow(given, each): Promise<Following & { from: number[] }> {
      const from = given === null ? kept.map((_, partition) => high(partition)) : [...given]
      let stopped = false
      readings++
      const running = Promise.all(from.map((offset, partition) => read(partition, offset, each, () => stopped)))
      running.catch(() => undefined)
      return {
        from,
        closed: running.then(() => undefined),
        async stop() {
          if (!stopped) readings--
          stopped = true
          news.resolve()
          news = Promise.withResolvers()
          await running.catch(() => undefined)
        },
      }
    },
  }
}
