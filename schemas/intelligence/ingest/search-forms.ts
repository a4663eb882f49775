import { normalise } from '../entities/normalise.ts'
import { detect } from './detect.ts'

/** Types whose normal form differs from its lower-cased text and that `detect` does not tell by form. */
const OTHER_FORMS = ['mac-address', 'phone', 'breach', 'certificate-fingerprint', 'country'] as const

/** Most forms of one query: its text, what it was detected as, and one for each of the others. */
export const MAX_FORMS = 2 + OTHER_FORMS.length

/**
 * The distinct lower-cased forms under which a simple search query may stand among the terms of a record (decisions
 * 5.4), the text itself first; at most `MAX_FORMS`, none for a query that is blank or no possible value.
 */
export function searchForms(query: string): string[] {
  const text = normalise('text', query)
  if (typeof text !== 'string') return []
  const forms = new Set([text])
  const found = detect(query)
  if (found !== null) forms.add(found.value.toLowerCase())
  for (const type of OTHER_FORMS) {
    const value = normalise(type, query)
    if (typeof value === 'string') forms.add(value.toLowerCase())
  }
  return [...forms]
}
