import { type CsvSigns, csvRows, tsvCells } from './csv.ts'
import { lineReader, MAX_LINE } from './line-reader.ts'
import { readDocument } from './parse/document.ts'
import { NOT_TEXT, REPLACEMENT } from './parse/encoding.ts'
import { type FeedItem, type FeedOptions, rejected } from './parse/item.ts'
import { type ParseRow, rowReader } from './parse/lists/columns.ts'
import { filterList } from './parse/lists/dns/abp.ts'
import { eachOnce } from './parse/lists/dns/dns-names.ts'
import { hostsList } from './parse/lists/dns/hosts.ts'
import { policyZone } from './parse/lists/dns/rpz.ts'
import { dnsmasqList, unboundList } from './parse/lists/dns/unbound.ts'
import { objectReader } from './parse/lists/json-objects.ts'
import { NOTHING, type ParseLine } from './parse/lists/line.ts'
import { plainList } from './parse/lists/lines.ts'
import { rangeList } from './parse/lists/range-lines.ts'
import { mispEvents } from './parse/misp/event.ts'
import { readStix } from './parse/stix/bundle.ts'
import type { Lost } from './parse/stix/lost.ts'
import { warningList } from './parse/warninglist.ts'
import { decodeText, unpack } from './unpack.ts'

/** Formats of which each line is read for itself, without columns. */
const LINE_FORMATS = ['lines', 'ranges', 'hosts', 'abp', 'dnsmasq', 'unbound', 'rpz'] as const
type LineFormat = (typeof LINE_FORMATS)[number]

/** The reader of a format; one reads one file. */
function lineParser(format: LineFormat, options: FeedOptions & { trailingTags: boolean }): ParseLine {
  switch (format) {
    case 'lines':
      return plainList(options)
    case 'ranges':
      return rangeList(options)
    case 'hosts':
      return eachOnce(hostsList(options))
    case 'abp':
      return eachOnce(filterList(options))
    case 'dnsmasq':
      return eachOnce(dnsmasqList(options))
    case 'unbound':
      return eachOnce(unboundList(options))
    case 'rpz':
      return eachOnce(policyZone(options))
  }
}

/** The formats of files, in the order of the help text. */
export const FORMATS = [...LINE_FORMATS, 'csv', 'tsv', 'jsonl', 'misp', 'stix', 'warninglist'] as const
export type Format = (typeof FORMATS)[number]

export type ParseOptions = FeedOptions & {
  format: Format
  /** Of `csv`, `tsv` and `jsonl`: what each column or member is; see `rowReader` and `objectReader`. */
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
    case 'tsv': {
      const parseRow = rowReader(options.columns, options.isAttribute, options)
      return byLine(chunks, (text, line) => (options.header && line === 1 ? NOTHING : parseRow(tsvCells(text), line)))
    }
    case 'jsonl':
      return byLine(chunks, objectReader(options.columns, options.isAttribute, options))
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
    default:
      return byLine(chunks, lineParser(options.format, options))
  }
}

/** Adds what a line says; with bytes that could not be read it would say something else. */
function add(items: FeedItem[], said: readonly FeedItem[], isText: boolean, raw: () => string): void {
  if (isText || said.length === 0) items.push(...said)
  else items.push(rejected(said[0]!.line, NOT_TEXT, raw()))
}

async function* byLine(chunks: AsyncIterable<Buffer>, parse: ParseLine): AsyncGenerator<FeedItem[]> {
  const reader = lineReader()
  let line = 0
  // Until then no line has to be looked through.
  let seen = false
  const read = (lines: (string | null)[]): FeedItem[] => {
    const items: FeedItem[] = []
    for (const text of lines) {
      line++
      if (text === null) items.push(rejected(line, `the line is longer than ${MAX_LINE} characters`, ''))
      else add(items, parse(text, line), !seen || !text.includes(REPLACEMENT), () => text)
    }
    return items
  }
  for await (const text of decodeText(chunks)) {
    seen ||= text.includes(REPLACEMENT)
    yield read(reader.push(text))
  }
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
      const isText = cells.every((cell) => !cell.includes(REPLACEMENT))
      if (!heading) add(items, parse(cells, line), isText, () => cells.join('\t'))
      heading = false
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
