/** Names for ids (ADR 276). */

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyNames } from '../../../connectors/postgres/operation/name-store.ts'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import type { Open } from '../../builders/accounts/database/suites.ts'
import { newCustomer } from '../../builders/accounts/team.ts'
import { during } from '../../builders/suite/during.ts'
import { feedsWorld, ofUser } from '../feeds-out/world.ts'

export function namesContract(name: string, open: Open): void {
  describe(name, () => {
    const database = during(open)

    test('users, customers, key pairs and feeds are named, and what is gone or none of these is left out', async () => {
      const world = feedsWorld(database)
      const { accounts, team } = world.people
      const user = newUser()
      await accounts.createUser(user)
      const customer = newCustomer(user.id, { name: 'Acme Threat Research' })
      await team.createCustomer(customer)
      const pair = newKeyPair(user.id)
      await sessionStore(database.db, () => undefined).addKeyPair(pair, 9)
      const feed = await world.made(ofUser(user.id), user.id, { name: 'Perimeter' })
      const names = kyselyNames(database.db)
      const nobody = randomUUID()
      const asked = [user.id.toUpperCase(), user.id, customer.id, pair.id, feed.id, nobody, 'ip-1', "' or 1=1 --", '']
      expect(Object.fromEntries(await names.of(asked))).toEqual({
        [user.id]: { kind: 'user', name: user.email },
        [customer.id]: { kind: 'customer', name: 'Acme Threat Research' },
        [pair.id]: { kind: 'key', name: pair.name },
        [feed.id]: { kind: 'feed', name: 'Perimeter' },
      })
      expect(await names.of([])).toEqual(new Map())
      expect(await names.of(['no id'])).toEqual(new Map())
    })
  })
}
