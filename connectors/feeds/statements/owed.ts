import type { DatabaseSync } from 'node:sqlite'
import type { Owed } from './port.ts'

const PAGE = 2_000

/** What an event says of the entity now is on the log: an event that cannot be read again takes nothing away. */
const IS_SAID = `NOT EXISTS (SELECT 1 FROM said JOIN statement ON statement.n = said.n
  WHERE said.entity = owed.entity AND statement.sent = 0)`

/** What of the statements of a feed is to be taken back. */
export function owedStore(db: DatabaseSync) {
  const sql = {
    said: db.prepare('SELECT entity, at, content FROM said WHERE n = ?'),
    dropSaid: db.prepare('DELETE FROM said WHERE n = ?'),
    dropStatement: db.prepare('DELETE FROM statement WHERE n = ?'),
    add: db.prepare('INSERT OR IGNORE INTO owed VALUES (?, ?, ?)'),
    give: db.prepare(
      `INSERT OR IGNORE INTO said SELECT max(said.n), owed.entity, owed.at, owed.content FROM owed
         JOIN said ON said.entity = owed.entity AND said.content = owed.content GROUP BY owed.entity, owed.at, owed.content`,
    ),
    given: db.prepare(
      'DELETE FROM owed WHERE EXISTS (SELECT 1 FROM said WHERE said.entity = owed.entity AND said.at = owed.at)',
    ),
    first: db.prepare(
      `SELECT at, (SELECT max(last) FROM run WHERE first <= at AND last >= at) AS last FROM owed WHERE ${IS_SAID} ORDER BY at LIMIT 1`,
    ),
    between: db.prepare(
      `SELECT at, entity FROM owed WHERE at BETWEEN ? AND ? AND ${IS_SAID} ORDER BY at, entity LIMIT ?`,
    ),
    stillSaid: db.prepare('SELECT 1 FROM said WHERE entity = ? AND at BETWEEN ? AND ? LIMIT 1'),
    settle: db.prepare('DELETE FROM owed WHERE entity = ? AND at BETWEEN ? AND ?'),
    count: db.prepare('SELECT count(DISTINCT entity) AS entities FROM owed'),
  }

  return {
    /** Takes a statement out; what it said is owed. */
    takeBack(n: number): void {
      for (const { entity, at, content } of sql.said.all(n) as { entity: string; at: number; content: string }[])
        sql.add.run(at, entity, content)
      sql.dropSaid.run(n)
      sql.dropStatement.run(n)
    },

    /**
     * Where a statement that stays says the same of an entity, it has stated it since then, and nothing is owed: the history
     * may hold the record of one of the two alone, as the other was a repeat.
     */
    reconcile(): void {
      sql.give.run()
      sql.given.run()
    },

    /**
     * Entities of which nothing that stays was stated in the same run share one window over its times; the others have one
     * for each moment.
     */
    page(): Owed | null {
      const first = sql.first.get() as { at: number; last: number | null } | undefined
      if (first === undefined) return null
      const from = first.at
      const rows = sql.between.all(from, first.last ?? from, PAGE) as { at: number; entity: string }[]
      const to = rows.at(-1)!.at
      const alone = [...new Set(rows.map(({ entity }) => entity))].filter(
        (entity) => sql.stillSaid.get(entity, from, to) === undefined,
      )
      if (alone.length > 0) return { from, to, entityIds: alone }
      return { from, to: from, entityIds: rows.filter(({ at }) => at === from).map(({ entity }) => entity) }
    },

    settle({ from, to, entityIds }: Owed): void {
      for (const entity of entityIds) sql.settle.run(entity, from, to)
    },

    count: (): number => (sql.count.get() as { entities: number }).entities,
  }
}
