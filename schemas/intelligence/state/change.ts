/**
 * What one record of the log changed of an entity, for all of its audiences: a record of the topic `entity.changes`
 * (ADR 271). The shape is what the Avro schema `change.avsc` decodes to. What of it a reader may be told follows from
 * the rows that this reader reads (`view-change.ts`).
 */

import { hash } from 'node:crypto'
import { OBSERVATIONS } from '../../log/topics.ts'
import type { Link, ObservationKind, SourceKind } from '../observations/observation.ts'
import type { FoldRules } from '../scoring/fold-rules.ts'
import type { Claim, HeldVerdict } from './entity-state.ts'

/** An attribute of a row and when it was stated, unix milliseconds. */
export type StatedAttribute = { value: string; time: number }

/** What a fold with other rows asks for of a claim. */
export type FoldedClaim = Pick<Claim, 'source' | 'kind' | 'trust' | 'reputation' | 'at'>

/** What a row of one audience shows, and what a fold with other rows follows from. Times are unix milliseconds. */
export type ShownRow = {
  reputation: number
  accuracy: number
  wellKnown: boolean
  covered: boolean
  /** Every report of it was taken back. */
  retracted: boolean
  /** Without claims, and `lastSeen` is of a match (ADR 219). */
  met: boolean
  /** Decides views that the row is part of; null: none (ADR 208). */
  verdict: HeldVerdict | null
  tags: readonly string[]
  country: string
  asn: number
  firstSeen: number
  lastSeen: number
  scoredAt: number
  /** Beside other rows: those of the attributes that the record states, and those that say where an address is. */
  attributes: Readonly<Record<string, StatedAttribute>>
  /** Beside other rows: all claims; none when the change is `wide`. */
  claims: readonly FoldedClaim[]
}

/** `same`: a row that the record left as it is. It stands here because readers fold it with one that changed. */
export type RowStep = 'created' | 'changed' | 'same'

export type ChangedRow = {
  /** Sorted groups that may read the row. */
  audience: readonly string[]
  step: RowStep
  after: ShownRow
  /** Of a changed row, what it was; null for the others. */
  before: ShownRow | null
  /** Whether an attribute of a changed row is another than before. */
  described: boolean
  /**
   * Whether a reader of this row alone is told of it, without the links: as if the entity had no other row, so that other
   * rows do not show in what it is told (decisions 2.4).
   */
  told: boolean
  /**
   * What the row showed under the scoring rules of before, when no record had touched it since these became others: a
   * reader none of whose rows was touched since does not know the present score yet (ADR 271). null: its readers know.
   */
  was: ShownScore | null
}

export type FoldedBy = { after: FoldRules; before: FoldRules | null }

export type ShownScore = Pick<ShownRow, 'reputation' | 'accuracy'>

export type Change = {
  /** UUID, the same when the change is sent again: consumers recognise repeated records by it. */
  id: string
  /** Of the observation behind it. */
  observationId: string
  /** What kind of record that is. */
  cause: ObservationKind
  entityId: string
  type: string
  /** The normalised main value. */
  value: string
  /** What kind of source made the observation. */
  sourceKind: SourceKind
  /** Time of the observation, unix milliseconds. */
  observedAt: number
  /** Where the observation stands in `entity.observations`. */
  partition: number
  offset: number
  /** Sorted groups that may read the observation, and so its links. */
  audience: readonly string[]
  /** All that the observation names, perhaps known ones, also of a repeat: the store knows which are new to a reader. */
  links: readonly Link[]
  /** Too many claims to carry: whoever folds several of these rows reads them where they are stored. */
  wide: boolean
  /**
   * The rules that folds of its rows follow from, by its place in the log, whatever is in force when it is read. null: one
   * row, or wide, or of an older release (ADR 271). `before`: of what rows were.
   */
  foldedBy: FoldedBy | null
  /** All rows of the entity, by the ids of their audiences; of records of older releases none (ADR 271). */
  rows: readonly ChangedRow[]
}

const TOPIC = hash('sha1', OBSERVATIONS, 'hex')

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')

const firstPart = (partition: number): string =>
  `00000000-${hex(partition, 4)}-8${TOPIC.slice(0, 3)}-8${TOPIC.slice(3, 6)}-`

/** The partition rarely differs from that of the record before. */
let latest = { partition: 0, text: firstPart(0) }

/**
 * The id of the change that the observation at this place gives. A UUID (version 8) with the place in it: every
 * observation needs one, and putting it together costs a fraction of a digest.
 */
export function changeId(partition: number, offset: number): string {
  if (latest.partition !== partition) latest = { partition, text: firstPart(partition) }
  return latest.text + hex(offset, 12)
}
