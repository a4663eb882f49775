import { definitions } from '../entities/catalogue.ts'
import { DATATYPES, type DataType } from '../entities/datatypes/table.ts'
import { earlierForm } from '../entities/earlier-forms.ts'
import { networkOfOne } from '../entities/named.ts'
import { normalise } from '../entities/normalise.ts'
import { detect } from './detect.ts'

/** One type for each datatype that a simple search also looks for in its normal form. */
const OTHER_FORMS = (Object.keys(DATATYPES) as DataType[])
  .filter((name) => DATATYPES[name].ownForm)
  .flatMap((name) => definitions().find(({ dataType }) => dataType === name)?.type ?? [])

/** Most forms of one query: its text, what it was detected as, that in the form of before (ADR 258), and one for each of the others. */
export const MAX_FORMS = 3 + OTHER_FORMS.length

/**
 * The distinct lower-cased forms under which a simple search query may stand among the terms of a record
 * (decisions 5.4), the text itself first; at most `MAX_FORMS`, none for a query that is blank or no possible value.
 */
export function searchForms(query: string): string[] {
  const text = normalise('text', query)
  if (typeof text !== 'string') return []
  const forms = new Set([text])
  const detected = detect(query)
  if (detected !== null) {
    forms.add(detected.value.toLowerCase())
    const earlier = earlierForm(detected.type, detected.value)
    if (earlier !== null) forms.add(earlier.toLowerCase())
    // An entity may have a network of one address as an attribute.
    if (detected.type === 'ip' && text.includes('/')) forms.add(networkOfOne(detected.value))
  }
  for (const type of OTHER_FORMS) {
    const value = normalise(type, query)
    if (typeof value === 'string') forms.add(value.toLowerCase())
  }
  return [...forms]
}
