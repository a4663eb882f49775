import { useSyncExternalStore } from 'react'
import { api } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { type Credentials, credentials, subscribe } from '../api/session.ts'

export type Caller = paths['/auth/v2/user']['get']['responses'][200]['content']['application/json']
export type Role = Caller['roles'][number]

/** The display name of a caller. */
export const nameOf = ({ alias, fullName, email, administrator }: Caller): string =>
  alias || fullName || email || (administrator ? 'Administrator' : 'Unnamed account')

export const useCredentials = (): Credentials | null => useSyncExternalStore(subscribe, credentials)

export const useSignedIn = (): boolean => useCredentials() !== null

/** The signed-in caller: undefined while loading, null for anonymous callers. */
export function useCaller(): Caller | null | undefined {
  const signedIn = useSignedIn()
  const { data } = api.useQuery('get', '/auth/v2/user', {}, { enabled: signedIn, staleTime: 60_000 })
  return signedIn ? data : null
}

/** Whether the caller has `role`. The platform enforces it; the console only hides what the platform would refuse. */
export function useMay(role: Role): boolean {
  const caller = useCaller()
  return caller?.administrator === true || caller?.roles.includes(role) === true
}
