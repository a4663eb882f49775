import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../api/client.ts'

/** What was acknowledged, and whether the entity shows it by now. */
export type ActionState = { what: string; state: 'waiting' | 'shown' | 'late' }

/** Between looks; 20 s in all. */
const PAUSES_MS = [300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 6_000]
const AGAIN_MS = 2_000
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Whatever is acknowledged of an entity moves its last sighting. Looks until that has moved on from `lastSeen`, and then
 * renews all that is shown of the entity.
 */
export function useActionStatus(id: string, lastSeen: string) {
  const [status, setStatus] = useState<ActionState | null>(null)
  const here = useRef(true)
  const queries = useQueryClient()
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const renew = () => queries.invalidateQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(id) })

  async function acknowledged(what: string): Promise<void> {
    setStatus({ what, state: 'waiting' })
    for (const ms of PAUSES_MS) {
      await pause(ms)
      if (!here.current) return
      const path = '/api/analytics/v1/entity/{id}/details'
      const now = await client.GET(path, { params: { path: { id } } }).catch(() => null)
      if (now?.data === undefined || now.data.lastSeen === lastSeen) continue
      await renew()
      setStatus({ what, state: 'shown' })
      // Somebody else's report may have been the one that came first.
      await pause(AGAIN_MS)
      return here.current ? renew() : undefined
    }
    setStatus({ what, state: 'late' })
  }

  return {
    status: status,
    forget: () => setStatus(null),
    renew,
    acknowledged: (what: string) => void acknowledged(what),
  }
}
