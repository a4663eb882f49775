import { owedStore } from './owed.ts'
import type { KnownEvent, KnownStatement, Marks, Statement, StatementStore } from './port.ts'
import { openTables } from './tables.ts'

/** The statements of one feed, in a file of its own. @throws as `openTables` does */
export function openStatements(path: string): StatementStore {
  const db = openTables(path)
  const sql = {
    position: db.prepare(
      'SELECT seed, n, at, marks, (SELECT min(n) FROM statement WHERE sent = 0) AS firstUnsent FROM feed',
    ),
    begin: db.prepare('INSERT OR IGNORE INTO run VALUES (?, ?)'),
    run: db.prepare('UPDATE run SET last = max(last, ?) WHERE first = (SELECT max(first) FROM run)'),
    feed: db.prepare('UPDATE feed SET n = max(n, ?), at = max(at, ?)'),
    marks: db.prepare('UPDATE feed SET marks = ?'),
    event: db.prepare(
      'SELECT id, stamp, settings, NOT EXISTS (SELECT 1 FROM statement WHERE event = id AND sent = 0) AS isSent FROM event WHERE place = ? AND uuid = ?',
    ),
    events: db.prepare('SELECT uuid FROM event WHERE place = ? ORDER BY id'),
    putEvent: db.prepare(
      'INSERT INTO event (place, uuid, stamp, settings) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, settings = excluded.settings RETURNING id',
    ),
    dropEvent: db.prepare('DELETE FROM event WHERE id = ?'),
    statements: db.prepare('SELECT n, digest, at, sent FROM statement WHERE event = ?'),
    addStatement: db.prepare('INSERT INTO statement VALUES (?, ?, ?, ?, 0)'),
    addSaid: db.prepare('INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?)'),
    sent: db.prepare('UPDATE statement SET sent = 1 WHERE n = ?'),
  }
  const owed = owedStore(db)

  const idOf = (place: string, uuid: string): number | undefined =>
    (sql.event.get(place, uuid) as { id: number } | undefined)?.id

  function atOnce(work: () => void): void {
    db.exec('BEGIN')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }

  function add(event: number, { n, digest, at, said }: Statement): void {
    sql.addStatement.run(n, event, digest, at)
    for (const { entityId, content } of said) sql.addSaid.run(n, entityId, at, content)
    sql.feed.run(n, at)
    sql.run.run(at)
  }

  return {
    position() {
      const { marks, ...row } = sql.position.get() as {
        seed: string
        n: number
        at: number
        marks: string | null
        firstUnsent: number | null
      }
      return { ...row, marks: marks === null ? null : (JSON.parse(marks) as Marks) }
    },
    begin: (at) => void sql.begin.run(at, at),
    event(place, uuid) {
      const row = sql.event.get(place, uuid) as (Omit<KnownEvent, 'isSent'> & { isSent: number }) | undefined
      return row === undefined ? null : { stamp: row.stamp, settings: row.settings, isSent: row.isSent === 1 }
    },
    statements(place, uuid) {
      const known = new Map<string, KnownStatement>()
      const rows = sql.statements.all(idOf(place, uuid) ?? -1) as {
        n: number
        digest: string
        at: number
        sent: number
      }[]
      for (const { n, digest, at, sent } of rows) known.set(digest, { n, at, sent: sent === 1 })
      return known
    },
    replace: (place, uuid, { stamp, settings }, { added, gone }) =>
      atOnce(() => {
        const { id } = sql.putEvent.get(place, uuid, stamp, settings) as { id: number }
        for (const statement of added) add(id, statement)
        for (const n of gone) owed.takeBack(n)
      }),
    events: (place) => (sql.events.all(place) as { uuid: string }[]).map(({ uuid }) => uuid),
    forget: (place, uuid) =>
      atOnce(() => {
        const id = idOf(place, uuid)
        if (id === undefined) return
        for (const { n } of sql.statements.all(id) as { n: number }[]) owed.takeBack(n)
        sql.dropEvent.run(id)
      }),
    keepMarks: (marks) => void sql.marks.run(JSON.stringify(marks)),
    markSent: (numbers) => atOnce(() => numbers.forEach((n) => void sql.sent.run(n))),
    reconcile: () => atOnce(owed.reconcile),
    owed: owed.page,
    settle: (page) => atOnce(() => owed.settle(page)),
    owes: owed.count,
    close: () => db.close(),
  }
}
