/** The indicators of any text: logs, mails, reports, tables, JSON lines (ADR 268). */

import {
  type Indicator,
  type LeftOut,
  MAX_INDICATORS,
  MAX_LINE,
  MAX_LINE_KEPT,
  MAX_LINES_KEPT,
  MAX_VALUE,
} from './indicator.ts'
import { takeLine } from './line.ts'

export type Extraction = {
  /** In the order in which they first stand in the text. */
  indicators: Indicator[]
  left: LeftOut
  /** Lines that were read. */
  lines: number
}

export type Extractor = {
  /** Reads the next line, without its end. */
  line(text: string): void
  found(): Extraction
}

/**
 * Takes a text line by line. Memory is by the indicators, of which it keeps `most`; time by the length of the lines,
 * whatever they are made of. Never throws.
 */
export function extractor({ most = MAX_INDICATORS }: { most?: number } = {}): Extractor {
  const known = new Map<string, Indicator>()
  const left: LeftOut = { notPublic: 0, tooLong: 0, tooMany: 0, cutLines: 0 }
  let lines = 0
  let current = ''

  function emit(type: string, value: string): void {
    const key = `${type} ${value}`
    const before = known.get(key)
    if (before !== undefined) {
      before.count++
      if (before.lines.length < MAX_LINES_KEPT && before.lines.at(-1) !== lines) before.lines.push(lines)
    } else if (value.length > MAX_VALUE) left.tooLong++
    else if (known.size >= most) left.tooMany++
    else {
      const text = kept(current.trim().slice(0, MAX_LINE_KEPT))
      known.set(kept(key), { type, value: kept(value), lines: [lines], count: 1, text })
    }
  }

  return {
    line(text) {
      lines++
      if (text.length > MAX_LINE) left.cutLines++
      current = text.slice(0, MAX_LINE)
      takeLine(current, { emit, left })
    },
    found: () => ({ indicators: [...known.values()], left, lines }),
  }
}

/** A text of its own: a part of a string keeps the whole of it in memory. */
const kept = (text: string): string => text.split('').join('')

/** All of a text at once. */
export function extractIndicators(text: string, options: { most?: number } = {}): Extraction {
  const reading = extractor(options)
  let start = 0
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    reading.line(text.slice(start, index))
    start = index + end.length
  }
  if (start < text.length) reading.line(text.slice(start))
  return reading.found()
}

/** What was left out, as words of a sentence: `3 addresses that are not public`; empty when nothing was. */
export function leftOutWords({ notPublic, tooLong, tooMany, cutLines }: LeftOut): string[] {
  const counted = (count: number, one: string, many: string): string[] =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`]
  return [
    ...counted(notPublic, 'address that is not public', 'addresses that are not public'),
    ...counted(tooLong, 'value that is too long', 'values that are too long'),
    ...counted(tooMany, 'indicator after the last that has room', 'indicators after the last that has room'),
    ...counted(cutLines, 'line after its first million characters', 'lines after their first million characters'),
  ]
}
