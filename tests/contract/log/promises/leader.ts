import { afterAll, describe, expect, test } from 'vitest'
import type { Batch, Consumer, EventLog } from '../../../../connectors/log/port.ts'
import { numbered, OPTIONS, type OpenLog, topicOn, unique, until } from '../suite.ts'

/** A member of a group that one member leads, and what it was told and given. */
async function member(log: EventLog, group: string, topic: string) {
  const told: boolean[] = []
  const seen: string[] = []
  const eachBatch = async ({ partition, messages }: Batch): Promise<void> => {
    expect(told.at(-1)).toBe(true)
    for (const { offset } of messages) seen.push(`${partition}/${offset}`)
  }
  const leader = { changed: async (leads: boolean) => void told.push(leads) }
  const consumer: Consumer = await log.consume({ ...OPTIONS, group, topics: [topic], leader }, eachBatch)
  consumer.closed.catch(() => undefined)
  return { told, seen, stop: () => consumer.stop() }
}

/** The promises of the port about a group that is led. */
export function leaderContract(name: string, open: OpenLog): void {
  describe(`${name}: a group with a leader`, () => {
    const opened = open()
    afterAll(async () => (await opened).close())

    test('one member has every partition, keeps them when others join, and the next takes over when it leaves', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log), unique('led')]
      const send = () =>
        log.send([{ topic, messages: [0, 1].flatMap((partition) => numbered(10).map((m) => ({ ...m, partition }))) }])
      const first = await member(log, group, topic)
      await send()
      await until('all were seen', () => first.seen.length === 20)
      const others = [await member(log, group, topic), await member(log, group, topic)]
      await send()
      await until('all were seen', () => first.seen.length === 40)
      expect(first.told).toEqual([true])
      expect(others.flatMap(({ told, seen }) => [...told, ...seen])).toEqual([])
      await first.stop()
      expect(first.told).toEqual([true, false])
      await send()
      await until('all were seen', () => others.reduce((sum, { seen }) => sum + seen.length, 0) === 20)
      expect(others.map(({ told }) => told).sort()).toEqual([[], [true]])
      expect(new Set([first, ...others].flatMap(({ seen }) => seen)).size).toBe(60)
      await Promise.all(others.map((one) => one.stop()))
      expect(others.map(({ told }) => told).sort()).toEqual([[], [true, false]])
    })
  })
}
