import { parse } from 'csv-parse/browser/esm/sync'
import { definitionOf } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import {
  type Extraction,
  extractIndicators,
  leftOutWords,
} from '../../../../../schemas/intelligence/extract/extract.ts'
import { isFreeText } from '../../../parts/indicators/free-text.ts'
import { type TypedValue, typedValueOf } from './typed-value.ts'

/** Bounds of the input; use `harrier feed import` for more. Bytes of UTF-8. */
export const MAX_LINES = 10_000
export const MAX_BYTES = 5_000_000

export type Format = 'lines' | 'csv' | 'jsonl' | 'text'

/** One line that something is said in. */
export type InputLine = {
  /** The number of the line in the input, from 1. */
  line: number
  /** The line as the user gave it; of a text the indicator. */
  text: string
  /** The line of a text that the indicator stands in. */
  within?: string
  /** The recognised value; null when the line holds none. */
  taken: TypedValue | null
  /** The other claims of the line: attributes, reputation, tags, associations. They override those for all lines. */
  own: Readonly<Record<string, unknown>>
  /** The reason why the line cannot be sent. */
  fault: string | null
}

export type ParsedInput = {
  format: Format
  rows: InputLine[]
  /** Lines that were left out as there are too many. */
  cut: number
  /** Of a text: what else was left out, and the same with each line as one value. */
  left?: string[]
  asLines?: ParsedInput
}

const VALUE_COLUMNS = ['value', 'indicator', 'ioc']
const OWN_COLUMNS = [...VALUE_COLUMNS, 'type', 'reputation', 'tags']

/**
 * Reads plain lines, CSV with a header or JSON lines, whichever the first line looks like, or the indicators of a text: of
 * lines with other words beside them, or of JSON lines that are no reports. Never throws.
 */
export function parseInput(text: string): ParsedInput {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const kept = lines.map((line, at) => ({ line: at + 1, text: line.trim() })).filter(({ text }) => isContent(text))
  const first = kept[0]?.text ?? ''
  if (first.startsWith('{')) {
    const read = firstLines(kept, (one) => jsonLine(one.line, one.text))
    return read.rows.every(({ fault }) => fault !== null) ? (freeText(text) ?? jsonl(read)) : jsonl(read)
  }
  const names = csvHeader(first)
  if (names !== null) return csvFile(text, names)
  const asLines: ParsedInput = { format: 'lines', ...firstLines(kept, ({ line, text }) => plainLine(line, text)) }
  const found = kept.some((one) => isFreeText(one.text)) ? freeText(text) : null
  return found === null ? asLines : { ...found, asLines }
}

const jsonl = (read: Pick<ParsedInput, 'rows' | 'cut'>): ParsedInput => ({ format: 'jsonl', ...read })

/** The indicators of a text, in the order in which they stand there; null when it has none. */
function freeText(text: string): ParsedInput | null {
  const { indicators, left }: Extraction = extractIndicators(text, { most: MAX_LINES })
  const rows = indicators.map(
    ({ type, value, lines, text: within }): InputLine => ({
      line: lines[0]!,
      text: value,
      within,
      taken: { type, value },
      own: {},
      fault: null,
    }),
  )
  return rows.length === 0 ? null : { format: 'text', rows, cut: 0, left: leftOutWords(left) }
}

const isContent = (text: string): boolean => text !== '' && !text.startsWith('#')

function firstLines<Given>(
  given: readonly Given[],
  read: (one: Given) => InputLine,
): { rows: InputLine[]; cut: number } {
  const rows = given.slice(0, MAX_LINES).map(read)
  return { rows, cut: given.length - rows.length }
}

const plainLine = (line: number, text: string): InputLine => ({
  line,
  text,
  taken: typedValueOf(text),
  own: {},
  fault: null,
})

type Header = { names: string[]; delimiter: string }

/** Names of the columns, when the line is a header that says where the values are. */
function csvHeader(line: string): Header | null {
  for (const delimiter of [',', ';', '\t']) {
    const names = line.split(delimiter).map((name) => name.trim().replaceAll('"', '').toLowerCase())
    const says = names.some((name) => VALUE_COLUMNS.includes(name)) || names.some(isType)
    if (names.length > 1 && says) return { names, delimiter }
  }
  return null
}

const isType = (name: string): boolean => definitionOf(name) !== undefined

function csvFile(text: string, { names, delimiter }: Header): ParsedInput {
  try {
    const records: { record: string[]; info: { lines: number } }[] = parse(text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      delimiter,
      info: true,
      from: 2,
      to: MAX_LINES + 1,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }) as never
    // Lines of quoted cells are not records: what is behind the last one that is taken is only estimated by lines.
    const last = records.at(-1)?.info.lines ?? 1
    const behind = records.length < MAX_LINES ? 0 : text.trimEnd().split('\n').length - last
    return {
      format: 'csv',
      rows: records.map(({ record, info }) => csvLine(info.lines, names, record)),
      cut: Math.max(0, behind),
    }
  } catch (cause) {
    const fault = `The CSV cannot be read: ${(cause as Error).message}`
    return { format: 'csv', rows: [{ line: 1, text: names.join(delimiter), taken: null, own: {}, fault }], cut: 0 }
  }
}

function csvLine(line: number, names: readonly string[], cells: readonly string[]): InputLine {
  const by = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  const given = VALUE_COLUMNS.map((name) => by[name]).find(Boolean) ?? ''
  const attributes = Object.fromEntries(
    names.filter((name) => isType(name) && !OWN_COLUMNS.includes(name) && by[name]).map((name) => [name, by[name]!]),
  )
  const [mainName] = Object.keys(attributes)
  const type = by.type?.toLowerCase() || (given === '' ? mainName : undefined)
  const value = given || (type === undefined ? '' : (attributes[type] ?? ''))
  const { [type ?? '']: _, ...others } = attributes
  const tags = (by.tags ?? '').split(/[,;|\s]+/).filter((tag) => tag !== '')
  const own = {
    ...(Object.keys(others).length > 0 ? { attributes: others } : {}),
    ...(by.reputation ? { reputation: Number(by.reputation) } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  }
  const taken = type ? { type, value } : typedValueOf(value)
  return { line, text: value || cells.join(', '), taken, own, fault: value === '' ? 'The line has no value.' : null }
}

function jsonLine(line: number, text: string): InputLine {
  const wrong = (fault: string): InputLine => ({ line, text, taken: null, own: {}, fault })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    return wrong(`Not valid JSON: ${(cause as Error).message}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong('Not a JSON object.')
  const { type, value, indicator, attributes = {}, ...own } = parsed as Record<string, unknown>
  if (typeof attributes !== 'object' || attributes === null) return wrong('The member attributes is not an object.')
  const main = typeof type === 'string' ? (attributes as Record<string, unknown>)[type] : undefined
  const bare = [main, value, indicator].find((one) => typeof one === 'string' || typeof one === 'number')
  if (bare === undefined) return wrong('No value: add the member value, or an attribute that is named like the type.')
  const taken = typeof type === 'string' ? { type, value: String(bare) } : typedValueOf(String(bare))
  const { [String(type)]: _, ...others } = attributes as Record<string, unknown>
  return {
    line,
    text: String(bare),
    taken,
    fault: null,
    own: { ...own, ...(Object.keys(others).length > 0 ? { attributes: others } : {}) },
  }
}
