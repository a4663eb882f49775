/** What is promised of the tickets of the socket, over any database. */

import { randomUUID } from 'node:crypto'
import { test as everywhere, expect } from 'vitest'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import type { LiveTicket } from '../../../connectors/postgres/live/port.ts'
import type { TicketCaller } from '../../../schemas/accounts/ticket-caller.ts'
import { newKeyPair } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { person } from '../../builders/accounts/people.ts'
import { crew } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { NOW, times, type World } from './world.ts'

const ROUNDS = 10
const SECONDS = 1_000

export function ticketPromises(world: World, test: Test = everywhere): void {
  const ticket = (caller: TicketCaller, given: Partial<LiveTicket> = {}): LiveTicket => ({
    ticketHash: world.hash(),
    caller,
    expiresAt: NOW + 30 * SECONDS,
    ...given,
  })
  const issued = async (caller: TicketCaller, given: Partial<LiveTicket> = {}): Promise<Buffer> => {
    const one = ticket(caller, given)
    expect(await world.tickets.issue(one)).toBe(true)
    return one.ticketHash
  }
  /** A user with a session and a key pair, as callers. */
  async function callers() {
    const { accounts } = world.people
    const { id: userId } = await person(accounts)
    const times = { expiresAt: NOW + 60 * SECONDS, createdAt: NOW }
    const session = { id: randomUUID(), userId, tokenHash: world.hash(), verified: true, kind: 'web', ...times }
    expect(await accounts.createSession(session)).toBe(true)
    const pair = newKeyPair(userId)
    expect(await accounts.createKeyPair(pair)).toBe(true)
    const bySession: TicketCaller = { kind: 'session', userId, id: session.id }
    const byKey: TicketCaller = { kind: 'key pair', userId, id: pair.id }
    return { userId, session, pair, bySession, byKey }
  }

  test('a ticket says once who asked for it, of every kind', async () => {
    const { bySession, byKey } = await callers()
    for (const caller of [bySession, byKey, { kind: 'administrator' } as const, { kind: 'anonymous' } as const]) {
      const hash = await issued(caller)
      expect(await world.tickets.redeem(hash, NOW)).toEqual({ caller, expiresAt: NOW + 30 * SECONDS })
      expect(await world.tickets.redeem(hash, NOW)).toBeNull()
    }
    expect(await world.tickets.redeem(world.hash(), NOW)).toBeNull()
  })

  everywhere('of twenty in two processes that redeem a ticket at once, one does', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const hash = await issued({ kind: 'anonymous' })
      const answers = await times(20, (i) => world.ticketsOf(i).redeem(hash, NOW))
      expect(answers.filter((answer) => answer !== null)).toMatchObject([{ caller: { kind: 'anonymous' } }])
    }
  })

  test('a ticket is worth nothing from its end on', async () => {
    const [early, late] = [await issued({ kind: 'anonymous' }), await issued({ kind: 'anonymous' })]
    expect(await world.tickets.redeem(early, NOW + 30 * SECONDS - 1)).toMatchObject({ caller: { kind: 'anonymous' } })
    expect(await world.tickets.redeem(late, NOW + 30 * SECONDS)).toBeNull()
    expect(await world.tickets.redeem(late, NOW)).toBeNull()
  })

  test('the credential of a caller is that of now, with its groups and its end', async () => {
    const { tickets, people } = world
    const { userId, session, pair, bySession, byKey } = await callers()
    expect(await tickets.credential(bySession)).toEqual(await people.accounts.sessionCredential(session.tokenHash))
    expect(await tickets.credential(byKey)).toEqual(await people.accounts.keyPairCredential(pair.apiKey))
    expect(await tickets.credential(bySession)).toMatchObject({
      verified: true,
      expiresAt: session.expiresAt,
      identity: { userId, disabled: false, by: { kind: 'session', id: session.id } },
    })
    await people.accounts.updateUser(userId, { disabled: true, groups: ['soc'] }, cause())
    for (const caller of [bySession, byKey])
      expect(await tickets.credential(caller)).toMatchObject({ identity: { disabled: true, ownGroups: ['soc'] } })
  })

  test('a caller whose session or key has ended, or is of somebody else, has no credential', async () => {
    const { tickets, people } = world
    const { userId, bySession, byKey } = await callers()
    const { id: stranger } = await person(people.accounts)
    const sessions = sessionStore(people.db, () => undefined)
    const swapped: TicketCaller[] = [
      { ...bySession, userId: stranger },
      { ...byKey, userId: stranger },
      { ...bySession, kind: 'key pair' } as TicketCaller,
      { ...byKey, kind: 'session' } as TicketCaller,
      { kind: 'administrator' },
      { kind: 'anonymous' },
    ]
    for (const caller of swapped) expect(await tickets.credential(caller)).toBeNull()
    if (bySession.kind !== 'session' || byKey.kind !== 'key pair') throw new Error('not of a user')
    expect(await sessions.endSession(userId, bySession.id)).toBe(true)
    expect(await sessions.deleteKeyPair(userId, byKey.id)).toBe(true)
    for (const caller of [bySession, byKey]) expect(await tickets.credential(caller)).toBeNull()
  })

  test('a member has the group of its customer', async () => {
    const team = await crew(world.people)
    const pair = newKeyPair(team.user.id)
    await world.people.accounts.createKeyPair(pair)
    const found = await world.tickets.credential({ kind: 'key pair', userId: team.user.id, id: pair.id })
    expect(found?.identity).toMatchObject({ customerId: team.customerId, groups: expect.arrayContaining(['public']) })
    expect(found?.identity.groups).toContain(`customer-${team.customerId}`)
  })

  test('a user who is gone gets no ticket', async () => {
    const { userId, bySession } = await callers()
    expect(await world.people.offboarding.deleteUser(userId, cause())).toBe(true)
    expect(await world.tickets.issue(ticket(bySession))).toBe(false)
    expect(await world.tickets.credential(bySession)).toBeNull()
  })

  test('tickets are swept after their end, others stay', async () => {
    const old = await issued({ kind: 'anonymous' }, { expiresAt: NOW - 60 * SECONDS })
    const young = await issued({ kind: 'anonymous' })
    const swept = await times(2, (i) => world.ticketsOf(i).sweep(NOW))
    expect(swept.reduce((sum, removed) => sum + removed)).toBeGreaterThanOrEqual(1)
    expect(await world.tickets.redeem(old, NOW - 61 * SECONDS)).toBeNull()
    expect(await world.tickets.redeem(young, NOW)).toMatchObject({ caller: { kind: 'anonymous' } })
  })
}
