import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../../api/client.ts'
import { pause } from '../../../parts/time/pause.ts'
import type { Details } from '../answers.ts'

/** The acknowledged action, and whether the entity shows it yet. */
export type ActionState = { what: string; state: 'waiting' | 'shown' | 'late' }

/** Pauses between polls; 20 s in all. */
const PAUSES_MS = [300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 6_000]
const AGAIN_MS = 2_000

/**
 * Every acknowledged action changes the last sighting of its entity, or its mark. Polls until one of them is another, then
 * fetches every query about the entity again.
 */
export function useActionStatus({ id, lastSeen, wellKnown }: Pick<Details, 'id' | 'lastSeen' | 'wellKnown'>) {
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
      if (now?.data === undefined) continue
      if (now.data.lastSeen === lastSeen && now.data.wellKnown === wellKnown) continue
      await renew()
      setStatus({ what, state: 'shown' })
      // The change may have come from a report of another user; this action may still be on its way.
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
