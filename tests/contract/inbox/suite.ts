/** What every database of inbox statuses promises (decisions 15.2): 24 hours, and for the poster alone. */

import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyInboxStatuses } from '../../../connectors/postgres/intelligence/inbox-status-store.ts'
import { type InboxStatus, MOST_NAMED, STATUS_MS } from '../../../schemas/feeds-out/collections/inbox-status.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { during, prepared } from '../../builders/suite/during.ts'

/** Long before the other tests of the same server: what is forgotten here is not theirs. */
const NOW = 1_500_000_000_000

const newStatus = (given: Partial<InboxStatus> = {}): InboxStatus => ({
  id: randomUUID(),
  requestedAt: NOW,
  total: 3,
  failed: 1,
  failures: [{ id: 'indicator--x', version: '2026-01-01T00:00:00.000Z', message: 'it"s {odd} \u{1f986}' }],
  lost: [{ type: 'indicator', property: 'x_unknown', n: 2 }],
  ...given,
})

/** @param another opens the same database once more, as another process does; default: there is one connection to all */
export function inboxContract(
  name: string,
  open: () => Promise<AccountsDatabase>,
  another?: () => Promise<AccountsDatabase>,
  test: Test = everywhere,
): void {
  describe(name, () => {
    const database = during(open)
    const other = another === undefined ? database : during(another)
    const here = prepared(() => kyselyInboxStatuses(database.db))
    const there = prepared(() => kyselyInboxStatuses(other.db))

    const kept = async (ids: readonly string[]): Promise<number> => {
      const rows = await database.db.selectFrom('inbox_statuses').select('id').where('id', 'in', ids).execute()
      return rows.length
    }

    test('a status is found as it was put, in any process', async () => {
      const [poster, status] = [randomUUID(), newStatus()]
      await here.put(poster, status, NOW)
      expect(await there.find(poster, status.id, NOW)).toEqual(status)
    })

    test('a status is there for 24 hours and not longer', async () => {
      const [poster, status] = [randomUUID(), newStatus()]
      await here.put(poster, status, NOW)
      expect(STATUS_MS).toBe(24 * 3_600_000)
      expect(await there.find(poster, status.id, NOW + STATUS_MS - 1)).toEqual(status)
      expect(await there.find(poster, status.id, NOW + STATUS_MS)).toBeNull()
    })

    test('a status of somebody else is like one that does not exist', async () => {
      const [poster, status] = [randomUUID(), newStatus()]
      await here.put(poster, status, NOW)
      expect(await there.find(randomUUID(), status.id, NOW)).toBeNull()
      expect(await there.find(poster, randomUUID(), NOW)).toBeNull()
    })

    everywhere('the largest status fits, and several at the same time', async () => {
      const poster = randomUUID()
      const failures = Array.from({ length: MOST_NAMED }, (_, n) => ({
        id: `indicator--${n}`,
        message: '\u{1f986}'.repeat(250),
      }))
      const lost = failures.map(({ id }) => ({ type: 'x'.repeat(250), property: id.repeat(10), n: 50_000 }))
      const all = Array.from({ length: 8 }, () => newStatus({ failures, lost, failed: 50_000, total: 50_000 }))
      await Promise.all(all.map((status, n) => (n % 2 === 0 ? here : there).put(poster, status, NOW)))
      for (const status of all) expect(await there.find(poster, status.id, NOW)).toEqual(status)
    })

    test('a new one forgets some that ended, the oldest first, and none that has not', async () => {
      const poster = randomUUID()
      const long = Array.from({ length: 120 }, () => newStatus())
      const young = newStatus()
      const early = NOW - 100 * STATUS_MS
      for (const [n, status] of long.entries()) await here.put(poster, status, early + n)
      const ids = long.map(({ id }) => id)
      expect(await kept(ids)).toBe(120)
      const later = early + 2 * STATUS_MS
      await there.put(poster, young, later)
      expect([await kept(ids), await kept(ids.slice(0, 100))]).toEqual([20, 0])
      await here.put(poster, newStatus(), later)
      expect([await kept(ids), await kept([young.id])]).toEqual([0, 1])
    })
  })
}
