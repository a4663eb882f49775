/** The zone that a listener answers for, as it is typed. */

/**
 * Longest zone, in characters. Below it an IPv6 address needs 64 more, of 253; and the longest negative answer, with its
 * question and its SOA, then still fits into 512 bytes.
 */
const MAX_ZONE = 150
const MAX_LABEL = 63

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/

/**
 * The zone in its normal form: lower case, without a dot at its end (decisions 19.2).
 * @throws Error for what is no name of a zone, with what is wrong with it
 */
export function readZone(text: string): string {
  const zone = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase()
  const refuse = (why: string): never => {
    throw new Error(`${JSON.stringify(text.slice(0, 300))} is no zone: ${why}`)
  }
  if (zone === '') return refuse('it must have a name, such as bl.example.org')
  if (zone.length > MAX_ZONE) return refuse(`it must have at most ${MAX_ZONE} characters`)
  for (const label of zone.split('.')) {
    if (label === '') return refuse('it has an empty label')
    if (label.length > MAX_LABEL) return refuse(`a label must have at most ${MAX_LABEL} characters`)
    if (/[^\p{ASCII}]/u.test(label)) return refuse('letters beyond ASCII must be in their xn-- form')
    if (!LABEL.test(label))
      return refuse('a label must have letters, digits, hyphens and underscores, with no hyphen at its ends')
  }
  return zone
}
