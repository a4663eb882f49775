/** Users with key pairs, made through the port. */

import type { Accounts, NewUser } from '../../../connectors/postgres/accounts/users/port.ts'
import { newKeyPair, newUser } from './accounts.ts'

export type Person = { id: string; headers: { 'api-key': string; 'api-secret': string } }

/** Stores a user with a key pair; `headers` are its credentials. */
export async function person(accounts: Accounts, given: Partial<NewUser> = {}): Promise<Person> {
  const user = newUser(given)
  const pair = newKeyPair(user.id, { secret: `secret of ${user.id}` })
  await accounts.createUser(user)
  await accounts.createKeyPair(pair)
  return { id: user.id, headers: { 'api-key': pair.apiKey, 'api-secret': `secret of ${user.id}` } }
}
