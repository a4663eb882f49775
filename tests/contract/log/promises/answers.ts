import { afterAll, describe, expect, test } from 'vitest'
import { kafkaLog } from '../../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { proxyOf } from '../kafka-proxy.ts'
import { text, topicOn } from '../suite.ts'

const CALLERS = 8

/** Several callers, each with a key of its own; the ids of what was acknowledged, and of what was not. */
async function sent(log: EventLog, topic: string, name: string, times: number) {
  const acked: string[] = []
  const failed: string[] = []
  const caller = async (number: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const ids = Array.from({ length: 1 + (i % 5) }, (_, n) => `${name}-${number}-${i * 10 + n}`)
      const messages = ids.map((id) => ({ key: `${name}-${number}`, value: Buffer.from(id) }))
      await log.send([{ topic, messages }]).then(
        () => acked.push(...ids),
        () => failed.push(...ids),
      )
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)))
  return { acked, failed }
}

/** How often each id is in the log, and how many records of a key stand before an older one. */
async function stored(log: EventLog, topic: string) {
  const times = new Map<string, number>()
  const last = new Map<string, number>()
  let disorder = 0
  for (const { partition, high } of await log.offsets(topic))
    for (const { key, value } of await log.read(topic, partition, 0, high, high)) {
      const id = text(value)
      times.set(id, (times.get(id) ?? 0) + 1)
      const number = Number(id.split('-')[2])
      if (number < (last.get(text(key)) ?? -1)) disorder++
      last.set(text(key), number)
    }
  return { times, disorder, twice: [...times].filter(([, n]) => n > 1).map(([id]) => id) }
}

/** What holds when the broker has taken a batch and its answer is lost on the way. `broker` is on this machine. */
export function answersContract(broker: string): void {
  describe('kafka: answers that are lost', () => {
    const opened = kafkaLog({ brokers: [broker] })
    afterAll(async () => (await opened).close())

    test('a record whose answer was lost is there once, in the order of its key', async () => {
      const direct = await opened
      const topic = await topicOn(direct, { partitions: 3 })
      const proxy = await proxyOf(broker, (answered) => answered % 3 === 0)
      const log = await kafkaLog({ brokers: [proxy.brokers] })
      const { acked, failed } = await sent(log, topic, 'lost', 40)
      await log.close()
      await proxy.close()
      expect(proxy.dropped).toBeGreaterThan(5)
      expect(failed).toEqual([])
      const { times, disorder, twice } = await stored(direct, topic)
      expect({ twice, disorder, missing: acked.filter((id) => !times.has(id)) }).toEqual({
        twice: [],
        disorder: 0,
        missing: [],
      })
    })

    test('after a send that failed although the broker took it, the next ones are there, once', async () => {
      const direct = await opened
      const topic = await topicOn(direct, { partitions: 3 })
      let silent = false
      const proxy = await proxyOf(broker, () => silent)
      const log = await kafkaLog({ brokers: [proxy.brokers], sendRetryMs: 200 })
      const acked: string[] = []
      for (const round of ['a', 'b', 'c']) {
        silent = true
        const unheard = await sent(log, topic, `${round}unheard`, 1)
        expect(unheard.acked).toEqual([])
        silent = false
        // As many records for each partition as those that failed: under their numbers they would be taken for repeats.
        const heard = await sent(log, topic, `${round}unheard2`, 1)
        expect(heard.failed).toEqual([])
        acked.push(...heard.acked)
      }
      await log.close()
      await proxy.close()
      const { times, twice } = await stored(direct, topic)
      expect({ twice, missing: acked.filter((id) => !times.has(id)) }).toEqual({ twice: [], missing: [] })
      expect(times.size).toBeGreaterThan(acked.length)
    })
  })
}
