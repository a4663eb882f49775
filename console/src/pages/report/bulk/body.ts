import type { Claim } from '../draft.ts'
import type { InputLine } from './read.ts'

export const NOT_RECOGNISED = 'The type was not recognised. Choose a type for all lines.'

/** The body of a line; the claims for all lines fill what the line leaves out. A text: the reason why there is none. */
export function bodyOfLine(row: InputLine, type: string | null, claim: Claim): Record<string, unknown> | string {
  if (row.fault !== null) return row.fault
  const taken = type === null ? row.taken : { type, value: row.taken?.type === type ? row.taken.value : row.text }
  if (taken === null) return NOT_RECOGNISED
  const { attributes = {}, ...own } = row.own as { attributes?: Record<string, unknown> }
  return {
    type: taken.type,
    attributes: { [taken.type]: taken.value, ...attributes },
    ...(claim.reputation === null ? {} : { reputation: claim.reputation }),
    ...(claim.tags.length === 0 ? {} : { tags: claim.tags }),
    ...(claim.visibleBy.length === 0 ? {} : { visibleBy: claim.visibleBy }),
    ...own,
  }
}
