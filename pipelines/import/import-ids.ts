import { hash } from 'node:crypto'
import type { Identifiers } from '../../schemas/intelligence/ingest/expand.ts'

/**
 * Ids of one import, the same whenever the same place is read: UUID version 8, whose free bits are 60 of a digest of
 * the import, 12 of the observation's number inside its submission and 48 of the line. No hashing per observation.
 */
export type ImportIds = {
  /** Of the submission that one line makes. */
  of(line: number): Identifiers
  /** Whether an id is of this import and of a line after `line`. */
  isAfter(line: number, id: string): boolean
}

/** A submission has at most 1,000 observations, so that the last of 4,096 numbers is free for its own id. */
const SUBMISSION = 'bfff'

export function importIds(importId: string): ImportIds {
  const digest = hash('sha256', importId, 'hex')
  const prefix = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-`
  return {
    of(line) {
      const suffix = `-${line.toString(16).padStart(12, '0')}`
      let index = 0x8000
      return { submissionId: prefix + SUBMISSION + suffix, nextId: () => prefix + (index++).toString(16) + suffix }
    },
    isAfter: (line, id) => id.startsWith(prefix) && Number.parseInt(id.slice(24), 16) > line,
  }
}
