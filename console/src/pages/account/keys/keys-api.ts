/** The routes of key pairs with what narrows them (decisions 16.1), as this page asks them. */

import type { Scope } from '../../../../../schemas/accounts/scopes.ts'
import { client } from '../../../api/client.ts'

/** null: not narrowed. */
export type Bounds = { scopes: Scope[] | null; groups: string[] | null; networks: string[] | null }

/** Times are unix seconds. */
export type KeyPair = Bounds & {
  keyID: string
  keyName: string
  apiKey: string
  verified: boolean
  createdAt: number
  expireAt: number | null
  /** null: there is none, or it has ended. */
  previousSecretUntil: number | null
}

/** What is left out is not narrowed, or stays as it is. */
type Narrowing = { scopes?: Scope[]; groups?: string[]; networks?: string[] }
export type NewKey = Narrowing & { name: string; days: number }
export type KeyChange = Narrowing & { name?: string; expireAt?: number }

export type CreatedPair = {
  keyID: string
  keyName: string
  apiKey: string
  apiSecret: string
  expireAt: number
  verified: boolean
  verificationCodeID: string | null
}

export type RotatedPair = { keyID: string; apiKey: string; apiSecret: string; previousSecretUntil: number | null }

export async function listKeys(): Promise<KeyPair[]> {
  return (await client.GET('/auth/v2/keypairs')).data!.keys
}

export async function createKey(body: NewKey): Promise<CreatedPair> {
  return (await client.POST('/auth/v2/keypair', { body })).data!
}

export async function narrowKey(id: string, body: KeyChange): Promise<void> {
  await client.PATCH('/auth/v2/keypair/{id}', { params: { path: { id } }, body })
}

/** `grace`: seconds for which the old secret works on. */
export async function rotateKey(id: string, grace: number): Promise<RotatedPair> {
  const params = { path: { id } }
  return (await client.POST('/auth/v2/keypair/{id}/rotate', { params, body: { grace } })).data!
}
