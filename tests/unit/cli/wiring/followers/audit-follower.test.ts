import { expect, test } from 'vitest'
import { startAudit } from '../../../../../cli/wiring/followers/audit-follower.ts'
import type { FollowParts } from '../../../../../cli/wiring/followers/start.ts'
import { AUDIT_EVENTS } from '../../../../../schemas/log/topics.ts'

type Given = { rows: object[]; committed: (number | null)[]; refuse?: string }

/** Starts the follower over a log whose two partitions begin at 3 and 0. Tells where its group was set, and what was logged. */
async function started({ rows, committed, refuse }: Given) {
  const set: unknown[] = []
  const told: string[] = []
  const said = (_: object, message: string) => void told.push(message)
  const log = {
    committed: async () => committed.map((offset, partition) => ({ partition, offset })),
    offsets: async () => [3, 0].map((low, partition) => ({ partition, low, high: 100 })),
    async setOffsets(...given: unknown[]) {
      if (refuse !== undefined) throw new Error(refuse)
      set.push(given)
    },
  }
  const running = { closed: Promise.resolve(), stop: async () => undefined }
  const parts = {
    home: { query: async () => rows, insert: async () => undefined },
    breakers: { consume: async () => running },
    log,
    registry: {},
    logger: { info: said, warn: said, error: said },
  } as unknown as FollowParts
  expect(await startAudit(parts)).toBe(running)
  return { set, told }
}

const ROW = { one: 1 }

test('an empty table is made again of all that the log still has', async () => {
  const { set, told } = await started({ rows: [], committed: [40, 7] })
  const lows = [3, 0].map((offset, partition) => ({ partition, offset }))
  expect(set).toEqual([['audit', AUDIT_EVENTS, lows]])
  expect(told).toEqual(['the table of audit records is empty; it is rebuilt from the log'])
})

test('only partitions that were read are set back, and none for a group that has read nothing', async () => {
  expect((await started({ rows: [], committed: [0, 7] })).set).toEqual([
    ['audit', AUDIT_EVENTS, [{ partition: 1, offset: 0 }]],
  ])
  expect(await started({ rows: [], committed: [null, 0] })).toEqual({ set: [], told: [] })
})

test('a table with records goes on where the group was', async () => {
  expect(await started({ rows: [ROW], committed: [40, 7] })).toEqual({ set: [], told: [] })
})

test('while another process reads, the table is left as it is', async () => {
  const { set, told } = await started({ rows: [], committed: [40, 7], refuse: 'the group has members' })
  expect(set).toEqual([])
  expect(told).toEqual(['the table of audit records is empty and cannot be rebuilt while another process fills it'])
})
