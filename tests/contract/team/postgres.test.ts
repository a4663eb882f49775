/** Invitations on a real PostgreSQL, under races: the embedded one does one thing after the other. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { type People, peopleOf } from '../../builders/accounts/team.ts'
import { longer } from '../../builders/platform/longer.ts'
import { during } from '../../builders/suite/during.ts'
import { NOW, stage } from './suite.ts'

const url = process.env.DATABASE_URL
const ROUNDS = longer(8)

const open = async (): Promise<People> =>
  peopleOf(await postgresDatabase({ url: url!, poolSize: 8, onConnectionLost: () => undefined }))

describe.skipIf(url === undefined)('races of invitations on PostgreSQL (DATABASE_URL)', { timeout: 60_000 }, () => {
  const on = during(async () => stage(await open()))

  test('a link that is followed eight times at once is taken once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [{ owner }, user] = [await on.customer(), await on.user()]
      const { tokenHash } = await on.invite(owner, user.email)
      const answers = await Promise.all(Array.from({ length: 8 }, () => on.take(user.id, tokenHash)))
      expect(answers.filter((answer) => answer === null)).toHaveLength(1)
      expect(answers.filter((answer) => answer === 'no invitation')).toHaveLength(7)
    }
  })

  test('a link is taken, or taken back, and never both', async () => {
    const outcomes = new Set<boolean>()
    for (let round = 0; round < ROUNDS; round++) {
      const [{ id, owner }, user] = [await on.customer(), await on.user()]
      const { tokenHash } = await on.invite(owner, user.email)
      const [{ id: invitation } = { id: '' }] = await on.waiting(id)
      const take = () => on.take(user.id, tokenHash)
      const withdraw = () => on.team.withdrawInvitation(id, invitation, NOW)
      // By turns, so that each of them is first at times: taking asks twice, and gets more and more of a start.
      const [taken, back] =
        round % 2 === 0
          ? await Promise.all([take(), sleep((20 * round) / ROUNDS).then(withdraw)])
          : (await Promise.all([withdraw(), take()])).toReversed()
      expect(taken === null).toBe(back === false)
      expect((await on.team.membership(user.id)) !== null).toBe(taken === null)
      outcomes.add(taken === null)
    }
    expect(outcomes.size).toBe(2)
  })

  test('who is removed while it takes its link has neither a membership nor a link afterwards', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [{ owner }, user] = [await on.customer(), await on.user()]
      const { tokenHash } = await on.invite(owner, user.email)
      await on.invited(owner, user.id)
      const [taken, removed] = await Promise.all([on.take(user.id, tokenHash), on.change(owner, user.id, 'remove')])
      expect(removed).toBeNull()
      // Either order ends the link and the membership.
      expect([null, 'no invitation']).toContain(taken)
      expect(await on.team.membership(user.id)).toBeNull()
      expect(await on.take(user.id, tokenHash)).toBe('no invitation')
    }
  })

  test('an admin that is removed while its link is taken has invited before, or nobody', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, owner } = await on.customer()
      const [admin, user] = [await on.member(id, 'admin'), await on.user()]
      const { tokenHash } = await on.invite(admin.id, user.email)
      const [taken] = await Promise.all([on.take(user.id, tokenHash), on.change(owner, admin.id, 'remove')])
      expect((await on.team.membership(user.id)) !== null).toBe(taken === null)
      expect(await on.waiting(id)).toEqual([])
    }
  })

  test('eight customers that invite one address at once send it five mails', async () => {
    const customers = await Promise.all(Array.from({ length: 8 }, on.customer))
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = await on.user()
      const made = await Promise.all(customers.map(({ owner }) => on.invite(owner, email)))
      expect(made.map((one) => JSON.stringify(one.made)).sort()).toEqual([
        ...Array(5).fill('{"mail":"first"}'),
        ...Array(3).fill('{"mail":"none"}'),
      ])
    }
  })

  test('of two customers that a user accepts at once it gets one, and the other one is over', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const customers = [await on.customer(), await on.customer()]
      const user = await on.user()
      for (const { owner } of customers) await on.invited(owner, user.id)
      const said = await Promise.all(customers.map(({ id }) => on.team.accept(user.id, id, NOW)))
      expect(said.filter((one) => one === null)).toHaveLength(1)
      const { customerId } = (await on.team.membership(user.id))!
      expect(customerId).toBe(customers[said.indexOf(null)]!.id)
      expect(await on.team.waiting(user.id)).toEqual([])
    }
  })
})
