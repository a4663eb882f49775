/** Hears of commits on a PostgreSQL server, over a connection of its own (ADR 281). */

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pause } from '../../../platform/pause.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { HEARING_MS, type SignalHub, WORK_CHANNEL } from './signal-hub.ts'

const CONNECT_MS = 2_000
/** How long the notification may take that proves the connection. */
const PROOF_MS = 2_000
/** Workers look as often as ever while nothing is heard: there is no hurry. */
const FAILED_MS = 500
const MAX_PAUSE_MS = 30_000

const UNPROVEN =
  'no notification of PostgreSQL arrives, so work is looked for twice a second; check for a connection pooler in transaction mode'

export type HearOptions = {
  url: string
  /** Sends a notification over another connection. */
  notify: (payload: string) => Promise<unknown>
  /** Called once for each time that commits are no longer heard of. */
  onLost: (error: Error) => void
}

/**
 * Rings the hub after commits until stopped. They count as heard of while a notification that is sent over another
 * connection, every `HEARING_MS`, arrives: a transaction pooler, or a lost network, passes none.
 */
export function hearWork(hub: SignalHub, { url, notify, onLost }: HearOptions): Rounds {
  let client: pg.Client | undefined
  let heard: (payload: string) => void = () => undefined
  let told = false

  const drop = (): void => {
    client?.end().catch(() => undefined)
    client = undefined
    hub.setHearing(false)
  }

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
    })
    const lost = (): void => {
      if (client !== made) return
      drop()
      rounds.wake()
    }
    // An 'error' event without a listener would end the process.
    made.on('error', lost).on('end', lost)
    made.on('notification', ({ payload = '' }) => {
      hub.ring(payload)
      heard(payload)
    })
    try {
      await made.connect()
      await made.query(`LISTEN ${WORK_CHANNEL}`)
      return made
    } catch (error) {
      made.end().catch(() => undefined)
      throw error
    }
  }

  async function prove(): Promise<void> {
    const proof = `proof ${randomUUID()}`
    const arrived = Promise.withResolvers<boolean>()
    heard = (payload) => payload === proof && arrived.resolve(true)
    const late = new AbortController()
    const silence = pause(PROOF_MS, late.signal).then(() => false)
    try {
      const sent = notify(proof).then(() => arrived.promise)
      if (!(await Promise.race([sent, silence]))) throw new Error(UNPROVEN)
    } finally {
      late.abort()
    }
  }

  const rounds = startRounds({
    async round() {
      client ??= await connect()
      await prove()
      hub.setHearing(true)
      told = false
      return HEARING_MS
    },
    onFailure(error) {
      drop()
      if (!told) onLost(error)
      told = true
    },
    failedMs: FAILED_MS,
    maxPauseMs: MAX_PAUSE_MS,
  })
  return {
    wake: rounds.wake,
    async stop() {
      await rounds.stop()
      drop()
    },
  }
}
