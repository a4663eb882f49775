import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useCaller, useMay } from '../../../session/caller.ts'
import type { Item } from '../feed.ts'
import type { States, TriageChange } from './states.ts'

const KEY = 'triage-states'
const EVERY_MS = 15_000
const MAX_IDS = 500
const NONE: States = new Map()

/** What the team noted of these entities, asked for anew every 15 s: colleagues work on the same list. */
export function useTriage(ids: readonly string[]) {
  const enabled = useMay('user')
  const me = useCaller()?.userID
  const queries = useQueryClient()
  const asked = [...ids].sort().slice(0, MAX_IDS)
  const answer = useQuery({
    queryKey: [KEY, me, asked],
    queryFn: async ({ signal }): Promise<States> => {
      const { data } = await client.POST('/api/casework/v1/triage/states', { body: { ids: asked }, signal })
      return new Map(data!.items.map((state) => [state.entityID, state]))
    },
    enabled: enabled && asked.length > 0,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  })
  return {
    /** Whether the caller may note anything. */
    enabled,
    /** Id of the caller. */
    me,
    states: enabled ? (answer.data ?? NONE) : NONE,
    error: answer.error,
    /** Notes the same of all these entities, with the reputations that are on the screen. */
    change: async (items: readonly Pick<Item, 'id' | 'reputation'>[], change: TriageChange): Promise<void> => {
      const entities = items.map(({ id, reputation }) => ({ id, reputation }))
      await client.POST('/api/casework/v1/triage', { body: { ...change, entities } })
      await queries.invalidateQueries({ queryKey: [KEY] })
    },
  }
}

export type TriageWork = ReturnType<typeof useTriage>
