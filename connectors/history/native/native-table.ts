import type { Block } from '../port.ts'
import { type Sink, sink, writeString, writeVarint } from './sink.ts'
import type { ColumnType, Writer } from './types.ts'

type Columns = Record<string, ColumnType<never>>
/** What `add` takes: the value of every column under its name. */
export type RowOf<C extends Columns> = { readonly [K in keyof C]: C[K] extends ColumnType<infer T> ? T : never }

export type BlockWriter<Row> = {
  /** The ClickHouse type of each column, by name. */
  readonly columns: Readonly<Record<string, string>>
  readonly rows: number
  /** @throws Error that names the column; the rows so far are dropped, since columns of unequal length are no block */
  add(row: Row): void
  /** The rows added since the last call, as one block in memory of its own; the table is empty then. */
  finish(): Block
  /**
   * Takes the memory of a block that is no longer read, for a later one. Without it every block is new memory, tens of
   * megabytes outside of the heap that only a full collection frees, and that many of them are reason to start one.
   */
  recycle(block: Block): void
  /** Drops the rows added so far. */
  clear(): void
}

/**
 * Blocks of a table are about as long as the earlier ones: with this factor most blocks fit into the memory of the
 * block before.
 */
const ROOM = 1.1

const concatenate = (sinks: readonly Sink[], memory: ArrayBufferLike | undefined): Buffer => {
  const size = sinks.reduce((sum, s) => sum + s.at, 0)
  const bytes =
    memory !== undefined && memory.byteLength >= size
      ? Buffer.from(memory, 0, size)
      : Buffer.allocUnsafeSlow(Math.ceil(size * ROOM)).subarray(0, size)
  let at = 0
  for (const s of sinks) at += s.bytes.copy(bytes, at, 0, s.at)
  return bytes
}

/**
 * Hands each field of a row to its writer, and says at which column it is. Made as text, a line a column: so each line
 * sees one field and one writer, where a loop over names would look every field up by its name (0.5 us a row of 20).
 */
const putter = <Row>(names: readonly string[]) =>
  new Function(
    'writers',
    'row',
    'column',
    names.map((name, i) => `column.at = ${i}; writers[${i}].add(row[${JSON.stringify(name)}])`).join('\n'),
  ) as (writers: readonly Writer<unknown>[], row: Row, column: { at: number }) => void

/**
 * A writer of blocks in the Native format of ClickHouse, without a client revision (as over HTTP): column names and
 * types are in the block, so columns may come in any order, and missing ones get their defaults.
 * https://clickhouse.com/docs/interfaces/formats/Native
 */
export const table = <C extends Record<string, ColumnType<never>>>(columns: C): BlockWriter<RowOf<C>> => {
  const names = Object.keys(columns)
  const types = Object.values(columns)
  const writers = types.map((type) => type.writer()) as Writer<unknown>[]
  const put = putter<RowOf<C>>(names)
  const column = { at: 0 }
  let rows = 0
  let spare: ArrayBufferLike | undefined

  const clear = (): void => {
    for (const writer of writers) writer.clear()
    rows = 0
  }
  const header = (i: number): Sink => {
    const to = sink(256)
    if (i === 0) {
      writeVarint(to, names.length)
      writeVarint(to, rows)
    }
    writeString(to, names[i]!)
    writeString(to, types[i]!.name)
    return to
  }
  return {
    columns: Object.fromEntries(names.map((name, i) => [name, types[i]!.name])),
    get rows() {
      return rows
    },
    add(row) {
      try {
        put(writers, row, column)
        rows++
      } catch (error) {
        clear()
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(`column '${names[column.at]}': ${reason}`, { cause: error })
      }
    },
    finish() {
      const sinks = rows === 0 ? [] : writers.flatMap((writer, i) => [header(i), ...writer.sinks()])
      const block = { rows, bytes: concatenate(sinks, spare) }
      if (block.bytes.buffer === spare) spare = undefined
      clear()
      return block
    },
    recycle({ bytes: { buffer } }) {
      if (buffer.byteLength > (spare?.byteLength ?? 0)) spare = buffer
    },
    clear,
  }
}
