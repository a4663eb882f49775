import { hash } from 'node:crypto'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { instant } from '../../../schemas/feeds-out/formats/text/instant.ts'
import { json } from '../../../schemas/feeds-out/formats/text/json.ts'

const HEX_OF_64_BITS = 16
const MICROS_A_MS = 1_000

const digestOf = (text: string): bigint => BigInt(`0x${hash('sha1', text, 'hex').slice(0, HEX_OF_64_BITS)}`)

/** Digest of what a feed shows of an entity: the same as long as nothing of it changes that makes a delta. */
export const shownDigest = ({ type, value, reputation, accuracy, tags }: FeedItem): bigint =>
  digestOf(JSON.stringify([type, value, reputation, accuracy, tags]))

/** Digest of an object of STIX. */
export const textDigest = digestOf

/** Quotes within a text are escaped, so these stand for members alone; objects that we write nest no other with them. */
const MODIFIED = /"modified":"([^"]+)"/
const CREATED = /"created":"([^"]+)"/

/** Whether an object has versions: those of observables and definitions follow from when they were added. */
export const hasVersions = (text: string): boolean => MODIFIED.test(text)

/** The version of an object as a manifest says it, unix microseconds: modified, else created, else when it was added. */
export function versionOf(text: string, added: number): number {
  const said = Date.parse((MODIFIED.exec(text) ?? CREATED.exec(text))?.[1] ?? '')
  return Number.isNaN(said) ? added : said * MICROS_A_MS
}

/**
 * The same object, taken back: a new version (STIX 2.1, 3.6). An indicator ends with it as well, for readers that go by its
 * validity alone.
 * @param modified unix milliseconds
 */
export function revoked(text: string, modified: number): string {
  const object = JSON.parse(text) as Record<string, unknown>
  object.modified = instant(modified)
  object.revoked = true
  if (object.type === 'indicator') object.valid_until = instant(endOf(object, modified))
  return json(object)
}

/** Not after the moment, not after the end that was said, and after the beginning, as STIX demands. */
function endOf({ valid_from: from, valid_until: until }: Record<string, unknown>, at: number): number {
  const [first, last] = [Date.parse(String(from)), Date.parse(String(until))]
  const end = Number.isNaN(last) ? at : Math.min(last, at)
  return Number.isNaN(first) ? end : Math.max(first + 1, end)
}
