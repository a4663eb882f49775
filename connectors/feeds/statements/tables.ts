import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StatementsInUse } from './port.ts'

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
export function openTables(path: string): DatabaseSync {
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
