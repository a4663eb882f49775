import { pipeline, Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { MAX_LINE } from './line-reader.ts'

/** `line` is where the row ends; a CR LF inside quotes counts as two lines. */
export type CsvRow = { cells: string[]; line: number }

/**
 * The cell separator, the quote around a cell that contains such a character, and the start of a comment line; ''
 * disables one.
 */
export type CsvSigns = { delimiter: string; quote: string; comment: string }

export const CSV_SIGNS: CsvSigns = { delimiter: ',', quote: '"', comment: '#' }

/** Rows handed out at once. */
const GROUP = 1_000

/**
 * The rows of separated text, quotes undone, comments and blank lines left out.
 * @throws naming the line, when a quote is never closed: the rest cannot be split into cells.
 */
export async function* csvRows(text: AsyncIterable<string>, signs: CsvSigns = CSV_SIGNS): AsyncGenerator<CsvRow[]> {
  const { delimiter, quote, comment } = signs
  const parser = parse({
    bom: true,
    comment,
    comment_no_infix: true,
    delimiter,
    quote,
    info: true,
    // `"a", "b"`: a blank after the separator is no part of a cell, and the quote after it is one.
    ltrim: true,
    max_record_size: MAX_LINE,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  // The outcome reaches the loop below: an error of either stream destroys the parser with it.
  pipeline(Readable.from(text), parser, () => {})
  let group: CsvRow[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      group.push({ cells: record.map((cell) => unquoted(cell, quote)), line: info.lines })
      if (group.length === GROUP) {
        yield group
        group = []
      }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new Error(`CSV: ${cause.message}`, { cause })
  }
  if (group.length > 0) yield group
}

/**
 * A cell whose quotes the parser left, because a quote inside was escaped with a backslash (`"a \"b\""`) or a blank stood
 * before the separator (`"a" ,`).
 */
function unquoted(cell: string, quote: string): string {
  if (quote === '' || !cell.startsWith(quote)) return cell
  const text = cell.trimEnd()
  const isLeft = text.length > 1 && text.endsWith(quote) && (text !== cell || text.includes(`\\${quote}`))
  if (!isLeft) return cell
  return text
    .slice(1, -1)
    .replaceAll(`\\${quote}`, quote)
    .replaceAll(quote + quote, quote)
}

/** The cells of a tab-separated line; feeds in this form do not quote. */
export const tsvCells = (text: string): string[] => text.split('\t')
