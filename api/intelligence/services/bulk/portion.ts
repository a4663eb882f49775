/** What is made of the lines of a portion: answers, and records for the log. */

import type { OutgoingMessage } from '../../../../connectors/log/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { type Expanded, expand, type Identifiers } from '../../../../schemas/intelligence/ingest/expand.ts'
import { EntityBody } from '../../../../schemas/intelligence/ingest/schema.ts'
import type { Observation, SubmittedEntity } from '../../../../schemas/intelligence/observations/observation.ts'
import { parseJson } from '../../../http/bodies/body.ts'
import { MAX_LINE_BYTES } from '../../../http/bodies/line-stream.ts'
import { ApiError, asApiError, lineError } from '../../../http/errors.ts'
import { bodyCheck } from '../../../http/validation.ts'
import { audienceOf, provenance } from '../report/submitter.ts'
import { LIMIT_OF_LINES } from './line-codes.ts'
import type { LinePlaces } from './line-places.ts'

/**
 * Turns of the event loop for work that is cut into slices (ADR 273). Resolves when the caller has the next slice. Of all that share the turns, one has a slice between two rounds of the event
 * loop: however many bodies there are, other requests wait for one slice only.
 */
export function newTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const next = (): void => {
    waiting.shift()!()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}

type ReadReport = Expanded | { ok: false; error: ApiError }

const check = bodyCheck(EntityBody)

/**
 * Observations of one line, or what a single report with this body would be refused with: it is checked and expanded
 * exactly like one (decisions 15.1). Never throws.
 * @param now when it is observed, unix milliseconds
 */
function readReport(bytes: Buffer, user: Identity, now: number, ids: Identifiers): ReadReport {
  // Nobody is shown where a line was refused, and the stack costs more than all of the rest.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    if (bytes.length > MAX_LINE_BYTES) throw new ApiError('body_too_large')
    const entity = check(parseJson(bytes)) as SubmittedEntity
    const from = provenance(user, 'report', audienceOf(user, entity.visibleBy), now)
    const expanded = expand(entity, from, ids)
    if (expanded.ok) return expanded
    const { message, param } = expanded
    return { ok: false, error: new ApiError('invalid_parameter', { message, param }) }
  } catch (thrown) {
    return { ok: false, error: asApiError(thrown) }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

export type Portion = {
  /** Lines of NDJSON, in order. */
  answers: string
  messages: OutgoingMessage[]
  accepted: number
  rejected: number
}

export type PortionRules = {
  user: Identity
  /** When its lines are observed, unix milliseconds. */
  observedAt: number
  /** Ids of the observations of a line. */
  idsOf(line: number): Identifiers
  /** Whether there is no unit of the limit for a line. */
  isLimited(line: number): boolean
  /** Whether an observation is in the log already, by its id; null: none is, and no record is to be made of any. */
  isDurable: ((id: string) => boolean) | null
  /** An observation as it crosses the log. */
  encode: (observation: Observation) => Buffer
}

/** Lines that are read before other requests have their turn: some milliseconds. */
const SLICE = 128
/** Of a process, for the same reason. */
const turn = newTurns()

const LIMITED = JSON.stringify({ code: LIMIT_OF_LINES, message: 'rate limit exceeded' })

/** An answer that is an error: `{"line", "error": {"code", "message", "param"}}`. */
export const errorLine = (line: number, error: object): string => `${JSON.stringify({ line, error })}\n`

/** Reads the lines of a portion, one by one. A bad one refuses itself alone. */
export async function makePortion(bytes: Buffer, { places }: LinePlaces, rules: PortionRules): Promise<Portion> {
  const { user, observedAt, idsOf, isLimited, isDurable, encode } = rules
  const made: Portion = { answers: '', messages: [], accepted: 0, rejected: 0 }
  for (let at = 0; at < places.length; at += 3) {
    if (at % (SLICE * 3) === 0) await turn()
    const line = places[at]!
    if (isLimited(line)) {
      made.answers += `{"line":${line},"error":${LIMITED}}\n`
      made.rejected++
      continue
    }
    const read = readReport(bytes.subarray(places[at + 1]!, places[at + 2]!), user, observedAt, idsOf(line))
    if (!read.ok) {
      made.answers += errorLine(line, lineError(read.error))
      made.rejected++
      continue
    }
    // No id of an entity holds a character that JSON escapes.
    made.answers += `{"line":${line},"id":"${read.entityId}"}\n`
    made.accepted++
    if (isDurable === null) continue
    for (const observation of read.observations) {
      if (isDurable(observation.id)) continue
      const { entityId: key } = observation
      made.messages.push({ key, value: encode(observation), timestamp: observedAt, checked: true })
    }
  }
  return made
}
