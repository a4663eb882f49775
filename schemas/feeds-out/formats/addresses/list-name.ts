import type { FeedFacts } from '../format.ts'

const HEX = 16

/**
 * The name of the list of a feed on a device: two feeds on one device have two lists. The first half of the id, because
 * `ipset` takes 31 characters.
 * @throws TypeError for an id that is no UUID
 */
export function listName({ id }: FeedFacts): string {
  const digits = id.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new TypeError(`the id of a feed must be a UUID: ${id}`)
  return `harrier-${digits.slice(0, HEX)}`
}
