/** Digests and CVE numbers, wherever they stand in a line. */

import { DIGESTS } from '../entities/datatypes/digest.ts'
import type { Emit } from './indicator.ts'

/** A CVE number that is no part of a longer word. */
const CVE = /(?<![a-z0-9])cve[-_]\d{4}[-_]\d{4,8}(?![a-z0-9])/gi

const isDigit = (code: number): boolean => code >= 48 && code <= 57
/** `code`: of a letter in either case. */
const isHexLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 102
const isWord = (code: number): boolean => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122)

/**
 * Reports the words of hexadecimal digits that are as long as a digest, with letters and digits among them. A word beside
 * a hyphen is a part of a UUID or of another number.
 */
export function takeDigests(line: string, emit: Emit): void {
  let start = 0
  let digits = 0
  let letters = 0
  let other = false
  for (let at = 0; at <= line.length; at++) {
    const code = at === line.length ? 32 : line.charCodeAt(at)
    if (isWord(code) || code === 45) {
      if (isDigit(code)) digits++
      else if (isHexLetter(code)) letters++
      else other = true
      continue
    }
    const type = other || digits === 0 || letters === 0 ? undefined : DIGESTS[at - start]
    if (type !== undefined) emit(type, line.slice(start, at).toLowerCase())
    start = at + 1
    digits = 0
    letters = 0
    other = false
  }
}

export function takeCves(line: string, emit: Emit): void {
  for (const [text] of line.matchAll(CVE)) emit('cve', text.toLowerCase().replaceAll('_', '-'))
}
