/** A JSON body of many megabytes: a process holds few of them at the same time. */

import type { IncomingMessage } from 'node:http'
import { setImmediate as others } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { mustBeJson, parseJson, readBytes } from './body.ts'

/** Of the largest bodies, those that wait to be read or answered. */
const LARGEST = 4

export type LargeJsonReader = {
  /** Throws as `readJson`, and 503 while other bodies take all the room. `release` gives back the room of this one. */
  read(request: IncomingMessage): Promise<{ value: unknown; release(): void }>
}

/** Reads the bodies of one route, each of `maxBytes` at most. */
export function largeJsonReader(maxBytes: number): LargeJsonReader {
  let held = 0
  return {
    async read(request) {
      mustBeJson(request)
      let own = 0
      const release = (): void => {
        held -= own
        own = 0
      }
      const keep = (bytes: number): ApiError | null => {
        if (held + bytes > LARGEST * maxBytes) return new ApiError('busy')
        held += bytes
        own += bytes
        return null
      }
      try {
        const value = parseJson(await readBytes(request, maxBytes, keep))
        await others()
        return { value, release }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
