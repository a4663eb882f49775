/** A JSON body of many megabytes, which keeps its room until it is answered. */

import type { IncomingMessage } from 'node:http'
import { setImmediate as others } from 'node:timers/promises'
import { mustBeJson, parseJson, readBytes } from './body.ts'
import type { Held } from './room.ts'

/**
 * The parsed body, of `maxBytes` at most. Throws as `readJson`; the room is given back only then: whoever answers gives it
 * back else.
 */
export async function readLargeJson(
  request: IncomingMessage,
  held: Held,
  maxBytes: number,
  media: string,
): Promise<unknown> {
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
