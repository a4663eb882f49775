import type { BlockWriter } from '../native/table.ts'
import type { Gathered, History } from '../port.ts'

/** Blocks of one table whose memory waits for the next batch. Each partition has one under way. */
const KEPT = 4

/**
 * Writes of one table of which several are gathered at the same time: each has a block of its own, and the memory of a
 * block that was stored is used again. One that failed is left to the garbage collection.
 */
export function gatheredWrites<Row, Columns>(
  history: Pick<History, 'insert'>,
  name: string,
  make: () => BlockWriter<Columns>,
  columnsOf: (row: Row) => Columns,
) {
  const free: BlockWriter<Columns>[] = []
  const writers = new WeakMap<object, BlockWriter<Columns>>()

  function gather(): Gathered<Row> {
    const writer = free.pop() ?? make()
    const rows: Gathered<Row> = {
      get length() {
        return writer.rows
      },
      push: (row) => writer.add(columnsOf(row)),
    }
    writers.set(rows, writer)
    return rows
  }

  function listed(rows: Iterable<Row>): Gathered<Row> {
    const gathered = gather()
    for (const row of rows) gathered.push(row)
    return gathered
  }

  return {
    gather,
    /** What `gather` gave is written once. */
    async write(rows: readonly Row[] | Gathered<Row>, token: string): Promise<void> {
      const gathered = Array.isArray(rows) ? listed(rows) : rows
      const writer = writers.get(gathered)
      if (writer === undefined) throw new TypeError(`these rows of ${name} were gathered elsewhere, or are written`)
      writers.delete(gathered)
      const block = writer.finish()
      await history.insert(name, block, token)
      writer.recycle(block)
      if (free.length < KEPT) free.push(writer)
    },
  }
}
