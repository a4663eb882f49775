import type { ObservationStore, Reported, RetractionStore } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { RetractPlace, RetractResult } from '../../connectors/operations/retractions/port.ts'
import type { Observation, Undescribed } from '../../schemas/intelligence/observations/observation.ts'
import type { Claim, EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import type { TimeWindow } from './retraction-record.ts'

export type RetractPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'committed'>
  store: RetractionStore & Pick<ObservationStore, 'rowsOf' | 'groupsOf'>
  encode: (observation: Observation) => Buffer
}

/** For how long the jobs are waited for, in milliseconds: without any progress, and for one page at most. */
export type Patience = { stalledMs: number; mostMs: number }

/** Of a page. */
export type PageOptions = TimeWindow & {
  source: string
  /** Of these entities alone, 2,000 at most; absent: of all. */
  entityIds?: readonly string[]
  reason: string | null
  dryRun: boolean
  /** A repeat refreshes a claim for this long after the record that it repeats, and leaves none itself. */
  dedupeWindow: number
  patience: Patience
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

export type RetractOptions = PageOptions & { onProgress: (done: RetractResult) => void }

export const NOTHING_DONE: RetractResult = { found: 0, retracted: 0, refused: 0, before: 0, changed: 0, left: 0 }

export const FROM_THE_START: RetractPlace = { entityId: '', audience: 0n }

/** What of a pair is to be taken back; `claim` and `described` null: nothing of that. */
export type PendingRetraction = {
  reported: Reported
  claim: Claim | null
  described: Undescribed | null
  row: EntityState
}

/** The pair as a key. */
export const place = ({ entityId, audience }: RetractPlace): string => `${entityId} ${audience}`

export const idsOf = (of: readonly { entityId: string }[]): string[] => [...new Set(of.map(({ entityId }) => entityId))]
