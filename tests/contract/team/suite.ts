/** What invitations promise, on every adapter (decisions 16.5; ADR 276). */

import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import type { Invitation, InvitationBounds } from '../../../connectors/postgres/accounts/team/port.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { newCustomer, type People } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { during } from '../../builders/suite/during.ts'

export const NOW = 1_800_000_000_000
const DAY = 86_400_000
export const BOUNDS: InvitationBounds = { since: NOW - DAY, perCustomer: 100, perEmail: 5 }
const FIRST_PAGE = { page: 1, limit: 100 }

/** People and customers, and what they do with invitations at `NOW`. */
export function stage(people: People) {
  const { accounts, team } = people
  const stage = {
    ...people,
    async user() {
      const user = newUser()
      await accounts.createUser(user)
      return { id: user.id, email: user.email }
    },
    async customer() {
      const owner = await stage.user()
      const made = newCustomer(owner.id)
      await team.createCustomer(made)
      return { id: made.id, owner: owner.id }
    },
    async member(customerId: string, role: 'admin' | 'user') {
      const { id, email } = await stage.user()
      await team.appoint({ customerId, userId: id, role, membershipId: randomUUIDv7() })
      return { id, email }
    },
    async invite(caller: string, email: string, given: Partial<Invitation> = {}, bounds = BOUNDS) {
      const tokenHash = randomBytes(32)
      const at = { createdAt: NOW, expiresAt: NOW + 7 * DAY }
      const made = await team.invite({ caller, email, role: 'user', tokenHash, ...at, ...given }, bounds)
      return { made, tokenHash: given.tokenHash ?? tokenHash }
    },
    take: (userId: string, tokenHash: Buffer, now = NOW) =>
      team.takeInvitation({ userId, tokenHash, membershipId: randomUUIDv7(), now }),
    waiting: async (customerId: string) => (await team.invitations(customerId, FIRST_PAGE, NOW)).invitations,
    /** By its id. */
    invited: (caller: string, target: string, role: 'admin' | 'user' = 'user') =>
      team.change({ caller, target, change: { kind: 'add', role }, membershipId: randomUUIDv7() }),
    change: (caller: string, target: string, kind: 'remove' | 'leave') =>
      team.change({ caller, target, change: { kind }, membershipId: randomUUIDv7() }),
  }
  return stage
}

export function invitationContract(name: string, open: () => Promise<People>, test: Test = everywhere): void {
  describe(`invitations, ${name}`, () => {
    const on = during(async () => stage(await open()))

    everywhere('one is taken once, by the user of its address alone, and waits until then', async () => {
      const [{ id, owner }, user, other] = [await on.customer(), await on.user(), await on.user()]
      const { made, tokenHash } = await on.invite(owner, user.email)
      expect(made).toEqual({ mail: 'first' })
      expect(await on.waiting(id)).toMatchObject([
        { email: user.email, role: 'user', invitedBy: owner, createdAt: NOW },
      ])
      expect(await on.take(other.id, tokenHash)).toBe('no invitation')
      expect(await on.take(user.id, randomBytes(32))).toBe('no invitation')
      expect(await on.take(user.id, tokenHash)).toBeNull()
      expect(await on.team.membership(user.id)).toEqual({ customerId: id, role: 'user' })
      expect(await on.waiting(id)).toEqual([])
      expect(await on.take(user.id, tokenHash)).toBe('no invitation')
    })

    test('an address that is not verified takes none', async () => {
      const [{ owner }, user] = [await on.customer(), await on.user()]
      const address = `${randomUUID()}@example.com`
      const emails = kyselyEmails(on.db)
      const email = { id: randomUUID(), userId: user.id, address, verified: false, createdAt: NOW }
      await emails.add(email, 10)
      const { tokenHash } = await on.invite(owner, address)
      expect(await on.take(user.id, tokenHash)).toBe('no invitation')
      await emails.verify(email.id)
      expect(await on.take(user.id, tokenHash)).toBeNull()
    })

    test('it ends with its week', async () => {
      const [{ id, owner }, user] = [await on.customer(), await on.user()]
      const { tokenHash } = await on.invite(owner, user.email)
      const { invitations, items } = await on.team.invitations(id, FIRST_PAGE, NOW + 7 * DAY)
      expect([invitations, items]).toEqual([[], 0])
      expect(await on.take(user.id, tokenHash, NOW + 7 * DAY)).toBe('no invitation')
      expect(await on.take(user.id, tokenHash, NOW + 7 * DAY - 1)).toBeNull()
    })

    test('who is invited again has one link, the last one, with its role', async () => {
      const [{ id, owner }, user] = [await on.customer(), await on.user()]
      const first = await on.invite(owner, user.email, { role: 'admin' })
      const second = await on.invite(owner, user.email, { createdAt: NOW + 1 })
      expect(second.made).toEqual({ mail: 'again' })
      expect(await on.waiting(id)).toHaveLength(1)
      expect(await on.take(user.id, first.tokenHash)).toBe('no invitation')
      expect(await on.take(user.id, second.tokenHash)).toBeNull()
      expect((await on.team.membership(user.id))!.role).toBe('user')
    })

    test('an address has five mails of a day from all customers together; a sixth looks like them', async () => {
      const [one, two, user] = [await on.customer(), await on.customer(), await on.user()]
      for (let i = 0; i < 3; i++) expect((await on.invite(one.owner, user.email)).made).not.toEqual({ mail: 'none' })
      const good = await on.invite(two.owner, user.email, { role: 'admin' })
      await on.invite(one.owner, user.email)
      const silent = await on.invite(two.owner, user.email, { createdAt: NOW + 1 })
      expect(silent.made).toEqual({ mail: 'none' })
      expect(await on.waiting(two.id)).toMatchObject([{ email: user.email, role: 'user', createdAt: NOW + 1 }])
      expect(await on.take(user.id, silent.tokenHash)).toBe('no invitation')
      // The link that was mailed gives what was offered last.
      expect(await on.take(user.id, good.tokenHash)).toBeNull()
      expect((await on.team.membership(user.id))!.role).toBe('user')
      const dayAfter = { createdAt: NOW + DAY + 1, expiresAt: NOW + 8 * DAY }
      const later = await on.invite(one.owner, user.email, dayAfter, { ...BOUNDS, since: NOW + 1 })
      expect(later.made).not.toEqual({ mail: 'none' })
    })

    test('taking back does not make room for another mail, and a customer has its share', async () => {
      const [{ id, owner }, user] = [await on.customer(), await on.user()]
      for (let i = 0; i < 5; i++) {
        await on.invite(owner, user.email)
        expect(await on.team.withdrawInvitation(id, (await on.waiting(id))[0]!.id, NOW)).toBe(true)
      }
      expect((await on.invite(owner, user.email)).made).toEqual({ mail: 'none' })
      expect((await on.invite(owner, 'a@example.com', {}, { ...BOUNDS, perCustomer: 6 })).made).toEqual({
        refused: 'too many',
      })
    })

    test('one whose mail was not sent is forgotten, and does not count', async () => {
      const [{ id, owner }, user] = [await on.customer(), await on.user()]
      for (let i = 0; i < 6; i++) {
        const { made, tokenHash } = await on.invite(owner, user.email)
        expect(made).toEqual({ mail: 'first' })
        await on.team.forgetInvitation(tokenHash)
      }
      expect(await on.waiting(id)).toEqual([])
    })

    test('one that was taken back is worth nothing; another customer takes none back', async () => {
      const [one, two, user] = [await on.customer(), await on.customer(), await on.user()]
      const { tokenHash } = await on.invite(one.owner, user.email)
      const [{ id } = { id: '' }] = await on.waiting(one.id)
      expect(await on.team.withdrawInvitation(two.id, id, NOW)).toBe(false)
      expect(await on.team.withdrawInvitation(one.id, id, NOW)).toBe(true)
      expect(await on.team.withdrawInvitation(one.id, id, NOW)).toBe(false)
      expect(await on.waiting(one.id)).toEqual([])
      expect(await on.take(user.id, tokenHash)).toBe('no invitation')
    })

    test('who was removed, or left, does not come back by a link that is left', async () => {
      for (const kind of ['remove', 'leave'] as const) {
        const { id, owner } = await on.customer()
        const user = await on.member(id, 'user')
        const { tokenHash } = await on.invite(owner, user.email)
        expect(await on.change(kind === 'remove' ? owner : user.id, user.id, kind)).toBeNull()
        expect(await on.take(user.id, tokenHash)).toBe('no invitation')
        expect(await on.team.membership(user.id)).toBeNull()
      }
    })

    test('those of a member are over when it goes, is demoted or is deleted, also once it may invite again', async () => {
      const ends = {
        removed: (owner: string, admin: string) => on.change(owner, admin, 'remove'),
        left: (_: string, admin: string) => on.change(admin, admin, 'leave'),
        demoted: (caller: string, target: string) =>
          on.team.change({ caller, target, change: { kind: 'set', role: 'user' }, membershipId: randomUUIDv7() }),
        deleted: (_: string, admin: string) => on.offboarding.deleteUser(admin, cause()),
      }
      for (const [name, end] of Object.entries(ends)) {
        const { id, owner } = await on.customer()
        const [admin, user] = [await on.member(id, 'admin'), await on.user()]
        const { tokenHash } = await on.invite(admin.id, user.email)
        await end(owner, admin.id)
        expect(await on.waiting(id), name).toEqual([])
        expect(await on.take(user.id, tokenHash), name).toBe('no invitation')
        if (name !== 'demoted') continue
        const change = { kind: 'set', role: 'admin' } as const
        await on.team.change({ caller: owner, target: admin.id, change, membershipId: randomUUIDv7() })
        expect(await on.take(user.id, tokenHash)).toBe('no invitation')
      }
    })

    test('who was added by its id meanwhile accepts with its link, and keeps its role', async () => {
      const { id, owner } = await on.customer()
      const user = await on.user()
      const { tokenHash } = await on.invite(owner, user.email, { role: 'admin' })
      expect(await on.invited(owner, user.id)).toBeNull()
      expect(await on.take(user.id, tokenHash)).toBeNull()
      expect(await on.team.membership(user.id)).toEqual({ customerId: id, role: 'user' })
    })

    test('a user accepts the invitation that it names, of several, which ends the others', async () => {
      const [one, two, three] = [await on.customer(), await on.customer(), await on.customer()]
      const user = await on.user()
      for (const { owner } of [two, three]) expect(await on.invited(owner, user.id)).toBeNull()
      expect(await on.invited(two.owner, user.id)).toBe('already_member')
      expect((await on.team.waiting(user.id)).map(({ customerId, role }) => [customerId, role])).toEqual([
        [two.id, 'user'],
        [three.id, 'user'],
      ])
      expect(await on.team.membership(user.id)).toBeNull()
      expect(await on.team.accept(user.id, one.id, NOW)).toBe('no membership')
      expect(await on.team.accept(user.id, null, NOW)).toBe('several')
      for (let n = 0; n < 2; n++) expect(await on.team.accept(user.id, two.id, NOW)).toBeNull()
      expect(await on.team.membership(user.id)).toEqual({ customerId: two.id, role: 'user' })
      expect(await on.team.waiting(user.id)).toEqual([])
      expect(await on.team.accept(user.id, three.id, NOW)).toBe('no membership')
    })

    test('a member of one customer may be invited to another, and stays where it is', async () => {
      const [one, two] = [await on.customer(), await on.customer()]
      const user = await on.member(one.id, 'user')
      expect(await on.invited(two.owner, user.id)).toBeNull()
      expect(await on.team.accept(user.id, two.id, NOW)).toBe('already_member')
      expect(await on.team.membership(user.id)).toEqual({ customerId: one.id, role: 'user' })
      expect(await on.team.decline(user.id, null)).toBeNull()
      expect(await on.team.waiting(user.id)).toEqual([])
      expect(await on.team.decline(user.id, null)).toBe('no membership')
    })

    test('who has not accepted may change nothing, and is given no customer', async () => {
      const { id, owner } = await on.customer()
      const [user, other] = [await on.user(), await on.user()]
      expect(await on.invited(owner, user.id, 'admin')).toBeNull()
      expect(await on.invited(user.id, other.id)).toBe('not_permitted')
      const transfer = { kind: 'transfer' } as const
      const given = { caller: owner, target: user.id, change: transfer, membershipId: randomUUIDv7() }
      expect(await on.team.change(given)).toBe('not_a_member')
      expect(await on.change(owner, user.id, 'remove')).toBeNull()
      expect((await on.team.members(id, FIRST_PAGE)).items).toBe(1)
    })

    test('members have their names, and an address that they have verified', async () => {
      const { id } = await on.customer()
      const user = await on.member(id, 'user')
      const stored = async () => {
        const { members } = await on.team.members(id, FIRST_PAGE)
        return members.find(({ userId }) => userId === user.id)
      }
      expect(await stored()).toMatchObject({ fullName: 'Ada Lovelace', alias: 'ada', email: user.email })
      await on.db.updateTable('emails').set({ verified: false }).where('user_id', '=', user.id).execute()
      expect(await stored()).toMatchObject({ email: null })
    })
  })
}
