/** What is promised of download tokens over any database. */

import { randomBytes, randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { newKeyPair } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { DAY, NOW, ofCustomer, type World } from './world.ts'

export function tokenPromises(world: World, test: Test = everywhere): void {
  const shared = async () => {
    const team = await crew(world.people)
    return { team, feed: await world.made(ofCustomer(team.customerId), team.user.id, { groups: ['public'] }) }
  }

  test('a token is found by its hash, with its feed and its maker as it is now', async () => {
    const { team, feed } = await shared()
    const { user, customerId } = team
    const token = world.token(feed.id, user.id, { networks: ['203.0.113.0/24', '2001:db8::/32'] })
    expect(await world.tokens.add(token, 100)).toBe('added')
    const { tokenHash: _, keyPairId: __, ...shown } = token
    const found = (await world.tokens.find(token.tokenHash))!
    expect(found.token).toEqual(shown)
    expect(found.feed).toEqual({ owner: ofCustomer(customerId), groups: ['public'], open: false })
    expect(found.maker).toMatchObject({ userId: user.id, customerId, disabled: false, by: null })
    await world.people.accounts.updateUser(user.id, { groups: ['x'], disabled: true }, cause())
    const groups = [`customer-${customerId}`, 'public', 'x']
    expect((await world.tokens.find(token.tokenHash))!.maker).toMatchObject({ groups, disabled: true })
    expect(await world.tokens.find(randomBytes(32))).toBeNull()
  })

  test('a token of a narrowed key has the bounds of the key as they are now, and goes with it', async () => {
    const { team, feed } = await shared()
    const { user, customerId } = team
    const group = `customer-${customerId}`
    const bounds = { scopes: ['feeds:read', 'read'], groups: [group], networks: ['10.0.0.0/8'] } as const
    const key = newKeyPair(user.id, { bounds, expiresAt: NOW + DAY })
    await world.people.accounts.createKeyPair(key)
    const token = world.token(feed.id, user.id, { keyPairId: key.id })
    expect(await world.tokens.add(token, 100)).toBe('added')
    const found = async () => (await world.tokens.find(token.tokenHash))!
    expect(await found()).toMatchObject({
      keyExpiresAt: NOW + DAY,
      maker: { customerId, ownGroups: [group], bounds: { scopes: ['feeds:read', 'read'] } },
    })
    const keys = sessionStore(world.people.db, () => undefined)
    await keys.changeKeyPair(user.id, key.id, { scopes: ['read'], expiresAt: NOW + 1 })
    expect(await found()).toMatchObject({ keyExpiresAt: NOW + 1, maker: { bounds: { scopes: ['read'] } } })
    await keys.deleteKeyPair(user.id, key.id)
    expect(await world.tokens.find(token.tokenHash)).toBeNull()
    expect(await world.tokens.add(world.token(feed.id, user.id, { keyPairId: key.id }), 100)).toBe('no key')
  })

  test('the maker of a token is null when it has no row', async () => {
    const { feed } = await shared()
    const token = world.token(feed.id, randomUUID())
    await world.tokens.add(token, 100)
    expect((await world.tokens.find(token.tokenHash))!.maker).toBeNull()
  })

  everywhere('a feed has so many tokens, by many at once, and those that have ended do not count', async () => {
    const { team, feed } = await shared()
    const { user } = team
    const add = (given = {}) => world.tokens.add(world.token(feed.id, user.id, given), 3)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => add()))
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(2)
    expect(await add({ createdAt: NOW + DAY - 1 })).toBe('full')
    expect(await add({ createdAt: NOW + DAY, expiresAt: NOW + 2 * DAY })).toBe('added')
    expect(await world.tokens.list(feed.id, NOW)).toHaveLength(1)
    expect(await world.tokens.list(feed.id, NOW + 2 * DAY)).toEqual([])
  })

  test('a revoked token is unknown, and only its feed revokes it', async () => {
    const { team, feed } = await shared()
    const { user } = team
    const other = await shared()
    const token = world.token(feed.id, user.id)
    await world.tokens.add(token, 100)
    expect(await world.tokens.revoke(other.feed.id, token.id)).toBe(false)
    expect(await world.tokens.revoke(feed.id, token.id)).toBe(true)
    expect(await world.tokens.revoke(feed.id, token.id)).toBe(false)
    expect(await world.tokens.find(token.tokenHash)).toBeNull()
  })

  test('a token goes with its feed, and a feed that is not there has none', async () => {
    const { team, feed } = await shared()
    const token = world.token(feed.id, team.user.id)
    await world.tokens.add(token, 100)
    await world.feeds.remove(feed.id, NOW)
    expect(await world.tokens.find(token.tokenHash)).toBeNull()
    expect(await world.tokens.add(world.token(feed.id, team.user.id), 100)).toBe('no feed')
    expect(await world.tokens.list(feed.id, NOW)).toEqual([])
  })
}
