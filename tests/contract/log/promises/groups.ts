import { afterAll, describe, expect } from 'vitest'
import type { Batch, EventLog, Unread } from '../../../../connectors/log/port.ts'
import { numbered, OPTIONS, type OpenLog, promises, stopped, take, text, topicOn, unique, until } from '../suite.ts'

const fill = async (log: EventLog, topic: string, partitions: number, each: number): Promise<void> => {
  const messages = Array.from({ length: partitions }, (_, partition) =>
    numbered(each).map((m) => ({ ...m, partition })),
  ).flat()
  await log.send([{ topic, messages }])
}

/** The promises of the port about consumer groups, positions and begun ranges. */
export function groupsContract(name: string, open: OpenLog, unkept = new Set<string>()): void {
  const test = promises(unkept)
  describe(`${name}: groups`, () => {
    const opened = open()
    afterAll(async () => (await opened).close())

    test('a group sees every record once and resumes where it stopped', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log), unique('group')]
      expect(await log.committed(group, topic)).toEqual([
        { partition: 0, offset: null },
        { partition: 1, offset: null },
      ])
      await fill(log, topic, 2, 150)
      const first = await take(log, group, topic, 300)
      await log.send([{ topic, messages: numbered(20) }])
      const second = await take(log, group, topic, 20)
      const seen = [...first, ...second].flatMap(({ partition, messages }) =>
        messages.map(({ offset }) => `${partition}/${offset}`),
      )
      expect(new Set(seen).size).toBe(320)
      expect(seen.length).toBe(320)
      const ends = (await log.offsets(topic)).map(({ partition, high }) => ({ partition, offset: high }))
      expect(await log.committed(group, topic)).toEqual(ends)
    })

    test('batches of a partition follow each other without a hole, within their bounds', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      await fill(log, topic, 1, 1050)
      const batches = await take(log, unique('group'), topic, 1050)
      let next = 0
      for (const { from, to, messages, highWatermark, redelivered } of batches) {
        expect([from, messages[0]?.offset, (messages.at(-1)?.offset ?? 0) + 1]).toEqual([next, from, to])
        expect(messages.length).toBeLessThanOrEqual(OPTIONS.maxRecords)
        expect(highWatermark).toBeGreaterThanOrEqual(to)
        expect(redelivered).toBe(false)
        next = to
      }
      expect(next).toBe(1050)
    })

    test('a batch in work holds back its partition, not the other one', async () => {
      const log = await opened
      const topic = await topicOn(log)
      await fill(log, topic, 2, 250)
      const gate = Promise.withResolvers<void>()
      const running = [0, 0]
      const most = [0, 0]
      const seen = [0, 0]
      const consumer = await log.consume(
        { ...OPTIONS, group: unique('group'), topics: [topic] },
        async ({ partition, messages }) => {
          running[partition]!++
          most[partition] = Math.max(most[partition]!, running[partition]!)
          if (partition === 0) await gate.promise
          seen[partition]! += messages.length
          running[partition]!--
        },
      )
      await until('partition 1 is read to its end', () => seen[1] === 250)
      expect(seen[0]).toBe(0)
      gate.resolve()
      await until('partition 0 too', () => seen[0] === 250)
      await stopped(consumer)
      expect(most).toEqual([1, 1])
    })

    test('a batch that throws ends the consumer, and nothing of it is committed', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 10)
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async () => {
        throw new Error('the store is gone')
      })
      await expect(consumer.closed).rejects.toThrow('the store is gone')
      expect(await log.committed(group, topic)).toEqual([{ partition: 0, offset: null }])
      expect((await take(log, group, topic, 10))[0]?.from).toBe(0)
    })

    test('stop lets the running batch finish and commits it', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 10)
      const begun = Promise.withResolvers<Batch>()
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async (batch) => {
        begun.resolve(batch)
        await new Promise((resolve) => batch.signal.addEventListener('abort', resolve))
      })
      const batch = await begun.promise
      await stopped(consumer)
      expect(batch.signal.aborted).toBe(true)
      expect(await log.committed(group, topic)).toEqual([{ partition: 0, offset: batch.to }])
    })

    test('members share the partitions, and take over from one that leaves', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 4 }), unique('group')]
      const owners = new Map<number, string>()
      const member = (id: string) =>
        log.consume({ ...OPTIONS, group, topics: [topic] }, async ({ partition }) => void owners.set(partition, id))
      const held = (id: string) => [...owners.values()].filter((owner) => owner === id).length
      const round = async (holds: () => boolean, what: string) =>
        until(what, async () => {
          await fill(log, topic, 4, 1)
          await new Promise((resolve) => setTimeout(resolve, 50))
          return holds()
        })
      const a = await member('a')
      await round(() => held('a') === 4, 'a has all')
      const b = await member('b')
      await round(() => held('a') === 2 && held('b') === 2, 'a and b share')
      await stopped(a)
      await round(() => held('b') === 4, 'b has all')
      await stopped(b)
    })

    test('a batch whose partition is to move is told so; given up, its range comes again exactly', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log), unique('group')]
      await fill(log, topic, 2, 20)
      const told: Batch[] = []
      const done: Batch[] = []
      const moved = Promise.withResolvers<void>()
      let begun = 0
      const intent = ({ from, to }: { from: number; to: number }) => `note ${from}-${to}`
      const first = await log.consume({ ...OPTIONS, group, topics: [topic], intent }, async (batch) => {
        begun++
        batch.signal.addEventListener('abort', () => moved.resolve())
        await moved.promise
        if (!batch.signal.aborted) return void done.push(batch)
        told.push(batch)
        throw new Error('told to stop')
      })
      await until('the first member has a batch', () => begun > 0)
      const second = await log.consume({ ...OPTIONS, group, topics: [topic], intent }, async (batch) => {
        done.push(batch)
      })
      await until('all is read', async () => (await log.committed(group, topic)).every(({ offset }) => offset === 20))
      await Promise.all([stopped(first), stopped(second)])
      expect(told.length).toBeGreaterThan(0)
      for (const { partition, from, to, note, messages } of told) {
        const again = done.find((batch) => batch.partition === partition)
        expect(again).toMatchObject({ from, to, note, messages })
      }
    })

    test('positions are moved by offset and by time, only while nobody reads', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      const start = 1_700_000_000_000
      await log.send([{ topic, messages: numbered(30).map((m, i) => ({ ...m, timestamp: start + i * 1000 })) }])
      await take(log, group, topic, 30)
      await log.setOffsets(group, topic, [{ partition: 0, offset: 25 }])
      expect((await take(log, group, topic, 5))[0]?.from).toBe(25)
      await log.setOffsets(group, topic, await log.offsetsAt(topic, start + 10_000))
      expect((await take(log, group, topic, 20))[0]?.from).toBe(10)
      let joined = false
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async () => {
        joined = true
      })
      await log.send([{ topic, messages: numbered(1) }])
      await until('the member reads', () => joined)
      await expect(log.setOffsets(group, topic, [{ partition: 0, offset: 0 }])).rejects.toThrow(group)
      await stopped(consumer)
    })

    test('a range that was begun comes again, exactly, with its note, whatever was appended since', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 10)
      const begun: Batch[] = []
      const intent = ({ from, to }: { from: number; to: number }) => `note ${from}-${to}`
      const failing = await log.consume({ ...OPTIONS, group, topics: [topic], intent }, async (batch) => {
        begun.push(batch)
        throw new Error('half way')
      })
      await expect(failing.closed).rejects.toThrow('half way')
      await fill(log, topic, 1, 500)
      const again: Batch[] = []
      const next = await log.consume(
        { ...OPTIONS, maxRecords: 300, group, topics: [topic], intent: () => 'fresh' },
        async (batch) => {
          again.push(batch)
        },
      )
      await until('everything is read', () => again.at(-1)?.to === 510)
      await stopped(next)
      const [first] = begun
      expect(first).toMatchObject({ from: 0, note: `note 0-${first?.to}`, redelivered: false })
      expect(again[0]).toMatchObject({ from: 0, to: first?.to, note: first?.note, redelivered: true })
      expect(again[0]?.messages.map(({ value }) => text(value))).toEqual(
        first?.messages.map(({ value }) => text(value)),
      )
      expect(again[1]).toMatchObject({ from: first?.to, note: 'fresh', redelivered: false })
    })

    test('records that a group has no use for are passed, and what comes after them is handed out', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      const asked: [number, number][] = []
      const batches: Batch[] = []
      let useless = true
      const skips = async ({ partition, from, to }: Unread) => {
        expect(partition).toBe(0)
        asked.push([from, to])
        return useless
      }
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic], skips }, async (batch) => {
        batches.push(batch)
      })
      const committed = async () => (await log.committed(group, topic))[0]!.offset
      await fill(log, topic, 1, 30)
      await until('they are passed', async () => (await committed()) === 30)
      await fill(log, topic, 1, 20)
      await until('these too', async () => (await committed()) === 50)
      expect(batches).toEqual([])
      expect([asked[0]![0], asked.at(-1)![1]]).toEqual([0, 50])
      useless = false
      await fill(log, topic, 1, 10)
      await until('they are handed out', async () => (await committed()) === 60)
      await stopped(consumer)
      expect(batches.flatMap(({ messages }) => messages.map(({ offset }) => offset))).toEqual(
        Array.from({ length: 10 }, (_, i) => 50 + i),
      )
      expect(batches[0]).toMatchObject({ from: 50, redelivered: false })
    })

    test('a range that was begun is handed out again, whatever a group has a use for by then', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 10)
      const intent = ({ from, to }: { from: number; to: number }) => `${from}-${to}`
      const options = { ...OPTIONS, group, topics: [topic], intent }
      const first = Promise.withResolvers<Batch>()
      const failing = await log.consume(options, async (batch) => {
        first.resolve(batch)
        throw new Error('no')
      })
      await expect(failing.closed).rejects.toThrow('no')
      await fill(log, topic, 1, 10)
      const batches: Batch[] = []
      const consumer = await log.consume({ ...options, skips: async () => true }, async (batch) => {
        batches.push(batch)
      })
      await until('all is passed', async () => (await log.committed(group, topic))[0]!.offset === 20)
      await stopped(consumer)
      const { from, to, note } = await first.promise
      expect(batches.map((batch) => [batch.from, batch.to, batch.note, batch.redelivered])).toEqual([
        [from, to, note, true],
      ])
    })

    test('a question that fails ends the consumer, and nothing is passed', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 3)
      const skips = () => Promise.reject(new Error('who knows'))
      const consumer = await log.consume({ ...OPTIONS, group, topics: [topic], skips }, async () => undefined)
      await expect(consumer.closed).rejects.toThrow('who knows')
      expect((await log.committed(group, topic))[0]!.offset ?? 0).toBe(0)
    })

    test('a finished range is not begun any more', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await fill(log, topic, 1, 10)
      for (let round = 0; round < 2; round++) {
        const seen: Batch[] = []
        const consumer = await log.consume({ ...OPTIONS, group, topics: [topic], intent: () => 'n' }, async (batch) => {
          seen.push(batch)
        })
        await until('ten records', () => seen.reduce((sum, { messages }) => sum + messages.length, 0) === 10)
        await stopped(consumer)
        expect(seen.map(({ redelivered }) => redelivered)).toEqual(seen.map(() => false))
        await fill(log, topic, 1, 10)
      }
    })

    test('a note over 2 KiB is refused', async () => {
      const log = await opened
      const topic = await topicOn(log, { partitions: 1 })
      await fill(log, topic, 1, 1)
      const options = { ...OPTIONS, group: unique('group'), topics: [topic], intent: () => 'x'.repeat(2049) }
      const consumer = await log.consume(options, async () => undefined)
      await expect(consumer.closed).rejects.toThrow('2048')
    })
  })
}
