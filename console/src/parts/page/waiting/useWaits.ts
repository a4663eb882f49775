import { useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../session/caller.ts'
import { type Wait, waitsOf } from './waits.ts'

const EVERY_MS = 30_000
/** The list of feeds counts against the limit of its caller. */
const FEEDS_EVERY_MS = 60_000

/** A key that may not ask is not asked for again and again: each refusal is written to the audit log. */
const unlessRefused =
  (every: number) =>
  ({ state }: { state: { error: unknown } }): number | false =>
    state.error === null ? every : false

/** What waits for the caller, by the address of the entry that it is shown at. Asked by those who have the right alone. */
export function useWaits(): ReadonlyMap<string, Wait> {
  const operates = useMay('auth_admin')
  const uses = useMay('user')
  const polled = { retry: false, staleTime: EVERY_MS } as const
  const { data: waiting } = api.useQuery(
    'get',
    '/api/admin/v1/waiting',
    {},
    { ...polled, enabled: operates, refetchInterval: unlessRefused(EVERY_MS) },
  )
  const { data: feeds } = api.useQuery(
    'get',
    '/api/feeds/v1/feeds',
    {},
    { ...polled, enabled: uses, refetchInterval: unlessRefused(FEEDS_EVERY_MS) },
  )
  return useMemo(() => {
    const held = uses ? (feeds?.items.filter(({ state }) => state === 'held').length ?? 0) : 0
    return waitsOf((operates ? waiting : null) ?? null, held)
  }, [waiting, feeds, operates, uses])
}
