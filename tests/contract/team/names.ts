/** How a customer and its members are called for their own people (ADR 278). */

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { People } from '../../builders/accounts/team.ts'
import { during } from '../../builders/suite/during.ts'
import { NOW, stage } from './suite.ts'

export function memberNamesContract(name: string, open: () => Promise<People>): void {
  describe(name, () => {
    const on = during(async () => stage(await open()))

    test('accepted members among the users are named, and nobody else is', async () => {
      const acme = await on.customer()
      const joined = await on.member(acme.id, 'user')
      await on.team.accept(joined.id, acme.id, NOW)
      const other = await on.customer()
      const stranger = await on.user()
      // Added by its id, which asks nobody.
      const added = await on.user()
      const change = { kind: 'add', role: 'user' } as const
      await on.team.change({ caller: acme.owner, target: added.id, change, membershipId: randomUUID() })
      const asked = [acme.owner, joined.id, other.owner, stranger.id, added.id, acme.id, randomUUID()]
      const named = async () => (await on.team.names(acme.id, asked))!.members.map(({ userId }) => userId).sort()
      expect(await named()).toEqual([acme.owner, joined.id].sort())
      await on.team.accept(added.id, acme.id, NOW)
      expect(await named()).toEqual([acme.owner, joined.id, added.id].sort())
      await on.change(acme.owner, joined.id, 'remove')
      expect(await named()).toEqual([acme.owner, added.id].sort())
    })

    test('the customer is named beside nobody, a customer that is gone is not, and who is not asked for stays away', async () => {
      const acme = await on.customer()
      const { name } = (await on.team.customer(acme.id))!
      expect(await on.team.names(acme.id, [])).toEqual({ customer: name, members: [] })
      expect(await on.team.names(acme.id, [randomUUID()])).toEqual({ customer: name, members: [] })
      expect(await on.team.names(randomUUID(), [acme.owner])).toBeNull()
    })
  })
}
