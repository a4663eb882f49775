import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bufferedWriter } from '../../../../../connectors/postgres/operation/audit-writer.ts'
import type { AuditEntry } from '../../../../../schemas/audit/record.ts'
import { auditEntry } from '../../../../builders/audit/records.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 - (1_800_000_000_000 % MINUTE) }))
afterEach(() => void vi.useRealTimers())

function writing() {
  const stored: AuditEntry[] = []
  const state = { fails: 0, lost: 0, failures: 0, stored }
  const writer = bufferedWriter({
    async store(entries) {
      if (state.fails-- > 0) throw new Error('away')
      stored.push(...entries)
    },
    now: Date.now,
    onFailure: () => void state.failures++,
    onLost(records) {
      state.lost += records
    },
  })
  return { writer, state, stored }
}

const refusal = (given: Partial<AuditEntry> = {}) => auditEntry({ outcome: 'refused', ...given })

test('what is noted is stored within a moment, together and in its order', async () => {
  const { writer, stored } = writing()
  const noted = [auditEntry(), auditEntry(), auditEntry()]
  for (const one of noted) writer.note(one)
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(250)
  expect(stored).toEqual(noted)
})

test('while the database is away records wait, up to a bound, and those beyond are counted', async () => {
  const { writer, state, stored } = writing()
  state.fails = 1
  for (let i = 0; i < 10_050; i++) writer.note(auditEntry())
  expect(state.lost).toBe(50)
  await vi.advanceTimersByTimeAsync(250)
  expect([state.failures, stored.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(1_100)
  expect(stored.length).toBe(10_000)
})

test('a flood of refusals by one source is ten records and a count for the minute', async () => {
  const { writer, stored } = writing()
  const one = refusal()
  for (let i = 0; i < 5_000; i++) writer.refuse({ ...one, id: `${i}` }, 'key')
  writer.refuse(refusal({ userID: 'other' }), 'other key')
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  expect(stored.length).toBe(12)
  const summary = stored.filter(({ count }) => count > 1)
  expect(summary).toMatchObject([{ count: 4_990, subject: '', userID: one.userID, ip: one.ip, outcome: 'refused' }])
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(5_001)
})

test('many reads of one feed by one caller are ten records and a count, which says the feed', async () => {
  const { writer, stored } = writing()
  const one = auditEntry({ action: 'feed.export', subject: 'feed-1' })
  for (let i = 0; i < 1_000; i++) writer.read({ ...one, id: `${i}` })
  const others = [{ subject: 'feed-2' }, { userID: 'other' }, { keyID: 'other' }, { ip: '203.0.113.9' }]
  for (const other of others) writer.read({ ...one, ...other })
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  expect(stored.filter(({ count }) => count > 1)).toMatchObject([{ ...one, id: '999', count: 990 }])
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(1_004)
})

test('of more readers than are told apart each read has a record', async () => {
  const { writer, stored, state } = writing()
  for (let i = 0; i < 10_030; i++) {
    writer.read(auditEntry({ action: 'feed.export', userID: `reader ${i}` }))
    if (i % 5_000 === 0) await vi.advanceTimersByTimeAsync(250)
  }
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  const refused = refusal({ action: 'credentials.refused' })
  writer.refuse(refused, 'source')
  await vi.advanceTimersByTimeAsync(250)
  // Readers take no place of those who are refused.
  expect(stored.pop()).toEqual(refused)
  expect([state.lost, stored.length]).toEqual([0, 10_030])
  expect(stored.every(({ count, userID }) => count === 1 && userID !== null)).toBe(true)
})

test('the next minute counts anew', async () => {
  const { writer, stored } = writing()
  for (let i = 0; i < 12; i++) writer.refuse(refusal(), 'key')
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  writer.refuse(refusal(), 'key')
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  expect(stored.map(({ count }) => count)).toEqual([...Array.from({ length: 10 }, () => 1), 2, 1])
})

test('of more sources than are told apart only the number is kept, of nobody', async () => {
  const { writer, stored, state } = writing()
  for (let i = 0; i < 10_030; i++) {
    writer.refuse(refusal({ action: 'credentials.refused' }), `source ${i}`)
    if (i % 5_000 === 0) await vi.advanceTimersByTimeAsync(250)
  }
  await vi.advanceTimersByTimeAsync(MINUTE + 500)
  expect(state.lost + stored.reduce((sum, { count }) => sum + count, 0)).toBe(10_030)
  expect(stored.filter(({ count }) => count > 1)).toMatchObject([{ count: 20, userID: null, keyID: null, ip: '' }])
})

test('closing stores what waits, and the counts of the minute that has not ended', async () => {
  const { writer, stored } = writing()
  writer.note(auditEntry())
  for (let i = 0; i < 15; i++) writer.refuse(refusal(), 'key')
  await writer.close()
  expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(16)
})

test('closing while the database is away says how much is lost', async () => {
  const { writer, state } = writing()
  state.fails = 100
  writer.note(auditEntry())
  await writer.close()
  expect(state.lost).toBe(1)
})
