/** A line as a report: checked and expanded exactly like the body of a single one (decisions 15.1). */

import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { type Expanded, expand, type Identifiers } from '../../../../schemas/intelligence/ingest/expand.ts'
import { EntityBody } from '../../../../schemas/intelligence/ingest/schema.ts'
import type { SubmittedEntity } from '../../../../schemas/intelligence/observations/observation.ts'
import { parseJson } from '../../../http/bodies/body.ts'
import { MAX_LINE_BYTES } from '../../../http/bodies/line-stream.ts'
import { ApiError, asApiError } from '../../../http/errors.ts'
import { bodyCheck } from '../../../http/validation.ts'
import { audienceOf, provenance } from '../report/submitter.ts'

export type ReadReport = Expanded | { ok: false; error: ApiError }

const check = bodyCheck(EntityBody)

/**
 * Observations of one line, or what a single report with this body would be refused with. Never throws.
 * @param now when it is observed, unix milliseconds
 */
export function readReport(bytes: Buffer, user: Identity, now: number, ids: Identifiers): ReadReport {
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
