import { type CsvSigns, csvRows, tsvCells } from './csv.ts'
import { lineReader, MAX_LINE } from './line-reader.ts'
import { type ParseRow, rowReader } from './parse/columns.ts'
import { readDocument } from './parse/document.ts'
import { type FeedItem, type FeedOptions, rejected } from './parse/item.ts'
import { type ParseLine, plainList } from './parse/lines.ts'
import { mispEvents } from './parse/misp/event.ts'
import { readStix } from './parse/stix/bundle.ts'
import type { Lost } from './parse/stix/loss/lost.ts'
import { warningList } from './parse/warninglist.ts'
import { decodeText, unpack } from './unpack.ts'

export const FORMATS = ['lines', 'csv', 'tsv', 'misp', 'stix', 'warninglist'] as const
export type Format = (typeof FORMATS)[number]

export type ParseOptions = FeedOptions & {
  format: Format
  /** Of `csv` and `tsv`: what each column is; see `rowReader`. */
  columns: string
  /** Whether a name may stand in `columns`. */
  isAttribute: (name: string) => boolean
  /** Of `csv` and `tsv`: the first row is a heading. */
  header: boolean
  /** Of `csv`, where the signs are others than `,`, `"` and `#`. */
  signs?: CsvSigns
  /** Of `lines`: what follows the indicator are tags. */
  trailingTags: boolean
}

/** Items of a document that are handed out at once. */
const GROUP = 1_000

/**
 * The items of a feed in their order, in groups as they arrive. Packed bytes are unpacked. The same bytes and options
 * give the same items with the same line numbers, which a resumed import relies on.
 * @param onLost called with what a STIX document holds and is not kept, before its first item
 * @throws when the options do not fit together, or the bytes are not of the format at all.
 */
export function parseFeed(
  bytes: AsyncIterable<Buffer>,
  options: ParseOptions,
  onLost: (lost: readonly Lost[]) => void = () => undefined,
): AsyncGenerator<FeedItem[]> {
  const chunks = unpack(bytes)
  switch (options.format) {
    case 'lines':
      return byLine(chunks, plainList(options))
    case 'tsv': {
      const parseRow = rowReader(options.columns, options.isAttribute, options)
      return byLine(chunks, (text, line) => (options.header && line === 1 ? null : parseRow(tsvCells(text), line)))
    }
    case 'csv':
      return byRow(chunks, rowReader(options.columns, options.isAttribute, options), options)
    case 'misp':
      return byDocument(chunks, (document) => mispEvents(document, options))
    case 'stix':
      return byDocument(chunks, (document) => {
        const { items, lost } = readStix(document, options)
        onLost(lost)
        return items
      })
    case 'warninglist':
      return byDocument(chunks, warningList)
  }
}

async function* byLine(chunks: AsyncIterable<Buffer>, parse: ParseLine): AsyncGenerator<FeedItem[]> {
  const reader = lineReader()
  let line = 0
  const read = (lines: (string | null)[]): FeedItem[] => {
    const items: FeedItem[] = []
    for (const text of lines) {
      line++
      const item =
        text === null ? rejected(line, `the line is longer than ${MAX_LINE} characters`, '') : parse(text, line)
      if (item !== null) items.push(item)
    }
    return items
  }
  for await (const text of decodeText(chunks)) yield read(reader.push(text))
  yield read(reader.end())
}

async function* byRow(
  chunks: AsyncIterable<Buffer>,
  parse: ParseRow,
  { header, signs }: Pick<ParseOptions, 'header' | 'signs'>,
): AsyncGenerator<FeedItem[]> {
  let heading = header
  for await (const rows of csvRows(decodeText(chunks), signs)) {
    const items: FeedItem[] = []
    for (const { cells, line } of rows) {
      const item = heading ? null : parse(cells, line)
      heading = false
      if (item !== null) items.push(item)
    }
    yield items
  }
}

async function* byDocument(
  chunks: AsyncIterable<Buffer>,
  parse: (document: unknown) => Iterable<FeedItem>,
): AsyncGenerator<FeedItem[]> {
  let group: FeedItem[] = []
  for (const item of parse(await readDocument(chunks))) {
    group.push(item)
    if (group.length === GROUP) {
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}
