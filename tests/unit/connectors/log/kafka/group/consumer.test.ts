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
  const crash = (error: Error): void => {
    for (const { name, told } of listeners.splice(0)) if (name === 'crash') told({ payload: { error } as object })
  }
  function joined(memberId: string, leads: boolean): void {
    const payload = { memberId, memberAssignment: leads ? { topic: [0] } : {} }
    for (const { name, told } of listeners) if (name === 'join') told({ payload })
  }
  return { kafka: { consumer: () => member } as unknown as Kafka, joined, crash }
}

test('a member that the broker has forgotten meanwhile begins anew, even when it leads again', async () => {
  const { kafka, joined } = broker()
  const told: boolean[] = []
  const leader = { changed: async (leads: boolean) => void told.push(leads) }
  const options = { group: 'g', topics: ['topic'], maxRecords: 10, maxBytes: 1_000, lingerMs: 0, leader }
  const consumer = await consumeKafka({
    kafka,
    admin: {} as Admin,
    times: TIMES,
    options,
    eachBatch: async () => undefined,
  })
  joined('first', true)
  await expect.poll(() => told).toEqual([true])
  joined('second', true)
  await expect.poll(() => told).toEqual([true, false, true])
  joined('third', false)
  await expect.poll(() => told).toEqual([true, false, true, false])
  await consumer.stop()
  expect(told).toEqual([true, false, true, false])
})

const OPTIONS = { group: 'g', topics: ['topic'], maxRecords: 10, maxBytes: 1_000, lingerMs: 0 }

test('a member that the client gives up is followed by another one, also in the lead', async () => {
  const { kafka, crash } = broker()
  const told: boolean[] = []
  const lost: string[] = []
  const options = { ...OPTIONS, leader: { changed: async (leads: boolean) => void told.push(leads) } }
  const consumer = await consumeKafka({
    kafka,
    admin: {} as Admin,
    times: TIMES,
    options,
    eachBatch: async () => undefined,
    onLost: ({ group, reason }) => void lost.push(`${group} ${reason}`),
  })
  crash(Object.assign(new Error('The coordinator is not aware of this member'), { type: 'UNKNOWN_MEMBER_ID' }))
  await expect.poll(() => told).toEqual([true, false, true])
  expect(lost).toEqual(['g g: the client gave up (The coordinator is not aware of this member)'])
  await consumer.stop()
  await consumer.closed
})

test('what the client cannot read ends the consumer', async () => {
  const { kafka, crash } = broker()
  const ports = { kafka, admin: {} as Admin, times: TIMES, options: OPTIONS, eachBatch: async () => undefined }
  const consumer = await consumeKafka(ports)
  crash(Object.assign(new Error('LZ4 compression not implemented'), { name: 'KafkaJSNotImplemented' }))
  await expect(consumer.closed).rejects.toThrow('not implemented')
})
