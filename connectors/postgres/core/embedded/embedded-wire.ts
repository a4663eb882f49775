/**
 * What the PostgreSQL client takes for a socket: its messages go to the embedded database in this process, and the
 * answers back (ADR 277). The client sends a statement as one message, with its parameters, and knows statements by name;
 * the interface of the embedded database sends four and parses each time.
 */

import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { clientTypes } from '../client-types.ts'
import { type NameOf, named } from '../prepared-names.ts'

/** The answer to the first message of a client, which alone has no type: authenticated, and ready for statements. */
const WELCOME = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), Buffer.from('Z\0\0\0\x05I')])

type Chunk = { chunk: Buffer }

/**
 * One session. The embedded database has a single one, which outlives the client: a new client finds neither the
 * transaction nor the prepared statements of the one before. Errors of a statement are answers; what the stream fails
 * with is the end of the database itself.
 */
export class EmbeddedWire extends Duplex {
  readonly #database: PGlite
  #hasBegun = false

  constructor(database: PGlite) {
    super()
    this.#database = database
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this._writev([{ chunk }], done)
  }

  /** What the client wrote meanwhile goes in one piece. */
  override _writev(chunks: Chunk[], done: (error?: Error | null) => void): void {
    this.#answerTo(Buffer.concat(chunks.map(({ chunk }) => chunk))).then((answer) => {
      if (answer.length > 0) this.push(answer)
      done()
    }, done)
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  async #answerTo(messages: Buffer): Promise<Uint8Array> {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      await this.#database.exec('ROLLBACK')
      await this.#database.exec('DISCARD ALL')
      return WELCOME
    }
    // Files are written by the statement itself, those in memory need no writing.
    return this.#database.execProtocolRaw(messages, { syncToFs: false })
  }

  // What a client asks of a socket.
  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}

/**
 * The driver of a server over the only session of the embedded database (ADR 277).
 * @param onConnect what the connection does before it is given out
 */
export function embeddedPool(
  pglite: PGlite,
  onConnect: (client: pg.ClientBase) => Promise<void> = async () => undefined,
): pg.Pool {
  const stream = () => new EmbeddedWire(pglite)
  const pool = new pg.Pool({ max: 1, idleTimeoutMillis: 0, ssl: false, stream, types: clientTypes(), onConnect })
  // An 'error' event without a listener would end the process; whoever waits for a statement is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** That pool, whose connection prepares the statements that have a name. */
export const preparingPool = (pool: pg.Pool, nameOf: NameOf): PostgresPool => ({
  options: pool.options,
  async connect() {
    const client = await pool.connect()
    const query = (sql: string, parameters: readonly unknown[]) => client.query(named(sql, parameters, nameOf))
    return { query: query as unknown as PostgresPoolClient['query'], release: (discard) => client.release(discard) }
  },
  end: () => pool.end(),
})
