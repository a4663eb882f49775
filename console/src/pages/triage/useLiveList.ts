import { useState } from 'react'
import type { ChangeEvent } from '../../parts/live/events.ts'
import { useBatched } from '../../parts/live/useBatched.ts'
import { useLive } from '../../parts/live/useLive.ts'
import { type ListQuery, type LiveUpdates, withChanges } from './live-list.ts'

const NOTHING: LiveUpdates = new Map()
/** The list is filtered here: what leaves it has to be told too. */
const EVERYTHING = {}

/** What was told of entities since the list was read. `onGap`: something was missed. */
export function useLiveList(on: boolean, paused: boolean, query: ListQuery, onGap: () => void) {
  const of = `${on} ${query.hours} ${query.malicious}`
  const [kept, setKept] = useState({ of, updates: NOTHING })
  const take = useBatched<ChangeEvent>((changes) =>
    setKept((before) => ({
      of,
      updates: withChanges(before.of === of ? before.updates : NOTHING, changes, query, Date.now()),
    })),
  )
  const live = useLive(on, paused, EVERYTHING, { onChange: take, onGap })
  return { live, updates: on && kept.of === of ? kept.updates : NOTHING }
}
