/** A long answer as the body of an HTTP response. */

import type { Context } from 'koa'
import { headIsOut } from '../middleware/observe.ts'
import type { StreamBody } from './stream-body.ts'
import type { Channel, Streams } from './streams.ts'

/** A reader that takes nothing for so long while something waits for it is gone, in milliseconds. */
const IDLE_MS = 60_000

/**
 * Sends the head that was set, at once, and starts the body (ADR 213). The server cuts no stream for being silent; what
 * goes through proxies needs a heartbeat of its own. HEAD is answered with the head alone.
 */
export function sendStream(ctx: Context, { media, start }: StreamBody, streams: Streams, idleMs = IDLE_MS): void {
  const { req, res } = ctx
  const { socket } = req
  ctx.respond = false
  if (res.destroyed || res.writableEnded || socket.destroyed) {
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
  const closed = streams.begin(start, channelOf(res))
  const over = (): void => {
    res.off('close', over)
    socket.off('close', over)
    closed()
  }
  res.on('close', over)
  // A response that waits behind another one of its connection is not told of its end.
  socket.on('close', over)
}

function channelOf(res: Context['res']): Channel {
  // A write that meets the end of the connection is no fault of anybody.
  res.on('error', () => res.destroy())
  const isOver = (): boolean => res.destroyed || res.writableEnded
  return {
    write(text, taken) {
      if (isOver()) taken()
      else res.write(text, taken)
    },
    end() {
      if (!isOver()) res.end()
    },
    fail: () => void res.destroy(),
    destroy: () => void res.destroy(),
  }
}
