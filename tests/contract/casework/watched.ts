/** What is promised of watchlists to the job that fires alerts: it misses no change of them. */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/alert-store.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { entry, NOW, owner, TEN, type World } from './world.ts'

export function watchedPromises(world: World, test: Test = everywhere): void {
  const lists = () => kyselyAlertStore(world.people.db).lists
  const accounts = () => world.people.accounts
  const listOf = async (of: Owner, items: number, given: { enabled?: boolean; createdAt?: number } = {}) => {
    const { enabled = true, createdAt = NOW } = given
    const list = await world.made(of, 'watchlist', { content: { name: 'a', enabled }, createdAt })
    for (let n = 0; n < items; n++) await world.casework.entries.add(list, entry({ createdAt: NOW + n }), TEN)
    return list
  }
  const patch = (list: Awaited<ReturnType<typeof listOf>>, content: object, updatedAt = NOW + 60_000) =>
    world.casework.records.change(list, { content: { ...content }, updatedAt })

  /** What moved while something was done, whatever others did meanwhile. */
  async function movedBy(work: () => Promise<unknown>) {
    const before = await lists().latest()
    await work()
    const moves = await lists().movesAfter(before)
    if (moves === null || moves.more) throw new Error('the moves of one test fit into one answer')
    return moves
  }

  test('whatever makes another item fire, or for another user, is a move of its list or its user', async () => {
    const team = await crew(world.people)
    const of = owner(team)
    const list = await listOf(of, 1)
    const later = entry()
    const { id: userId } = team.user
    const change = (change: object) => accounts().updateUser(userId, change, cause())
    const ofList: [string, () => Promise<unknown>][] = [
      ['an item is added', () => world.casework.entries.add(list, later, TEN)],
      ['an item is removed', () => world.casework.entries.remove(list, 'item', { id: later.id })],
      ['the list is disabled', () => patch(list, { enabled: false })],
      ['the list is enabled', () => patch(list, { enabled: true })],
      ['the list is deleted', () => world.casework.records.remove(list)],
    ]
    for (const [name, work] of ofList) expect([name, (await movedBy(work)).lists]).toEqual([name, [list.id]])
    const ofUser: [string, () => Promise<unknown>][] = [
      ['it is in other groups', () => change({ groups: ['blue'] })],
      ['it is disabled', () => change({ disabled: true })],
      ['it is enabled', () => change({ disabled: false })],
      ['it leaves', () => kyselyTeam(world.people.db).dismiss(team.customerId, userId)],
      [
        'it joins',
        () =>
          kyselyTeam(world.people.db).appoint({
            customerId: team.customerId,
            userId,
            role: 'user',
            membershipId: randomUUID(),
          }),
      ],
      ['it is deleted', () => world.people.offboarding.deleteUser(userId, cause())],
    ]
    for (const [name, work] of ofUser) expect([name, (await movedBy(work)).users]).toEqual([name, [userId]])
  })

  test('what changes nothing of what is watched is no move', async () => {
    const team = await crew(world.people)
    const of = owner(team)
    const list = await listOf(of, 1)
    const about = await world.made(of, 'case')
    const none = await movedBy(async () => {
      await patch(list, { name: 'b', enabled: true })
      await world.casework.entries.add(about, entry({ kind: 'note' }), TEN)
      await world.casework.records.remove(about)
      await listOf(of, 0)
      await accounts().updateUser(team.user.id, { addRole: 'trusted' }, cause())
    })
    expect([none.lists, none.users]).toEqual([[], []])
  })

  test('a list is read with what its user reads, since when it is enabled, and its items', async () => {
    const team = await crew(world.people)
    const of = owner(team)
    const [first, off] = [await listOf(of, 2), await listOf(of, 1, { enabled: false })]
    await accounts().updateUser(team.user.id, { groups: ['blue'] }, cause())
    const groups = ['blue', customerGroup(team.customerId), 'public'].sort()
    const items = [0, 1].map((n) => ({ id: expect.any(String), content: entry().content, createdAt: NOW + n }))
    const given = { id: first.id, owner: of, groups, enabledAt: NOW, publicly: false }
    const whole = { ...given, items: expect.arrayContaining(items) }
    expect(await lists().read([first.id])).toEqual([whole])
    const both = async () => Object.fromEntries((await lists().read([first.id, off.id])).map((one) => [one.id, one]))
    expect((await both())[off.id]).toMatchObject({ enabledAt: null })
    await patch(off, { enabled: true }, NOW + 7)
    await patch(first, { enabled: true }, NOW + 8)
    expect(await both()).toMatchObject({ [off.id]: { enabledAt: NOW + 7 }, [first.id]: { enabledAt: NOW } })
    await accounts().updateUser(team.user.id, { disabled: true }, cause())
    expect((await both())[first.id]).toMatchObject({ groups: null })
    await accounts().updateUser(team.user.id, { disabled: false }, cause())
    await kyselyTeam(world.people.db).dismiss(team.customerId, team.user.id)
    expect((await both())[first.id]).toMatchObject({ groups: null })
    await world.casework.records.remove(first)
    expect(await lists().read([first.id])).toEqual([])
  })

  test('lists are found by their users, and all of them page by page', async () => {
    const [a, b] = [owner(await crew(world.people)), owner(await crew(world.people))]
    const own = [await listOf(a, 0), await listOf(a, 1)].map(({ id }) => id).sort()
    const other = (await listOf(b, 0)).id
    await world.made(a, 'case')
    expect(await lists().ids({ users: [a.userId] })).toEqual(own)
    expect(await lists().ids({ users: [] })).toEqual([])
    const all: string[] = []
    for (let after: string | null = null; ; after = all.at(-1)!) {
      const page = await lists().ids({ after, limit: 2 })
      all.push(...page)
      if (page.length < 2) break
    }
    expect(all).toEqual(expect.arrayContaining([...own, other]))
    expect(all).toEqual([...new Set(all)].sort())
  })

  test('the first moment of an item that may fire is known, and a list that is disabled has none', async () => {
    const of = owner(await crew(world.people))
    const before = (await lists().earliest()) ?? NOW
    const list = await listOf(of, 0, { createdAt: before - 5_000 })
    expect((await lists().earliest()) ?? before).toBe(before)
    await world.casework.entries.add(list, entry({ createdAt: before - 4_000 }), TEN)
    expect(await lists().earliest()).toBe(before - 4_000)
    await patch(list, { enabled: false })
    expect(await lists().earliest()).not.toBe(before - 4_000)
    await world.casework.records.remove(list)
  })

  test('who asks again after what it knew was removed is told to read everything', async () => {
    const of = owner(await crew(world.people))
    const known = await lists().latest()
    await listOf(of, 2)
    expect(await lists().movesAfter(known)).toMatchObject({ users: [], lists: [expect.any(String)] })
    const soon = Date.now() + 60_000
    while ((await lists().forgetMoves(soon, 3)) > 0);
    expect(await lists().movesAfter(known)).toBeNull()
    const latest = await lists().latest()
    expect(await lists().movesAfter(latest)).toEqual({ to: latest, lists: [], users: [], more: false })
  })

  everywhere('a reader who follows the moves of many at once misses none, in whatever order they end', async () => {
    const crews = await Promise.all([1, 2, 3].map(() => crew(world.people)))
    const made = await Promise.all(crews.map((team) => listOf(owner(team), 0)))
    let known = await lists().latest()
    const followed = new Map<string, number>()
    let done = false
    async function follow(): Promise<void> {
      const moves = await lists().movesAfter(known)
      if (moves === null) throw new Error('nothing is removed here')
      for (const list of await lists().read(moves.lists)) followed.set(list.id, list.items.length)
      known = moves.to
    }
    const following = (async () => {
      while (!done) await follow()
      await follow()
    })()
    await Promise.all(
      made.flatMap((list) => Array.from({ length: 10 }, () => world.casework.entries.add(list, entry(), TEN))),
    )
    done = true
    await following
    for (const { id } of made) expect(followed.get(id)).toBe(10)
  })
}
