/** What every database of bulk requests promises, above all to attempts at the same time. */

import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyBulkRequests } from '../../../connectors/postgres/intelligence/bulk-request-store.ts'
import {
  BULK_LEASE_MS,
  type BulkKey,
  type BulkProgress,
  KEY_KEPT_MS,
} from '../../../connectors/postgres/intelligence/port.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { during, prepared } from '../../builders/suite/during.ts'

/** Long before the other tests of the same server: what is swept here is not theirs. */
const NOW = 1_500_000_000_000
const FIRST = { offsets: [5, 0, 2 ** 40], groups: ['blue', 'it"s, {odd}'] }

const newKey = (): BulkKey => ({ caller: randomUUID(), keyHash: randomBytes(32) })
const progress = (given: Partial<BulkProgress> = {}): BulkProgress => ({
  bytes: 3_000_000_000,
  digest: randomBytes(32),
  lines: 4_000,
  limited: [
    [7, 9],
    [20, 20],
  ],
  offsets: [6, 1, 2 ** 40 + 1],
  finished: false,
  ...given,
})

/** @param another opens the same database once more, as another process does; default: there is one connection to all */
export function bulkContract(
  name: string,
  open: () => Promise<AccountsDatabase>,
  another?: () => Promise<AccountsDatabase>,
  test: Test = everywhere,
): void {
  describe(name, () => {
    const database = during(open)
    const other = another === undefined ? database : during(another)
    const here = prepared(() => kyselyBulkRequests(database.db))
    const there = prepared(() => kyselyBulkRequests(other.db))

    const claimed = async (key: BulkKey, now = NOW) => {
      const attempt = randomUUID()
      const claim = await here.claim(key, attempt, FIRST, now)
      if (claim.state !== 'ours') throw new Error('the key is taken')
      return { attempt, ...claim }
    }

    test('a new key begins with nothing, and with the place of the log', async () => {
      const { request, fresh } = await claimed(newKey())
      expect(fresh).toBe(true)
      expect(request).toEqual({
        ...FIRST,
        startedAt: NOW,
        bytes: 0,
        digest: Buffer.alloc(0),
        lines: 0,
        limited: [],
        finished: false,
      })
    })

    test('what an attempt stored is what the next one finds', async () => {
      const key = newKey()
      const { attempt } = await claimed(key)
      const stored = progress({ finished: true })
      expect(await here.advance(key, attempt, stored, NOW + 1)).toBe(true)
      await here.release(key, attempt)
      const next = await there.claim(key, randomUUID(), { offsets: [9], groups: [] }, NOW + 2)
      expect(next).toEqual({
        state: 'ours',
        fresh: false,
        request: { ...stored, startedAt: NOW, groups: FIRST.groups },
      })
    })

    everywhere('one attempt at a time has a key, over all processes, until its lease ends', async () => {
      const key = newKey()
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? here : there).claim(key, randomUUID(), FIRST, NOW)),
      )
      expect(claims.filter(({ state }) => state === 'ours')).toHaveLength(1)
      for (const claim of claims) if (claim.state === 'taken') expect(claim.until).toBe(NOW + BULK_LEASE_MS)
      const before = await there.claim(key, randomUUID(), FIRST, NOW + BULK_LEASE_MS - 1)
      expect(before).toEqual({ state: 'taken', until: NOW + BULK_LEASE_MS })
      expect(await there.claim(key, randomUUID(), FIRST, NOW + BULK_LEASE_MS)).toMatchObject({
        state: 'ours',
        fresh: false,
      })
    })

    test('an attempt that renews keeps its key; one that lost it stores and renews nothing', async () => {
      const key = newKey()
      const { attempt } = await claimed(key)
      expect(await here.renew(key, attempt, NOW + BULK_LEASE_MS - 1)).toBe(true)
      expect(await there.claim(key, randomUUID(), FIRST, NOW + BULK_LEASE_MS)).toMatchObject({ state: 'taken' })
      const late = NOW + 2 * BULK_LEASE_MS
      const other = randomUUID()
      expect(await there.claim(key, other, FIRST, late)).toMatchObject({ state: 'ours' })
      expect(await here.renew(key, attempt, late)).toBe(false)
      expect(await here.advance(key, attempt, progress(), late)).toBe(false)
      await here.release(key, attempt)
      expect(await here.claim(key, randomUUID(), FIRST, late + 1)).toMatchObject({ state: 'taken' })
      expect(await there.advance(key, other, progress(), late + 1)).toBe(true)
    })

    test('the same key of another caller is another one', async () => {
      const { keyHash } = newKey()
      for (const caller of [randomUUID(), randomUUID()])
        expect(await here.claim({ caller, keyHash }, randomUUID(), FIRST, NOW)).toMatchObject({ fresh: true })
    })

    test('a key that is a day old begins anew', async () => {
      const key = newKey()
      const { attempt } = await claimed(key)
      await here.advance(key, attempt, progress({ finished: true }), NOW)
      await here.release(key, attempt)
      const young = await claimed(key, NOW + KEY_KEPT_MS - 1)
      expect(young).toMatchObject({ fresh: false, request: { startedAt: NOW, finished: true } })
      await here.release(key, young.attempt)
      const { request, fresh } = await claimed(key, NOW + KEY_KEPT_MS)
      expect(fresh).toBe(true)
      expect(request).toMatchObject({ startedAt: NOW + KEY_KEPT_MS, bytes: 0, lines: 0, limited: [], finished: false })
      expect(request.offsets).toEqual(FIRST.offsets)
    })

    test('a sweep removes what is over, and nothing that is under way', async () => {
      const [old, young, running] = [newKey(), newKey(), newKey()]
      const [first, second] = [await claimed(old), await claimed(young, NOW + 10)]
      await here.release(old, first.attempt)
      await here.release(young, second.attempt)
      const { attempt } = await claimed(running)
      await here.renew(running, attempt, NOW + KEY_KEPT_MS)
      expect(await here.sweep(NOW + 5)).toBeGreaterThanOrEqual(1)
      expect(await here.claim(old, randomUUID(), FIRST, NOW + 20)).toMatchObject({ fresh: true })
      expect(await here.claim(young, randomUUID(), FIRST, NOW + 20)).toMatchObject({ fresh: false })
      expect(await here.renew(running, attempt, NOW + KEY_KEPT_MS + 1)).toBe(true)
    })

    if (another === undefined)
      everywhere('a process that is alone with its database ends the leases of those that died', async () => {
        const key = newKey()
        await claimed(key)
        await here.releaseAll()
        expect(await here.claim(key, randomUUID(), FIRST, NOW + 1)).toMatchObject({ state: 'ours', fresh: false })
      })
  })
}
