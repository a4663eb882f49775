import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import type { MatchedEntity } from '../../../schemas/match/match.ts'
import type { PossibleReader } from '../../processors/match/columns/event-part.ts'
import { type Indicators, indicators } from '../../processors/match/indicators.ts'
import type { KnownIds } from '../../processors/match/known-ids.ts'
import type { KnownOwners } from '../../processors/match/known-owners.ts'
import { type PresentViews, presentViews } from '../../processors/match/views.ts'
import type { MatchOptions, MatchPorts } from './ports.ts'

/** Versions are unix milliseconds and a number below this: one rises with each write, whoever writes. */
const VERSIONS_A_MS = 1_000n

/** An owner and entities, of whose matches the log may have been told something else than is stored. */
export type Telling = { owner: string; entityIds: readonly string[] }

/** What the turns of the job share. */
export type MatchContext = {
  ports: MatchPorts
  options: MatchOptions
  owners: KnownOwners
  /** Which ids of events may be known; null until somebody sends some. */
  ids: KnownIds | null
  /** Reads the events that an indicator may match. */
  readPossible: PossibleReader
  /** What may be an indicator, and by what it was read from the store. */
  index: { indicators: Indicators; bound: number; generation: string }
  /** By partition of the changes and of the observations, the offset below which every change was looked at. */
  applied: Map<string, number>
  /** Of which matches the log is being told that they are withdrawn or restored; null: of none. */
  telling: Telling | null
  /** Above all before it. */
  newVersion: () => bigint
}

/** An index before it is read. */
export const noIndex = (bound: number): MatchContext['index'] => ({ indicators: indicators(), bound, generation: '' })

/** @param last the highest version that is stored */
export function versions(now: () => number, last: bigint): () => bigint {
  let version = last
  return () => {
    const least = BigInt(now()) * VERSIONS_A_MS
    version = version < least ? least : version + 1n
    return version
  }
}

/** Present rows of these entities, as any reader is shown them. */
export async function presentOf({ ports }: MatchContext, entityIds: readonly string[]): Promise<PresentViews> {
  const { rows, rules, indicators } = await ports.live()
  if (entityIds.length === 0) return presentViews([], [], new Map(), rules)
  const { lone, several } = await indicators.present(entityIds)
  const folded = several.length === 0 ? [] : await rows.rowsOf(several)
  const audiences = new Set([...lone, ...folded].map(({ audience }) => audience))
  return presentViews(lone, folded, await rows.groupsOf([...audiences]), rules)
}

/** As a match tells it. */
export const matchedEntity = (id: string, view: ChangedView): MatchedEntity => ({
  id,
  type: view.type,
  value: view.value,
  reputation: view.reputation,
  accuracy: view.accuracy,
  tags: view.tags,
})
