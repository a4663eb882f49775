/** A process between a command and the history store, which knows every statement on its way by name. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Where a command ends: before the store has heard of a statement, after half of what it sends, once it is done but not
 * answered, or a little after the answer, at what the command does next.
 */
export const MOMENTS = ['before', 'amid', 'after', 'next'] as const
export type Moment = (typeof MOMENTS)[number]

/** Long enough for a send to the log, shorter than most statements. */
const NEXT_MS = 25

/** The `nth` statement of that name. */
export type FaultPoint = { name: string; moment: Moment; nth: number }

export type Interposed = {
  /** For CLICKHOUSE_URL: the credentials are those of the store. */
  url: string
  /** Calls `fire` once, at that place. What it was about to do is lost on the way. */
  arm(place: FaultPoint, fire: () => void): void
  /** How often each statement was seen since it was armed, and clears both. */
  disarm(): Map<string, number>
  close(): Promise<void>
}

/** Statements whose table says where a command is; those of other kinds are known by their verb alone. */
const NAMED = [
  /^(INSERT INTO) (?:\w+\.)?(\w+)/i,
  /^(ALTER TABLE) (?:\w+\.)?(\w+)/i,
  /^(SYSTEM (?:STOP|START|SYNC|FLUSH) \w+)/i,
  /^(TRUNCATE TABLE) (?:\w+\.)?(\w+)/i,
  /^(OPTIMIZE TABLE) (?:\w+\.)?(\w+)/i,
  /^(SELECT)\b[\s\S]*?\bFROM (?:\w+\.)?(\w+)/i,
  /^(CREATE OR REPLACE \w+)/i,
  /^(\w+(?: (?:DATABASE|TABLE|VIEW|MATERIALIZED VIEW))?)\b/i,
]

/** `INSERT INTO harrier_g1.entities (...) ...` -> `insert into entities` */
export function nameOf(sql: string): string {
  const text = sql.replace(/^\s*(?:--[^\n]*\n\s*)*/, '')
  for (const pattern of NAMED) {
    const found = pattern.exec(text)
    if (found !== null) return found.slice(1).join(' ').toLowerCase()
  }
  return 'nothing'
}

/** @param store URL of the history store with its credentials */
export async function interposed(store: string): Promise<Interposed> {
  const target = new URL(store)
  let seen = new Map<string, number>()
  let armed: { place: FaultPoint; fire: () => void } | null = null

  const due = (name: string): Moment | null => {
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    return armed !== null && armed.place.name === name && armed.place.nth === nth ? armed.place.moment : null
  }
  const fired = (asked: IncomingMessage): void => {
    const fire = armed?.fire
    armed = null
    fire?.()
    asked.socket.destroy()
  }

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const inUrl = new URL(asked.url!, store).searchParams.get('query')
    const moment = due(nameOf(inUrl ?? body.toString('utf8', 0, 2_000)))
    if (moment === 'before') return fired(asked)
    const { hostname, port } = target
    const { 'transfer-encoding': _, ...headers } = asked.headers
    const onward = request({
      hostname,
      port,
      path: asked.url,
      method: asked.method,
      headers: { ...headers, 'content-length': body.length },
    })
    onward.on('error', () => asked.socket.destroy())
    if (moment === 'amid') {
      onward.write(body.subarray(0, body.length >> 1), () => {
        onward.destroy()
        fired(asked)
      })
      return
    }
    onward.on('response', (response) => {
      if (moment === 'after') {
        response.resume().once('end', () => fired(asked))
        return
      }
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
      if (moment === 'next') answer.once('finish', () => setTimeout(() => fired(asked), NEXT_MS))
    })
    onward.end(body)
  }

  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => asked.socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(store)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    arm(place, fire) {
      seen = new Map()
      armed = { place, fire }
    },
    disarm() {
      const found = seen
      seen = new Map()
      armed = null
      return found
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
