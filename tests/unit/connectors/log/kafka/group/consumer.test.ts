import type { Admin, Kafka } from 'kafkajs'
import { expect, test } from 'vitest'
import { consumeKafka } from '../../../../../../connectors/log/kafka/group/consumer.ts'

const TIMES = { sessionMs: 60_000, heartbeatMs: 10_000, rebalanceMs: 60_000, metadataMs: 60_000 }

/** A client whose member of a group hears what the test says. */
function broker() {
  const listeners: { name: string; told: (event: { payload: object }) => void }[] = []
  const member = {
    events: { CRASH: 'crash', REBALANCING: 'rebalancing', GROUP_JOIN: 'join', HEARTBEAT: 'heartbeat' },
    on: (name: string, told: (event: { payload: object }) => void) => void listeners.push({ name, told }),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async () => joined('first', true),
    disconnect: async () => undefined,
  }
  function joined(memberId: string, leads: boolean): void {
    const payload = { memberId, memberAssignment: leads ? { topic: [0] } : {} }
    for (const { name, told } of listeners) if (name === 'join') told({ payload })
  }
  return { kafka: { consumer: () => member } as unknown as Kafka, joined }
}

test('a member that the broker has forgotten meanwhile begins anew, even when it leads again', async () => {
  const { kafka, joined } = broker()
  const told: boolean[] = []
  const leader = { changed: async (leads: boolean) => void told.push(leads) }
  const options = { group: 'g', topics: ['topic'], maxRecords: 10, maxBytes: 1_000, lingerMs: 0, leader }
  const consumer = await consumeKafka(kafka, {} as Admin, TIMES, options, async () => undefined)
  joined('first', true)
  await expect.poll(() => told).toEqual([true])
  joined('second', true)
  await expect.poll(() => told).toEqual([true, false, true])
  joined('third', false)
  await expect.poll(() => told).toEqual([true, false, true, false])
  await consumer.stop()
  expect(told).toEqual([true, false, true, false])
})
