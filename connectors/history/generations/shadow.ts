import { dateTime64, string, table } from '../native/native.ts'
import type { History, ShadowNotes } from '../port.ts'

/** What a database of which the log is being told again says about itself. */
const NOTES = `CREATE TABLE IF NOT EXISTS rebuild (name String, value String, at DateTime64(3, 'UTC'))
  ENGINE = ReplacingMergeTree(at) ORDER BY name`
const WRITTEN = ['history', 'entities', 'associations', 'counts', 'audiences', 'retractions']
/** Blocks whose tokens are remembered: as many as one slice may have, by the month, and the window of every day. */
const WIDE = 1_000_000
const USUAL = 10_000
/** From here on so many parts would be left to merge that the tables refuse more. */
const UNMERGED_RECORDS = 20_000_000

/** The notes of a rebuild in its own database: each name has one value, the last. */
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
      // Later than what was written before, whatever the clock says.
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
 * Makes the tables ready for what is written in one go: nothing is merged meanwhile unless there is very much, and more
 * tokens are remembered. Again after a restart of the store, which merges again.
 */
export async function prepareShadow(history: History, records: number): Promise<void> {
  await each(history, (name) => `ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${WIDE}`)
  if (records < UNMERGED_RECORDS) await each(history, (name) => `SYSTEM STOP MERGES ${name}`)
}

/** The tables as they are every day. */
export async function restoreSettings(history: History): Promise<void> {
  await each(history, (name) => `ALTER TABLE ${name} MODIFY SETTING non_replicated_deduplication_window = ${USUAL}`)
  await each(history, (name) => `SYSTEM START MERGES ${name}`)
}
