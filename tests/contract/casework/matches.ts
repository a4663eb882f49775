/** What is promised of alerts of matches over any database (decisions 14.5). */

import { test as everywhere, expect } from 'vitest'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/alert-store.ts'
import type { AlertTopic } from '../../../connectors/postgres/casework/alerts/port.ts'
import { alertFold } from '../../../pipelines/processors/casework/alert-fold.ts'
import { lookAtMatch } from '../../../pipelines/processors/casework/look-at-match.ts'
import type { KnownItem } from '../../../pipelines/processors/casework/watched.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import { matchRecord } from '../../builders/accounts/casework/match.ts'
import { watchedOf } from '../../builders/accounts/casework/watched.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { crew } from '../../builders/accounts/team.ts'
import { entry, NOW, owner, TEN, type World } from './world.ts'

const PAGE = { limit: 500, before: null, unread: false, state: null }

export function matchPromises(world: World, test: Test = everywhere): void {
  const store = () => kyselyAlertStore(world.people.db)
  const partition = () => Math.floor(Math.random() * 2 ** 31)
  const listed = async (of: Owner, groups: string[]) => {
    const found = await world.casework.alerts.list({ ...of, groups }, PAGE)
    return found === 'no alert' ? expect.unreachable() : found
  }

  /** An item as it is kept and read again, of a user in these groups. */
  async function watching(of: Owner, groups: readonly string[]) {
    const list = await world.made(of, 'watchlist', { content: { name: 'a' } })
    await world.casework.entries.add(list, entry({ content: { kind: 'match', value: {} } }), TEN)
    const [kept] = await store().lists.read([list.id])
    const [item] = kept!.items
    const { items, matches } = watchedOf([{ watch: item!.content, groups }])
    matches.remove(items[0]!)
    const known: KnownItem = { ...items[0]!, id: item!.id, list: { ...items[0]!.list, id: list.id, owner: of } }
    matches.add(known)
    return matches
  }

  /** What these matches do, as of one partition that was not looked at before. */
  async function follow(of: Owner, groups: readonly string[], all: readonly Partial<MatchRecord>[]) {
    const matches = await watching(of, groups)
    const fold = alertFold()
    const at = partition()
    for (const [offset, given] of all.entries()) {
      const match = matchRecord({ owner: `customer:${of.customerId}`, ...given } as object)
      lookAtMatch({ match, partition: at, offset, time: NOW }, matches, fold.add)
    }
    const moves = [{ source: 0, from: null, to: all.length }]
    return store().writer.store(fold.take(), { topic: 'match.events', partition: at, moves }, NOW)
  }

  test('a match is listed to who is in all of its groups, and to nobody else', async () => {
    const of = owner(await crew(world.people))
    const own = customerGroup(of.customerId)
    const groups = ['public', own, 'blue']
    expect(await follow(of, groups, [{ groups }])).toEqual({ made: 1, repeated: 0, withdrawn: 0 })
    expect(await listed(of, groups)).toMatchObject([{ matchedKind: 'match', matchedOn: '{}', count: 1 }])
    for (const some of [['public'], ['public', own], ['public', 'blue'], [own, 'blue', 'red']])
      expect(await listed(of, some)).toHaveLength(some.includes('red') ? 1 : 0)
  })

  test('an alert is withdrawn with its match, and is there again when that is restored', async () => {
    const of = owner(await crew(world.people))
    const matches = await watching(of, [])
    const at = partition()
    const step = async (to: MatchRecord['step'], offset: number) => {
      const fold = alertFold()
      const match = matchRecord({ owner: `customer:${of.customerId}`, step: to })
      lookAtMatch({ match, partition: at, offset, time: NOW }, matches, fold.add)
      const moves = [{ source: 0, from: offset === 0 ? null : offset, to: offset + 1 }]
      await store().writer.store(fold.take(), { topic: 'match.events', partition: at, moves }, NOW + offset)
      const [alert] = await listed(of, ['public'])
      return [alert!.count, alert!.withdrawnAt]
    }
    expect(await step('told', 0)).toEqual([1, null])
    expect(await step('withdrawn', 1)).toEqual([1, NOW + 1])
    expect(await step('restored', 2)).toEqual([2, null])
  })

  test('how far matches were looked at is kept apart from changes, and nothing is stored beside who was as far', async () => {
    const { writer } = store()
    const p = partition()
    const move = (topic: AlertTopic, from: number | null, to: number) =>
      writer.store({ withdrawn: [], fired: [] }, { topic, partition: p, moves: [{ source: 0, from, to }] }, NOW)
    const nothing = { made: 0, repeated: 0, withdrawn: 0 }
    expect(await move('match.events', null, 10)).toEqual(nothing)
    expect(await move('entity.changes', null, 10)).toEqual(nothing)
    expect(await move('match.events', null, 10)).toBe('moved')
    expect(await move('match.events', 9, 20)).toBe('moved')
    const rivals = await Promise.all([1, 2, 3].map(() => move('match.events', 10, 20)))
    expect(rivals.filter((outcome) => outcome === 'moved')).toHaveLength(2)
    expect(await writer.positions(p, 'match.events')).toEqual(new Map([[0, 20]]))
    expect(await writer.positions(p)).toEqual(new Map([[0, 10]]))
    expect(await writer.positions(partition(), 'match.events')).toEqual(new Map())
  })

  test('nobody gets an alert of a match who is no member of its owner any more', async () => {
    const team = await crew(world.people)
    const of = owner(team)
    const matches = await watching(of, [])
    await kyselyTeam(world.people.db).dismiss(team.customerId, team.user.id)
    const fold = alertFold()
    const match = matchRecord({ owner: `customer:${of.customerId}` })
    lookAtMatch({ match, partition: 0, offset: 0, time: NOW }, matches, fold.add)
    const progress = { topic: 'match.events' as const, partition: partition(), moves: [] }
    const nothing = { made: 0, repeated: 0, withdrawn: 0 }
    expect([fold.size(), await store().writer.store(fold.take(), progress, NOW)]).toEqual([1, nothing])
  })
}
