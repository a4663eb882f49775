/** A long answer as the body of an HTTP response. */

import type { Context } from 'koa'
import { headIsOut } from '../middleware/observe.ts'
import type { StreamBody } from './stream-body.ts'
import type { Channel, Streams } from './streams.ts'

/** What goes out through a connection together. */
type Corked = { cork(): void; uncork(): void }

/** How long a write waits for those that follow, in milliseconds. */
const GATHERED_MS = 20

/**
 * Writes to many connections in small pieces: what is written to one within a moment goes out by one call of the system.
 * A thousand streams that are told of each partition's news would otherwise need a call each time.
 * @returns what is called before each write
 */
export function gathered(ms = GATHERED_MS): (connection: Corked) => void {
  const waiting = new Set<Corked>()
  const sendAll = (): void => {
    const all = [...waiting]
    waiting.clear()
    for (const connection of all) connection.uncork()
  }
  return (connection) => {
    if (waiting.has(connection)) return
    if (waiting.size === 0) setTimeout(sendAll, ms)
    waiting.add(connection)
    connection.cork()
  }
}

/** A reader that takes nothing for so long while something waits for it is gone, in milliseconds. */
const IDLE_MS = 120_000

/**
 * Sends the head that was set, at once, and starts the body (ADR 213). The server cuts no stream for being silent; what
 * goes through proxies needs a heartbeat of its own. HEAD is answered with the head alone.
 */
export function sendStream(ctx: Context, { media, start }: StreamBody, streams: Streams, idleMs = IDLE_MS): void {
  const { req, res } = ctx
  ctx.respond = false
  if (res.destroyed || res.writableEnded) {
    streams.beginForNobody(start)
    return
  }
  res.setHeader('content-type', media)
  // Proxies that keep answers together for a while are told not to.
  res.setHeader('x-accel-buffering', 'no')
  if (req.method === 'HEAD') {
    res.end()
    streams.beginForNobody(start)
    return
  }
  res.flushHeaders()
  headIsOut(ctx)
  res.setTimeout(idleMs, () => {
    if (res.writableLength > 0) res.destroy()
  })
  res.on('close', streams.begin(start, channelOf(res)))
}

const gather = gathered()

const channelOf = (res: Context['res']): Channel => ({
  write(text, taken) {
    if (res.socket !== null) gather(res.socket)
    res.write(text, taken)
  },
  end: () => void res.end(),
  fail: () => void res.destroy(),
  destroy: () => void res.destroy(),
})
