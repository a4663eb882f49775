import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type KnownEvent,
  type KnownStatement,
  type Marks,
  type Owed,
  type Statement,
  type StatementStore,
  StatementsInUse,
} from './port.ts'

/** Version of the tables, in the file itself. */
const VERSION = 1

/** `said`: each entity of a statement; `owed`: what is to be taken back; `run`: from when until when an import stated. */
const TABLES = `
CREATE TABLE feed (one INTEGER PRIMARY KEY CHECK (one = 1), seed TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, marks TEXT);
CREATE TABLE run (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE event (id INTEGER PRIMARY KEY, place TEXT NOT NULL, uuid TEXT NOT NULL, stamp INTEGER NOT NULL, settings TEXT NOT NULL, UNIQUE (place, uuid));
CREATE TABLE statement (n INTEGER PRIMARY KEY, event INTEGER NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL, sent INTEGER NOT NULL);
CREATE INDEX statement_event ON statement (event);
CREATE INDEX statement_unsent ON statement (n, event) WHERE sent = 0;
CREATE TABLE said (n INTEGER NOT NULL, entity TEXT NOT NULL, at INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (n, entity, at)) WITHOUT ROWID;
CREATE INDEX said_entity ON said (entity, at);
CREATE TABLE owed (at INTEGER NOT NULL, entity TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (at, entity, content)) WITHOUT ROWID;
CREATE INDEX owed_entity ON owed (entity);
`

const BUSY = 5

/**
 * Opens the statements of a feed for one import alone, or makes them.
 * @throws StatementsInUse, and Error when the file is of a later version or none of these
 */
function openTables(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // The lock of the first transaction is kept until the file is closed.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE')
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version > VERSION) throw new Error(`${path} was written by a later version`)
    if (version === 0) {
      db.exec(TABLES)
      db.prepare('INSERT INTO feed VALUES (1, ?, 0, 0, NULL)').run(randomUUID())
      db.exec(`PRAGMA user_version = ${VERSION}`)
    }
    db.exec('COMMIT')
    return db
  } catch (error) {
    db.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) throw new StatementsInUse(path, error)
    throw error
  }
}

const PAGE = 2_000

/** What an event says of the entity now is on the log: an event that cannot be read again takes nothing away. */
const IS_SAID = `NOT EXISTS (SELECT 1 FROM said JOIN statement ON statement.n = said.n
  WHERE said.entity = owed.entity AND statement.sent = 0)`

/** What of the statements of a feed is to be taken back. */
function owedStore(db: DatabaseSync) {
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
