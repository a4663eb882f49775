import type { Admin, EachBatchPayload, Kafka } from 'kafkajs'
import { expect, test } from 'vitest'
import { joinGroup } from '../../../../../../connectors/log/kafka/group/membership.ts'

const TIMES = { sessionMs: 60_000, heartbeatMs: 20, rebalanceMs: 60_000, metadataMs: 60_000 }
const OPTIONS = { group: 'g', topics: ['topic'], maxRecords: 10, maxBytes: 1_000, lingerMs: 0 }

/** A client whose member fetches what the test says. */
function broker() {
  const listeners: { name: string; told: (event: { payload: object }) => void }[] = []
  let eachBatch: (payload: EachBatchPayload) => Promise<void>
  const resolved: string[] = []
  const committed: string[] = []
  const member = {
    events: { CRASH: 'crash', REBALANCING: 'rebalancing', GROUP_JOIN: 'join', HEARTBEAT: 'heartbeat' },
    on: (name: string, told: (event: { payload: object }) => void) => void listeners.push({ name, told }),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async (given: { eachBatch: typeof eachBatch }) => {
      eachBatch = given.eachBatch
      joined()
    },
    commitOffsets: async ([{ offset }]: [{ offset: string }]) => void committed.push(offset),
    disconnect: async () => undefined,
  }
  function joined(): void {
    for (const { name, told } of listeners)
      if (name === 'join') told({ payload: { memberId: 'm', memberAssignment: { topic: [0] } } })
  }
  const admin = {
    fetchOffsets: async () => [{ topic: 'topic', partitions: [{ partition: 0, offset: '-1', metadata: null }] }],
  }
  const message = { key: null, value: Buffer.from('x'), headers: {}, offset: '0', timestamp: '0' }
  const batch = { topic: 'topic', partition: 0, messages: [message], highWatermark: '1', lastOffset: () => '0' }
  const fetch = (heartbeat: () => Promise<void>) =>
    eachBatch({ batch, heartbeat, resolveOffset: (at: string) => resolved.push(at) } as unknown as EachBatchPayload)
  return {
    kafka: { consumer: () => member } as unknown as Kafka,
    admin: admin as unknown as Admin,
    joined,
    fetch,
    resolved,
    committed,
  }
}

const outcome = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { type?: string }) => error.type,
  )

test('a partition that was given up as the connection broke is not fetched for ever: the client joins again', async () => {
  const { kafka, admin, joined, fetch, resolved, committed } = broker()
  const broken = Object.assign(new Error('Closed connection'), { name: 'KafkaJSConnectionClosedError' })
  const begun: number[] = []
  const stopping = new AbortController()
  const eachBatch = async ({ from, signal }: { from: number; signal: AbortSignal }): Promise<void> => {
    begun.push(from)
    if (begun.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
  }
  const ports = { kafka, admin, times: TIMES, options: OPTIONS, eachBatch, progress: {}, signal: stopping.signal }
  const membership = await joinGroup(ports)
  // By this error the client joins again; by the one of the connection it would fetch again.
  expect(await outcome(fetch(() => Promise.reject(broken)))).toBe('REBALANCE_IN_PROGRESS')
  // It could not join, and fetches on.
  expect(await outcome(fetch(async () => undefined))).toBe('REBALANCE_IN_PROGRESS')
  expect([begun, resolved]).toEqual([[0], []])
  joined()
  expect(await outcome(fetch(async () => undefined))).toBeNull()
  expect([begun, resolved, committed]).toEqual([[0, 0], ['0'], ['1']])
  stopping.abort()
  await membership.closed
})

test('a partition of which nobody could say what was committed is asked about again', async () => {
  const { kafka, admin, fetch } = broker()
  const stopping = new AbortController()
  const answers = [
    () => Promise.reject(Object.assign(new Error('gone'), { retriable: false })),
    async () => [
      { topic: 'topic', partitions: [{ partition: 0, offset: '0', metadata: '{"begun":{"to":1,"note":"n"}}' }] },
    ],
  ]
  admin.fetchOffsets = (() => answers.shift()!()) as Admin['fetchOffsets']
  const notes: string[] = []
  const eachBatch = async ({ note, redelivered }: { note: string; redelivered: boolean }): Promise<void> =>
    void notes.push(`${note} ${redelivered}`)
  const ports = { kafka, admin, times: TIMES, options: OPTIONS, eachBatch, progress: {}, signal: stopping.signal }
  const membership = await joinGroup(ports)
  await expect(fetch(async () => undefined)).rejects.toThrow('gone')
  await fetch(async () => undefined)
  expect(notes).toEqual(['n true'])
  stopping.abort()
  await membership.closed
})
