import { type Extraction, extractIndicators } from '../../../../../schemas/intelligence/extract/extract.ts'
import { isFreeText } from '../../../parts/indicators/free-text.ts'
import { recognise } from '../../../parts/indicators/recognise.ts'

/** Most values of one look-up (`POST /api/search/v1/entities/lookup`). */
export const MAX_VALUES = 10_000
/** Longest value of a look-up. */
const MAX_VALUE = 2_048
/** Longest text that is taken, in UTF-16 code units. */
export const MAX_PASTED = 1_000_000
/** A look-up is a body of at most 1 MiB. */
const MAX_BODY = 900_000

export type PastedInput =
  | { one: string }
  | {
      values: string[]
      /** Lines that were there already, were longer than a value may be, or came after the last that is taken. */
      left: { repeated: number; tooLong: number; tooMany: number }
    }
  /** Of a text that has indicators among other words. */
  | { extraction: Extraction }

/**
 * One value, or one on each line (or beside each other, where each is an indicator), or a text: a log, a mail, a report. A
 * text has a line that is no value itself and has indicators in it.
 */
export function readPasted(text: string): PastedInput {
  const used = text.slice(0, MAX_PASTED)
  const lines = used
    .split(/[\r\n]+/)
    .map(stripQuotes)
    .filter((line) => line !== '')
  const parts = lines.length === 1 ? splitLine(lines[0]!) : lines
  if (parts.some(isFreeText)) return { extraction: extractIndicators(used, { most: MAX_VALUES }) }
  return parts.length < 2 ? { one: parts[0] ?? '' } : uniqueValues(parts)
}

/** The characters that a list leaves around a value: quotes, commas, semicolons. */
const stripQuotes = (line: string): string =>
  line
    .trim()
    .replace(/^["'`]+|["'`]*[,;]*$|["'`]+$/g, '')
    .trim()

function splitLine(line: string): string[] {
  const parts =
    line.length > MAX_PASTED / 10
      ? [line]
      : line
          .split(/[\s,;]+/)
          .map(stripQuotes)
          .filter((part) => part !== '')
  return parts.length > 1 && parts.slice(0, MAX_VALUES).every((part) => recognise(part).kind !== 'text')
    ? parts
    : [line]
}

function uniqueValues(parts: readonly string[]): PastedInput {
  const values = new Set<string>()
  const left = { repeated: 0, tooLong: 0, tooMany: 0 }
  for (const part of parts) {
    if (part.length > MAX_VALUE) left.tooLong++
    else if (values.has(part)) left.repeated++
    else if (values.size === MAX_VALUES) left.tooMany++
    else values.add(part)
  }
  return values.size === 1 ? { one: [...values][0]! } : { values: [...values], left }
}

/** Values in bodies that the platform takes. */
export function lookupBodies(values: readonly string[]): string[][] {
  const all: string[][] = [[]]
  let size = 0
  const encoder = new TextEncoder()
  for (const value of values) {
    const bytes = encoder.encode(JSON.stringify(value)).length + 1
    if (size + bytes > MAX_BODY) {
      all.push([])
      size = 0
    }
    all.at(-1)!.push(value)
    size += bytes
  }
  return all
}
