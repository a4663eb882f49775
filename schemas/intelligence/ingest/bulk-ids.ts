/** Ids of observations that follow from a request and a line, so that a repeat is known by them (decisions 15.1). */

import { hash } from 'node:crypto'
import { MAX_ENTITIES } from './expand.ts'

/** Most lines of a body that is taken, blank ones left out. */
export const MAX_BULK_LINES = 100_000
/** Largest number of a line that has an id: blank lines keep their numbers, and each is a byte at least. */
const MAX_NUMBER = 2 ** 26
/** Numbers below it are observations, and it is the submission. */
const SUBMISSION = MAX_ENTITIES
const PER_LINE = 1_024
/** Hexadecimal digits of an id that name the line and the observation in it. */
const PLACE_DIGITS = 9

/** Ids of one request. */
export type BulkIds = {
  submission(line: number): string
  /** @param index of the observation in its line, from 0 */
  observation(line: number, index: number): string
  /** The line of an observation of this request, by its id; null: it is of something else. */
  lineOf(id: string): number | null
}

/**
 * UUIDs of version 7, of the time at which the request was first seen (unix milliseconds): the rest of the bits are of
 * the caller and its key, but for 36, which are the line (from 1, below 2^26) and the observation in it.
 */
export function bulkIds(callerId: string, keyHash: Buffer, startedAt: number): BulkIds {
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${callerId} ${startedAt} `), keyHash]), 'hex')
  const time = startedAt.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(digest[3]!, 16) & 3) | 8).toString(16)
  const name = `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 10)}`
  const made = (line: number, index: number): string =>
    name + (line * PER_LINE + index).toString(16).padStart(PLACE_DIGITS, '0')
  return {
    submission: (line) => made(line, SUBMISSION),
    observation: (line, index) => made(line, index),
    lineOf(id) {
      if (id.length !== name.length + PLACE_DIGITS || !id.startsWith(name)) return null
      const line = Math.floor(Number.parseInt(id.slice(name.length), 16) / PER_LINE)
      return line > 0 && line < MAX_NUMBER ? line : null
    },
  }
}
