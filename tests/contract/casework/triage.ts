/** What is promised of triage over any database (ADR 239). */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { deleteTriageOf, forgetTriage } from '../../../connectors/postgres/casework/forget-triage.ts'
import type { TriageActor } from '../../../connectors/postgres/casework/port.ts'
import { TRIAGE_KEPT_MS, type TriageOwner, type TriageState } from '../../../schemas/casework/triage.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { person } from '../../builders/accounts/people.ts'
import { type Crew, crew } from '../../builders/accounts/team.ts'
import { NOW, type World } from './world.ts'

const ofTeam = ({ customerId }: Crew): TriageOwner => ({ kind: 'customer', id: customerId })
const member = (team: Crew, who: 'user' | 'user2' = 'user'): TriageActor => ({
  owner: ofTeam(team),
  userId: team[who].id,
  hasRow: true,
})
const seen = (id: string, reputation = -2) => ({ id, reputation })

export function triagePromises(world: World, test: Test = everywhere): void {
  const triage = () => world.casework.triage
  const ids = async (owner: TriageOwner, ...of: string[]) =>
    (await triage().of(owner, of)).map(({ entityId }) => entityId)

  test('what one member notes is what every member reads, and nobody else', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    const state: TriageState = {
      entityId: 'ip-1',
      handled: { at: NOW, by: team.user.id, reputation: -2 },
      assignee: team.user2.id,
      note: `'); DROP TABLE casework_triage; --\n"€" 😀`,
      updatedAt: NOW,
    }
    const change = { handled: true, assignee: team.user2.id, note: state.note }
    expect(await triage().change(member(team), [seen('ip-1')], change, NOW)).toEqual([state])
    expect(await triage().of(ofTeam(team), ['ip-1', 'ip-2'])).toEqual([state])
    for (const owner of [
      ofTeam(others),
      { kind: 'user', id: team.user.id },
      { kind: 'user', id: team.customerId },
    ] as const)
      expect(await triage().of(owner, ['ip-1'])).toEqual([])
  })

  test('a change of several leaves what it does not name, and one that leaves nothing is forgotten', async () => {
    const team = await crew(world.people)
    await triage().change(member(team), [seen('b'), seen('a')], { note: 'look' }, NOW)
    await triage().change(member(team), [seen('a', -1), seen('c', 0)], { handled: true }, NOW + 5)
    const [a, b, c] = await triage().of(ofTeam(team), ['c', 'b', 'a'])
    expect([a?.note, a?.handled?.reputation, a?.updatedAt]).toEqual(['look', -1, NOW + 5])
    expect([b?.note, b?.handled, b?.updatedAt]).toEqual(['look', null, NOW])
    expect([c?.note, c?.handled?.reputation]).toEqual(['', 0])
    expect(await triage().change(member(team), [seen('c')], { handled: false }, NOW + 6)).toEqual([])
    expect(await ids(ofTeam(team), 'a', 'b', 'c')).toEqual(['a', 'b'])
  })

  test('only a member notes something, and only a member is assigned to', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    const stranger = { ...member(team), userId: others.user.id }
    expect(await triage().change(stranger, [seen('a')], { note: 'x' }, NOW)).toBe('no member')
    const assigned = triage().change(member(team), [seen('a')], { assignee: others.user.id, note: 'x' }, NOW)
    expect(await assigned).toBe('no assignee')
    expect(await ids(ofTeam(team), 'a')).toEqual([])
    expect((await triage().members(ofTeam(team))).map(({ userId }) => userId).sort()).toEqual(
      [team.owner, team.admin, team.admin2, team.user, team.user2].map(({ id }) => id).sort(),
    )
  })

  test('a member is one, with a name, once it has accepted', async () => {
    const team = await crew(world.people)
    const nameOf = async (id: string) =>
      (await triage().members(ofTeam(team))).find(({ userId }) => userId === id)?.name
    await world.people.db.updateTable('users').set({ alias: 'ana' }).where('id', '=', team.user.id).execute()
    await world.people.db
      .updateTable('memberships')
      .set({ accepted_at: null })
      .where('user_id', '=', team.user.id)
      .execute()
    expect(await nameOf(team.user.id)).toBeUndefined()
    await world.people.team.accept(team.user.id, team.customerId, NOW)
    expect(await nameOf(team.user.id)).toBe('ana')
  })

  test('a user without a team has a state of its own, and only itself to assign to', async () => {
    const alone = await person(world.people.accounts)
    const owner: TriageOwner = { kind: 'user', id: alone.id }
    const actor = { owner, userId: alone.id, hasRow: true }
    expect(await triage().change(actor, [seen('a')], { assignee: randomUUID() }, NOW)).toBe('no assignee')
    expect(await triage().change(actor, [seen('a')], { assignee: alone.id }, NOW)).toHaveLength(1)
    expect((await triage().members(owner)).map(({ userId }) => userId)).toEqual([alone.id])
    const gone = { owner: { kind: 'user', id: randomUUID() }, userId: randomUUID(), hasRow: true } as const
    expect(await triage().change(gone, [seen('a')], { note: 'x' }, NOW)).toBe('no member')
  })

  test('a change forgets what nobody changed for 90 days, and of too many the oldest', async () => {
    const team = await crew(world.people)
    await triage().change(member(team), [seen('old')], { note: 'x' }, NOW)
    await triage().change(member(team), [seen('new')], { note: 'x' }, NOW + TRIAGE_KEPT_MS)
    expect(await ids(ofTeam(team), 'old', 'new')).toEqual(['new', 'old'])
    await triage().change(member(team), [seen('newer')], { note: 'x' }, NOW + TRIAGE_KEPT_MS + 1)
    expect(await ids(ofTeam(team), 'old', 'new', 'newer')).toEqual(['new', 'newer'])
    await forgetTriage(world.people.db, ofTeam(team), NOW + TRIAGE_KEPT_MS + 1, 1)
    expect(await ids(ofTeam(team), 'new', 'newer')).toEqual(['newer'])
  })

  everywhere('of many changes at once each is whole', async () => {
    const team = await crew(world.people)
    const names = Array.from({ length: 20 }, (_, n) => `e${n}`)
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const entities = (n % 2 ? names : names.toReversed()).map((id) => seen(id))
        return triage().change(member(team, n % 2 ? 'user' : 'user2'), entities, { note: `${n}` }, NOW)
      }),
    )
    for (const outcome of outcomes) expect(outcome).toHaveLength(names.length)
    expect(new Set((await triage().of(ofTeam(team), names)).map(({ note }) => note)).size).toBe(1)
  })

  test('who leaves is assigned to no more, and what it noted stays with the team', async () => {
    const team = await crew(world.people)
    const change = { handled: true, assignee: team.user.id }
    await triage().change(member(team), [seen('a')], change, NOW)
    await world.clean((cleanup) => cleanup.deleteOfUser(team.customerId, team.user.id))
    const [left] = await triage().of(ofTeam(team), ['a'])
    expect([left?.assignee, left?.handled?.by]).toEqual([null, team.user.id])
  })

  test('the end of an owner is the end of its triage alone', async () => {
    const [team, others] = [await crew(world.people), await crew(world.people)]
    for (const one of [team, others]) await triage().change(member(one), [seen('a')], { note: 'x' }, NOW)
    await deleteTriageOf(world.people.db, ofTeam(team))
    expect([await ids(ofTeam(team), 'a'), await ids(ofTeam(others), 'a')]).toEqual([[], ['a']])
  })
}
