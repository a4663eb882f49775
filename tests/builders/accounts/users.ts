import { randomUUID } from 'node:crypto'
import type { Platform } from '../platform/platform.ts'

export type User = { id: string; groups: string[]; headers: Record<string, string> }

/** A new user with a key pair that is good for some days, made by the administrator over the API. */
export async function newUserOf(
  platform: Pick<Platform, 'ask'>,
  { days = 1, ...given }: { roles: string[]; groups: string[]; days?: number },
): Promise<User> {
  const made = await platform.ask('/auth/v2/admin/user', { email: `${randomUUID()}@example.com`, ...given })
  if (made.status !== 201) throw new Error(`no user: ${made.status} ${JSON.stringify(made.body)}`)
  const id = made.body.userID as string
  const pair = await platform.ask(`/auth/v2/admin/user/${id}/keypair`, { name: 'test', days })
  if (pair.status !== 201) throw new Error(`no key pair: ${pair.status} ${JSON.stringify(pair.body)}`)
  const headers = { 'api-key': pair.body.apiKey as string, 'api-secret': pair.body.apiSecret as string }
  return { id, groups: given.groups, headers }
}

type Narrowing = { scopes?: string[]; groups?: string[]; networks?: string[] }

/** Another key pair of a user, narrowed; `groups` are those that it reads. */
export async function narrowedKeyOf(
  platform: Pick<Platform, 'ask'>,
  { id, groups }: Pick<User, 'id' | 'groups'>,
  given: Narrowing,
): Promise<User & { keyId: string }> {
  const pair = await platform.ask(`/auth/v2/admin/user/${id}/keypair`, { name: 'narrowed', days: 1, ...given })
  if (pair.status !== 201) throw new Error(`no key pair: ${pair.status} ${JSON.stringify(pair.body)}`)
  const headers = { 'api-key': pair.body.apiKey as string, 'api-secret': pair.body.apiSecret as string }
  return { id, groups: given.groups ?? groups, headers, keyId: pair.body.keyID as string }
}
