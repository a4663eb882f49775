/** Users and keys where only what matters is said. */

import { createHash, randomUUID } from 'node:crypto'
import type { KeyPair, NewUser } from '../../../connectors/postgres/accounts/users/port.ts'
import { UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'

export const newUser = (given: Partial<NewUser> = {}): NewUser => ({
  id: randomUUID(),
  email: `${randomUUID()}@example.com`,
  fullName: 'Ada Lovelace',
  alias: 'ada',
  roles: ['user'],
  groups: ['public'],
  createdAt: 1_700_000_000_000,
  ...given,
})

export const newKeyPair = (userId: string, given: Partial<KeyPair> & { secret?: string } = {}): KeyPair => {
  const { secret = 'secret', ...rest } = given
  return {
    id: randomUUID(),
    userId,
    name: 'laptop',
    apiKey: randomUUID(),
    secretHash: createHash('sha256').update(secret).digest(),
    bounds: UNBOUNDED,
    expiresAt: null,
    createdAt: 1_700_000_000_000,
    ...rest,
  }
}
