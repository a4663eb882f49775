/** What is promised of definitions of feeds over any database. */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { reconciliation } from '../../../connectors/postgres/lifecycle/reconciliation-store.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { person } from '../../builders/accounts/people.ts'
import { crew } from '../../builders/accounts/team.ts'
import { CAP, caller, NOW, ofCustomer, ofUser, TIERS, type World } from './world.ts'

const PAGE = { after: null, limit: 100 }

export function definitionPromises(world: World, test: Test = everywhere): void {
  test('a feed is stored with a command of its whole definition, and each change raises its revision', async () => {
    const { user, customerId } = await crew(world.people)
    const selector: Selector = { value: { in: ['a\u0000b', '€ 😀'] }, accuracy: { gte: 2 }, wellKnown: 'any' }
    const one = await world.made(ofCustomer(customerId), user.id, { selector, cap: 5, groups: ['a', 'b'] })
    expect(await world.feeds.feed(one.id)).toEqual(one)
    const changed = { ...one, name: 'other', guard: null, cap: null, revision: 2, updatedAt: NOW + 1 }
    const change = { name: 'other', guard: null, cap: null, at: NOW + 1 }
    expect(await world.feeds.change(one.id, change)).toEqual(changed)
    const again = { ...changed, selector: { wellKnown: false } as const, revision: 3, updatedAt: NOW + 2 }
    expect(await world.feeds.change(one.id, { selector: { wellKnown: false }, at: NOW + 2 })).toEqual(again)
    expect(await world.feeds.feed(one.id)).toEqual(again)
    for (const kind of ['hold', 'release'] as const) expect(await world.feeds.order(one.id, kind, NOW + 3)).toBe(true)
    expect(await world.feeds.remove(one.id, NOW + 4)).toBe(true)
    const told = ({ id, name, selector: of, groups, cap, guard, revision }: typeof one) => ({
      kind: 'put',
      feed: { id, name, selector: of, groups, cap, guard, revision },
    })
    expect(await world.commands(one.id)).toEqual([
      told(one),
      told(changed),
      told(again),
      { kind: 'hold', id: one.id, at: NOW + 3 },
      { kind: 'release', id: one.id, at: NOW + 3 },
      { kind: 'delete', id: one.id },
    ])
  })

  test('nothing is told of a feed that is not there', async () => {
    const id = randomUUID()
    expect(await world.feeds.feed(id)).toBeNull()
    expect(await world.feeds.change(id, { name: 'x', at: NOW })).toBeNull()
    expect(await world.feeds.order(id, 'hold', NOW)).toBe(false)
    expect(await world.feeds.remove(id, NOW)).toBe(false)
    expect(await world.commands(id)).toEqual([])
  })

  test('feeds that are there no more are told from those that are', async () => {
    const { user, customerId } = await crew(world.people)
    const [kept, gone] = [await world.made(ofCustomer(customerId), user.id), await world.made(ofUser(user.id), user.id)]
    const never = randomUUID()
    expect(await world.feeds.missing([kept.id, gone.id, never])).toEqual([never])
    expect(await world.feeds.remove(gone.id, NOW)).toBe(true)
    expect(await world.feeds.missing([kept.id, gone.id, never])).toEqual([gone.id, never])
    expect(await world.feeds.missing([])).toEqual([])
  })

  test('a definition that no record of the log holds is refused, and nothing of it is stored', async () => {
    const { user, customerId } = await crew(world.people)
    const large: Selector = {
      value: { in: Array.from({ length: 20 }, (_, i) => `${i}${'x'.repeat(60_000)}`) },
      wellKnown: false,
    }
    const one = world.feed(ofCustomer(customerId), user.id, { selector: large })
    expect(await world.feeds.create(one, true)).toBe('too large')
    expect([await world.feeds.feed(one.id), await world.used(customerId)]).toEqual([null, 0])
    const small = await world.made(ofCustomer(customerId), user.id)
    expect(await world.feeds.change(small.id, { selector: large, at: NOW })).toBe('too large')
    expect(await world.feeds.feed(small.id)).toEqual(small)
    expect(await world.commands(small.id)).toHaveLength(1)
  })

  everywhere('the quota of a customer is never passed, by many at once, and is given back once', async () => {
    const { user, customerId } = await crew(world.people)
    const owner = ofCustomer(customerId)
    const outcomes = await Promise.all(
      Array.from({ length: 2 * CAP }, () => world.feeds.create(world.feed(owner, user.id), true)),
    )
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(CAP)
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(CAP)
    expect(await world.used(customerId)).toBe(CAP)
    const { feeds } = await world.feeds.list(caller(user.id, customerId), PAGE)
    const removed = await Promise.all([1, 2, 3].map(() => world.feeds.remove(feeds[0]!.id, NOW)))
    expect(removed.filter(Boolean)).toHaveLength(1)
    expect(await world.used(customerId)).toBe(CAP - 1)
    await world.made(owner, user.id)
  })

  test('a user without a customer has a quota too, and so has who has no row', async () => {
    const alone = await person(world.people.accounts)
    for (const [id, account] of [
      [alone.id, true],
      [randomUUID(), false],
    ] as const) {
      const outcomes = await Promise.all(
        Array.from({ length: CAP + 2 }, () => world.feeds.create(world.feed(ofUser(id), id), account)),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(CAP)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(2)
    }
  })

  test('only a member makes a feed of its customer, and only a user that is there its own', async () => {
    const [{ customerId }, other] = [await crew(world.people), await crew(world.people)]
    expect(await world.feeds.create(world.feed(ofCustomer(customerId), other.user.id), true)).toBe('no member')
    expect(await world.feeds.create(world.feed(ofCustomer(randomUUID()), other.user.id), true)).toBe('no member')
    const gone = randomUUID()
    expect(await world.feeds.create(world.feed(ofUser(gone), gone), true)).toBe('no member')
    expect(await world.used(customerId)).toBe(0)
  })

  test('a list has the feeds of the owner whose groups the caller all has, newest first, in pages', async () => {
    const { user, customerId } = await crew(world.people)
    const all = []
    for (const groups of [['public'], ['a', 'public'], ['a', 'b']])
      all.unshift(await world.made(ofCustomer(customerId), user.id, { groups }))
    const own = await world.made(ofUser(user.id), user.id)
    const ids = async (groups: string[], of: string | null = customerId, page = PAGE) => {
      const { feeds, next } = await world.feeds.list(caller(user.id, of, groups), page)
      return [feeds.map(({ id }) => id), next]
    }
    expect(await ids(['a', 'b', 'public'])).toEqual([[own.id, ...all.map(({ id }) => id)], null])
    expect(await ids(['a', 'public'])).toEqual([[own.id, all[1]!.id, all[2]!.id], null])
    expect(await ids(['public'], null)).toEqual([[own.id], null])
    expect(await ids(['public'], randomUUID())).toEqual([[own.id], null])
    const [first, next] = await ids(['a', 'b', 'public'], customerId, { after: null, limit: 3 })
    expect([first, next]).toEqual([[own.id, all[0]!.id, all[1]!.id], all[1]!.id])
    expect(await ids(['a', 'b', 'public'], customerId, { after: next as never, limit: 3 })).toEqual([
      [all[2]!.id],
      null,
    ])
  })

  test('a page ends before its selectors are too long for one answer', async () => {
    const alone = await person(world.people.accounts)
    for (let i = 0; i < CAP; i++) await world.made(ofUser(alone.id), alone.id)
    const table = world.people.db.updateTable('feeds').where('owner_id', '=', alone.id)
    await table.set({ selector_bytes: 5 * 1024 * 1024 }).execute()
    const { feeds, next } = await world.feeds.list(caller(alone.id), PAGE)
    expect([feeds.length, next]).toEqual([1, feeds[0]!.id])
    await table.set({ selector_bytes: 50 * 1024 * 1024 }).execute()
    expect((await world.feeds.list(caller(alone.id), PAGE)).feeds).toHaveLength(1)
  })

  test('names are those of own feeds first and of open feeds of all, each once', async () => {
    const [alone, other] = [await person(world.people.accounts), await person(world.people.accounts)]
    const name = () => `feed ${randomUUIDv7()}`
    const open = await world.made(ofUser(other.id), other.id, { name: name(), open: true })
    const mine = await world.made(ofUser(alone.id), alone.id, {
      name: name(),
      open: true,
      selector: { accuracy: { gte: 3 }, wellKnown: false },
    })
    const hidden = await world.made(ofUser(other.id), other.id, { name: name() })
    const names = await world.feeds.names(caller(alone.id), 1_000)
    expect(names[0]).toEqual({ id: mine.id, name: mine.name, description: mine.description, accuracyFrom: 3 })
    const told = names.map((feed) => feed.name)
    expect(told.filter((one) => [open.name, mine.name, hidden.name].includes(one))).toEqual([mine.name, open.name])
    const everybody = (await world.feeds.names(null, 1_000)).map((feed) => feed.name)
    expect([open, mine, hidden].map((feed) => everybody.includes(feed.name))).toEqual([true, true, false])
    expect(await world.feeds.names(caller(alone.id), 1)).toHaveLength(1)
  })

  test('a counter that is not the number of feeds is found and set right', async () => {
    const { user, customerId } = await crew(world.people)
    await world.made(ofCustomer(customerId), user.id)
    const found = reconciliation(world.people.db, TIERS)
    const quota = { service: 'feeds-api', featureKey: 'max_feeds' }
    expect(await found.correct({ customerId, quota })).toBe(false)
    await world.people.db.updateTable('quota_usage').set({ used: 9 }).where('customer_id', '=', customerId).execute()
    expect(await found.correct({ customerId, quota })).toBe(true)
    expect(await world.used(customerId)).toBe(1)
  })
}
