/** What a value is and what it may have been meant to be, known or not (ADR 268). Pure: nothing is looked up. */

import { getDomain } from 'tldts'
import { normalise } from '../entities/normalise.ts'
import { detect } from './detect.ts'

export type Subject = { type: string; value: string }

/** Most names above a name, and most suggestions. */
const MAX_PARENTS = 8
const MAX_SUGGESTIONS = 5
/** Longest text that is read for slips, in UTF-16 code units. */
const MAX_SLIP = 253

/** What a text is, in its normal form; null for a text of no known form, and for one that its type refuses. */
export function subjectOf(raw: string): Subject | null {
  const found = detect(raw)
  if (found === null) return null
  const value = normalise(found.type, found.value)
  return typeof value === 'string' ? { type: found.type, value } : null
}

export const isName = ({ type }: Subject): boolean => type === 'domain' || type === 'hostname'

/** The names above a name, nearest first, up to its registrable domain: of `a.b.example.com`, b.example.com and example.com. */
export function parentsOf(name: string): Subject[] {
  const top = getDomain(name, { extractHostname: false, validateHostname: false, detectIp: false })
  if (top === null || top === name) return []
  const labels = name.slice(0, -top.length - 1).split('.')
  const above = labels.slice(1).map((_, i) => `${labels.slice(i + 1).join('.')}.${top}`)
  // The registrable one last, whatever is left out.
  return [
    ...above.slice(0, MAX_PARENTS - 1).map((value) => ({ type: 'hostname', value })),
    { type: 'domain', value: top },
  ]
}

/** What people do to a value in passing: a comma for a dot, a letter for a digit, a blank inside, a sentence around. */
const SLIPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/^["'`<([{]+|["'`>)\]},;:!?.]+$/g, ''),
  (text) => text.replace(/\s+/g, ''),
  (text) => text.replace(/\s*,\s*/g, '.'),
  (text) => text.replace(/\.{2,}/g, '.').replace(/^\.|\.$/g, ''),
  (text) => text.replace(/\s*(?:\(|\[|\{|<)?(?:dot|\.)(?:\)|\]|\}|>)?\s*/gi, '.'),
  (text) => (/^[\dolOIl.]+$/.test(text) ? text.replace(/[oO]/g, '0').replace(/[lI]/g, '1') : text),
  (text) => text.replace(/^h(?:tt?|xx?|t)p?(s?):?\/{1,3}/i, 'http$1://'),
  (text) => text.replace(/\\/g, '/'),
]

/** Values that a text of no known form is nearly, one or two slips away; at most five, none for one that has a form. */
export function nearForms(raw: string): Subject[] {
  const text = raw.trim()
  if (text === '' || text.length > MAX_SLIP || subjectOf(text) !== null) return []
  const once = SLIPS.map((mend) => mend(text))
  const found = new Map<string, Subject>()
  for (const mended of [...once, ...once.flatMap((part) => SLIPS.map((mend) => mend(part)))]) {
    const subject = mended === text ? null : subjectOf(mended)
    if (subject !== null) found.set(`${subject.type} ${subject.value}`, subject)
    if (found.size === MAX_SUGGESTIONS) break
  }
  return [...found.values()]
}

/** The beginning of a name that lacks its last label, such as `example`; null for anything else. */
export function nameWithoutEnd(raw: string): string | null {
  const text = raw.trim().toLowerCase()
  return /^[a-z0-9](?:[a-z0-9-]{2,61}[a-z0-9])$/.test(text) && subjectOf(text) === null ? text : null
}
