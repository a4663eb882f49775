/** Which names a name may be a misspelling of (ADR 268). Pure: nothing is looked up. */

import { getDomainWithoutSuffix } from 'tldts'

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-']
/** Longer labels have more neighbours than one query may ask for: 75 for each letter. */
const MAX_LABEL = 24
/** Between `xn--` and the end each letter stands for a place, so no single slip leads to another name of people. */
const ENCODED = /^..--/
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/**
 * The registrable domains that are one slip of the keyboard away from a registrable domain: a letter too many, too few,
 * another one, or two that changed places. The end (`.com`, `.co.uk`) stays. Some 1,000 for a name of usual length, none
 * for a label over 24 letters and for an encoded one.
 */
export function namesOneSlipAway(domain: string): string[] {
  const label = getDomainWithoutSuffix(domain, { extractHostname: false, validateHostname: false, detectIp: false })
  if (label === null || label === '' || label.length > MAX_LABEL || ENCODED.test(label) || !LABEL.test(label)) return []
  const end = domain.slice(label.length)
  const near = new Set<string>()
  for (let i = 0; i <= label.length; i++) {
    const [before, from, after] = [label.slice(0, i), label.slice(i), label.slice(i + 1)]
    if (i < label.length) near.add(before + after)
    if (after !== '') near.add(before + after[0] + from[0] + after.slice(1))
    for (const letter of LETTERS) {
      near.add(before + letter + from)
      if (i < label.length) near.add(before + letter + after)
    }
  }
  near.delete(label)
  return [...near].filter((one) => LABEL.test(one) && !ENCODED.test(one)).map((one) => one + end)
}
