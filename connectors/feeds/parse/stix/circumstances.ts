import { type Json, textOf } from '../document.ts'
import type { Circumstances } from '../linked.ts'
import type { Marking } from '../marking.ts'
import { writtenDate } from './written-date.ts'

/** What a STIX object says about its own statement: its readers, the confidence of its producer, and its validity. */
export function circumstancesOf(object: Json, marking: Marking | undefined): Circumstances {
  const confidence = Number(textOf(object.confidence).trim() || Number.NaN)
  const sure = confidence >= 0 && confidence <= 100
  const [from, until] = [momentOf(object.valid_from), momentOf(object.valid_until)]
  return {
    ...(marking === undefined ? {} : { marking }),
    ...(sure ? { confidence } : {}),
    ...(from === undefined ? {} : { validFrom: from }),
    ...(until === undefined ? {} : { validUntil: until }),
  }
}

/** Unix milliseconds of a STIX timestamp (RFC 3339), also in other forms of dates (ADR 256); undefined without one. */
export function momentOf(value: unknown): number | undefined {
  const date = writtenDate(textOf(value))
  return date === null ? undefined : Date.parse(date)
}
