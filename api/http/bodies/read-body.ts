/** The body of a route, whatever its kind: room for it, its check, and what a refusal costs its sender (ADR 254). */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as others } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { type RefusedWork, refusedWork } from '../limits/refused-work.ts'
import type { Route } from '../route.ts'
import { bodyCheck } from '../validation.ts'
import { isEmpty, mustBeJson, parseJson, readBytes, readJson, readSigned, type Signed, SMALL_BYTES } from './body.ts'
import { type BodyRoom, bodyRoom, type Held, type Sender } from './body-room.ts'
import { FORM, readForm } from './form.ts'
import { type Lines, NDJSON, readLines } from './lines-body.ts'

/**
 * The parsed JSON body, of `maxBytes` at most. Throws as `readJson`; the room is given back only then: whoever answers gives it
 * back else.
 */
async function readLargeJson(request: IncomingMessage, held: Held, maxBytes: number, media: string): Promise<unknown> {
  mustBeJson(request, media)
  try {
    const value = parseJson(await readBytes(request, held, maxBytes))
    await others()
    return value
  } catch (error) {
    held.release()
    throw error
  }
}

/** What a process has for all of its routes. */
export type Bodies = { room: BodyRoom; refused: RefusedWork }

/** Those of one process. */
export const newBodies = (): Bodies => ({ room: bodyRoom(), refused: refusedWork() })

/** What came; of the three, those that the route declares. */
export type ReadBody = { body: unknown; signed: Signed | null; lines: Lines | null }

type Exchange = { req: IncomingMessage; res: ServerResponse }

export const NOTHING_SENT: ReadBody = { body: undefined, signed: null, lines: null }

/**
 * The check of one body takes no longer, in milliseconds; what seems to is the machine being busy with others, or the
 * first body of a route.
 */
const MOST_MS = 40

/** Bytes that came: a body that came with its head takes no room, and what a head announces may never come. */
const sizeOf = ({ headers, complete }: IncomingMessage, { taken }: Held): number =>
  taken === 0 && complete ? Number(headers['content-length'] ?? 0) : taken

/** No fault of what was sent: its sender has to wait, or everybody. */
const isOfOthers = (thrown: unknown): boolean => thrown instanceof ApiError && [429, 503].includes(thrown.status)

/**
 * Reads bodies of `route`; null for one without. Throws 429 before anything is read for a sender that had too many
 * refused, 400, 413, 415 for a body that is not what the route takes, 429 or 503 where there is no room for it. The room
 * of large bodies is held until the answer is out or the client is gone, that of others until they are read.
 */
export function bodyReader(
  route: Route,
  { room, refused }: Bodies,
): ((exchange: Exchange, sender: () => Sender) => Promise<ReadBody>) | null {
  if (route.body === null && route.signedBy === null && route.lines === null) return null
  const check = route.body && bodyCheck(route.body)
  const media = route.lineStream === null ? route.bodyMedia : `${route.bodyMedia} or ${NDJSON}`

  async function read(req: IncomingMessage, held: Held): Promise<ReadBody> {
    if (route.signedBy !== null) return { ...NOTHING_SENT, signed: await readSigned(req, route.signedBy, held) }
    if (route.lines !== null) return { ...NOTHING_SENT, lines: await readLines(req, held, route.lines) }
    if (route.emptyBody !== undefined && isEmpty(req)) return { ...NOTHING_SENT, body: route.emptyBody }
    if (route.bodyMedia === FORM) return { ...NOTHING_SENT, body: await readForm(req, held) }
    if (route.bodyBytes === null) return { ...NOTHING_SENT, body: await readJson(req, held, media) }
    return { ...NOTHING_SENT, body: await readLargeJson(req, held, route.bodyBytes, media) }
  }

  return async ({ req, res }, senderOf) => {
    const sender = senderOf()
    refused.admit(sender.name)
    const held = room.of(sender)
    let began = 0
    try {
      const given = await read(req, held)
      if (res.destroyed) held.release()
      else if (held.held > 0) res.once('close', held.release)
      if (check === null) return given
      began = performance.now()
      check(given.body)
      return given
    } catch (thrown) {
      if (isOfOthers(thrown)) throw thrown
      const bytes = sizeOf(req, held)
      const isMeasured = began !== 0 && bytes > SMALL_BYTES
      refused.add(sender.name, bytes, isMeasured ? Math.min(performance.now() - began, MOST_MS) : 0)
      throw thrown
    }
  }
}
