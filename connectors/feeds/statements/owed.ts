import type { DatabaseSync } from 'node:sqlite'
import type { Owed } from './port.ts'

const PAGE = 2_000

/** What of the statements of a feed is to be taken back. */
export function owedStore(db: DatabaseSync) {
  const sql = {
    said: db.prepare('SELECT entity, at, content FROM said WHERE n = ?'),
    dropSaid: db.prepare('DELETE FROM said WHERE n = ?'),
    dropStatement: db.prepare('DELETE FROM statement WHERE n = ?'),
    same: db.prepare('SELECT n FROM said WHERE entity = ? AND content = ? ORDER BY at DESC LIMIT 1'),
    give: db.prepare('INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?)'),
    atThatTime: db.prepare('SELECT 1 FROM said WHERE entity = ? AND at = ? LIMIT 1'),
    add: db.prepare('INSERT OR IGNORE INTO owed VALUES (?, ?)'),
    first: db.prepare(
      'SELECT at, (SELECT max(last) FROM run WHERE first <= at AND last >= at) AS last FROM owed ORDER BY at LIMIT 1',
    ),
    between: db.prepare('SELECT at, entity FROM owed WHERE at BETWEEN ? AND ? ORDER BY at, entity LIMIT ?'),
    stillSaid: db.prepare('SELECT 1 FROM said WHERE entity = ? AND at BETWEEN ? AND ? LIMIT 1'),
    settle: db.prepare('DELETE FROM owed WHERE entity = ? AND at BETWEEN ? AND ?'),
    count: db.prepare('SELECT count(DISTINCT entity) AS entities FROM owed'),
  }

  return {
    /**
     * Takes a statement out. Where another one says the same of an entity, that one has stated it since then: the store of
     * history may hold the record of only one of them, as the other was a repeat. Everything else is owed.
     */
    takeBack(n: number): void {
      const all = sql.said.all(n) as { entity: string; at: number; content: string }[]
      sql.dropSaid.run(n)
      sql.dropStatement.run(n)
      for (const { entity, at, content } of all) {
        const same = sql.same.get(entity, content) as { n: number } | undefined
        if (same !== undefined) sql.give.run(same.n, entity, at, content)
        else if (sql.atThatTime.get(entity, at) === undefined) sql.add.run(at, entity)
      }
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
