import { dateTime64, string, table } from '../native/native.ts'
import type { History, ShadowNotes } from '../port.ts'

/** What a shadow database, which is being rebuilt from the log, records about itself. */
const NOTES = `CREATE TABLE IF NOT EXISTS rebuild (name String, value String, at DateTime64(3, 'UTC'))
  ENGINE = ReplacingMergeTree(at) ORDER BY name`
const WRITTEN = ['history', 'entities', 'associations', 'counts', 'audiences', 'retractions']
/**
 * Number of blocks whose insert tokens are remembered: as many as one slice may write, by month; and the usual
 * number.
 */
const WIDE = 1_000_000
const USUAL = 10_000
/** From this many records on, skipping merges would leave so many parts that the tables refuse further inserts. */
const UNMERGED_RECORDS = 20_000_000

/** The notes of a rebuild in its own database: each name has one value, the last one written. */
export async function shadowNotes(history: History, now: () => number): Promise<ShadowNotes> {
  await history.command(NOTES)
  const rows = table({ name: string, value: string, at: dateTime64 })
  let last = 0
  return {
    async read() {
      const sql = 'SELECT name, value FROM rebuild FINAL'
      const found = await history.query<{ name: string; value: string }>({ sql, params: {} })
      return new Map(found.map(({ name, value }) => [name, value]))
    },
    async write(name, value) {
      // Later than the previous note, whatever the clock says.
      last = Math.max(now(), last + 1)
      rows.add({ name, value, at: last })
      await history.insert('rebuild', rows.finish(), `${name}:${last}`)
    },
  }
}

const each = async (history: History, statement: (table: string) => string): Promise<void> => {
  for (const name of WRITTEN) await history.command(statement(name))
}

/**
 * Prepares the tables for a bulk write: merges are stopped unless there are very many records, and more tokens are
 * remembered. Call it again after a restart of the store, which resumes merging.
 */
export async function prepareShadow(history: History, records: number): Promise<void> {
  await each(history, (name) => `ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${WIDE}`)
  if (records < UNMERGED_RECORDS) await each(history, (name) => `SYSTEM STOP MERGES ${name}`)
}

/** Restores the usual settings of the tables. */
export async function restoreSettings(history: History): Promise<void> {
  await each(history, (name) => `ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${USUAL}`)
  await each(history, (name) => `SYSTEM START MERGES ${name}`)
}
