import type { History, SliceWriter } from '../port.ts'
import { blocks } from './blocks-store.ts'
import { associationRows, historyRow, retractionRow } from './observations.ts'

/** Rows of one block. History has some 350 bytes a row, entities 500. */
const ROWS = 100_000
/** Blocks on their way to the store, beside the ones that are filled. */
const UNDER_WAY = 2

/**
 * Writes what one slice of the log gives. Blocks are cut by their number of rows alone, and each has its number in its
 * token: the same rows in the same order again are dropped by the tables, however the log was read.
 * @param name of the slice, different for every one that writes to these tables
 */
export function sliceWriter(history: Pick<History, 'insert'>, name: string, rows = ROWS): SliceWriter {
  const tables = blocks()
  const sent = { history: 0, associations: 0, audiences: 0, retractions: 0, counts: 0, entities: 0 }
  type Name = keyof typeof sent
  const underWay = new Set<Promise<void>>()
  let failed: { error: unknown } | undefined

  function send(table: Name): void {
    const token = `${name}:${table}:${rows}:${sent[table]++}`
    const block = tables[table].finish()
    const insert = history
      .insert(table, block, token)
      .then(() => tables[table].recycle(block))
      .catch((error: unknown) => {
        failed ??= { error }
      })
      .finally(() => underWay.delete(insert))
    underWay.add(insert)
  }
  const cut = (table: Name): void => {
    if (tables[table].rows >= rows) send(table)
  }
  const waitStored = async (left: number): Promise<void> => {
    while (underWay.size > left) await Promise.race(underWay)
    if (failed) throw failed.error
  }

  return {
    history: {
      push(record) {
        tables.history.add(historyRow(record))
        cut('history')
      },
    },
    edges: {
      push(edge) {
        for (const row of associationRows(edge)) tables.associations.add(row)
        cut('associations')
      },
    },
    retractions: {
      push(retraction) {
        tables.retractions.add(retractionRow(retraction))
        cut('retractions')
      },
    },
    audience(audience, groups) {
      tables.audiences.add({ audience, groups })
      cut('audiences')
    },
    entity(row) {
      tables.addEntity(row)
      cut('entities')
    },
    count({ audience, dim, malicious, key, n }) {
      tables.counts.add({ audience, dim, malicious: malicious ? 1 : 0, key, n })
      cut('counts')
    },
    room: () => waitStored(UNDER_WAY),
    async finish() {
      for (const table of Object.keys(sent) as Name[]) {
        if (tables[table].rows > 0) send(table)
        await waitStored(UNDER_WAY)
      }
      await waitStored(0)
    },
  }
}
