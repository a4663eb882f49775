/** Headers of conditions and ranges as RFC 9110 means them where the package `send` reads them otherwise. */

type Conditions = { 'if-match'?: string; 'if-range'?: string; range?: string }

/** No file has this tag. */
const NEVER = '""'

const SPEC = /^\s*(\d*)\s*-\s*(\d*)\s*$/

/**
 * The same conditions with what only these rules say made plain: weak tags never match where a strong one is asked for
 * (13.1.1, 13.1.5), a suffix that is longer than the file is all of it, and a range that ends before it begins is none
 * (14.1.2).
 * @param size of the file, in bytes
 */
export function strictConditions(
  { 'if-match': match, 'if-range': ifRange, range }: Conditions,
  size: number,
): Conditions {
  const strict: Conditions = {}
  if (match !== undefined) strict['if-match'] = strongTags(match)
  if (range === undefined || ifRange?.trimStart().startsWith('W/')) return strict
  const whole = wholeRange(range, size)
  if (whole === null) return strict
  strict.range = whole
  if (ifRange !== undefined) strict['if-range'] = ifRange
  return strict
}

/** Tags have no commas of ours in them: they are digests. */
function strongTags(match: string): string {
  const strong = match.split(',').filter((tag) => !tag.trim().startsWith('W/'))
  return strong.length === 0 ? NEVER : strong.join(',')
}

/** null: it is no range, and to be ignored. Other units are left as they are. */
function wholeRange(range: string, size: number): string | null {
  const [unit, specs] = range.split('=', 2)
  if (unit?.trim().toLowerCase() !== 'bytes' || specs === undefined) return range
  const read = specs.split(',').map((spec): string | null => {
    const [, first, last] = SPEC.exec(spec) ?? []
    if (first === undefined || last === undefined || (first === '' && last === '')) return null
    if (first === '') return Number(last) > size && size > 0 ? '0-' : `-${last}`
    return last !== '' && Number(first) > Number(last) ? null : `${first}-${last}`
  })
  return read.includes(null) ? null : `bytes=${read.join(',')}`
}
