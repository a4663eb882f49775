/**
 * What one observation changed of an entity for the readers of one audience: a record of the topic `entity.changes`
 * (ADR 116). The shape is what the Avro schema beside this file decodes to.
 */

import { hash } from 'node:crypto'
import { OBSERVATIONS } from '../../log/topics.ts'
import type { Link, SourceKind } from '../observations/observation.ts'

/**
 * `created`: the first report of the entity for this audience. `scored`: reputation or accuracy changed.
 * `marked`: it is well known, or covered, from now on. `linked`: a report has links of it, perhaps known ones.
 */
export type ChangeKind = 'created' | 'scored' | 'marked' | 'linked'

export type Mark = 'well_known' | 'covered'

export type Change = {
  /** UUID, the same when the change is sent again: consumers recognise repeated records by it. */
  id: string
  kind: ChangeKind
  entityId: string
  type: string
  /** The normalised main value. */
  value: string
  /** Sorted groups that may read the change. */
  audience: readonly string[]
  /** What this audience is shown from now on. */
  reputation: number
  accuracy: number
  /** Of `scored`; null for the others. */
  previousReputation: number | null
  /** Of the observation, for `created` and `scored`; none when the observation is of another audience. */
  tags: readonly string[]
  /** Of `linked`: all that the observation names; empty for the others. */
  links: readonly Link[]
  /** Of `marked`; null for the others. */
  mark: Mark | null
  /** What kind of source made the observation. */
  sourceKind: SourceKind
  /** Time of the observation, unix milliseconds. */
  observedAt: number
  /** Where the observation stands in `entity.observations`. */
  partition: number
  offset: number
}

const TOPIC = hash('sha1', OBSERVATIONS, 'hex')

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0')

const firstPart = (partition: number, n: number): string =>
  `${hex(n, 8)}-${hex(partition, 4)}-8${TOPIC.slice(0, 3)}-8${TOPIC.slice(3, 6)}-`

/** Most records give one change, and the partition rarely differs from that of the record before. */
let latest = { partition: 0, text: firstPart(0, 0) }

/**
 * The id of the `n`-th change that the observation at this place gives. A UUID (version 8) with the place in it: every
 * observation needs at least one, and putting it together costs a fraction of a digest.
 */
export function changeId(partition: number, offset: number, n: number): string {
  if (n > 0) return firstPart(partition, n) + hex(offset, 12)
  if (latest.partition !== partition) latest = { partition, text: firstPart(partition, 0) }
  return latest.text + hex(offset, 12)
}
