/** Matches: telemetry met an indicator (decisions 14.3). The shapes are what the Avro schema of match.events decodes to. */

/** `forward`: the event met an indicator that was there; `retro`: an indicator came that the ledger had met before. */
export type MatchDirection = 'forward' | 'retro'

/** The entity as its reader was shown it when the match was told. */
export type MatchedEntity = {
  id: string
  type: string
  value: string
  /** -3 to 3. */
  reputation: number
  /** 0 to 3. */
  accuracy: number
  tags: readonly string[]
}

/** The event, or the events of one row of the ledger; times are unix milliseconds. */
export type MatchedEvent = {
  /** null where the match stands for several. */
  id: string | null
  /** Of the first one. */
  at: number
  /** Of the last one of several. */
  lastAt: number | null
  count: number
  kind: string | null
  host: string | null
  user: string | null
  field: string
  /** In normal form; empty in a summary. */
  value: string
  refs: readonly string[]
}

export type Match = {
  /** UUID; follows from the owner, the event or the row of the ledger, and the entity. */
  id: string
  direction: MatchDirection
  /** Many matches of one entity and field in one second, told as one (decisions 14.6). */
  summary: boolean
  /** Of the event, the last one of several. */
  at: number
  matchedAt: number
  event: MatchedEvent
  entity: MatchedEntity
}

/** `restored`: it is not withdrawn any more. */
export type MatchStep = 'told' | 'withdrawn' | 'restored'

/** A record of match.events. */
export type MatchRecord = Match & {
  step: MatchStep
  stepAt: number
  /** `customer:<UUID>` or `user:<UUID>`: whose telemetry it is. */
  owner: string
  /** Its reader is somebody of the owner in all of these groups. */
  groups: readonly string[]
  withdrawnAt: number | null
  /** Why the indicator left: a reason of a change, or `selector` or `groups` of the settings. */
  withdrawnReason: string | null
}
