import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { listItem, SEEN } from './list-items.ts'

/** Numbers below a bound; the same seed gives the same numbers. */
type Below = (bound: number) => number

export function numbers(seed: number): Below {
  let state = seed >>> 0
  return (bound) => {
    // The generator of PCG's documents, of which the high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const hex = (below: Below, digits: number): string =>
  Array.from({ length: digits }, () => below(16).toString(16)).join('')
const word = (below: Below): string => `w${below(2000).toString(36)}`
const ipv4 = (below: Below): string => [1 + below(222), below(256), below(256), below(256)].join('.')
const ipv6 = (below: Below): string => ['2a00', below(9), below(99), below(9), 0, 0, below(9), below(99)].join(':')

/** Texts of each type, most of them usable. Names and networks often contain others. */
const MAKERS: readonly (readonly [type: string, make: (below: Below) => string])[] = [
  ['ip', ipv4],
  ['ip', ipv6],
  ['cidr', (below) => `${ipv4(below)}/${8 + below(24)}`],
  ['cidr', (below) => `${ipv6(below)}/${12 + below(116)}`],
  ['domain', (below) => `${word(below)}.example.com`],
  ['hostname', (below) => `${word(below)}.${word(below)}.example.com`],
  ['domain', (below) => `${word(below)}.${['co.uk', 'github.io', 'ck', 'org'][below(4)]}`],
  ['url', (below) => `http://${word(below)}.example.com/${word(below)}?${word(below)}=${below(99)}`],
  ['url', (below) => `https://${ipv4(below)}:${1 + below(65_000)}/`],
  ['md5', (below) => hex(below, 32)],
  ['sha1', (below) => hex(below, 40)],
  ['sha256', (below) => hex(below, 64)],
  ['email-address', (below) => `${word(below)}@${word(below)}.example.com`],
  ['filename', (below) => `${word(below)} "${word(below)}",'.exe`],
  ['asn', (below) => String(below(2 ** 32))],
  ['mac-address', (below) => hex(below, 12)],
  ['command', (below) => `${word(below)} -${word(below)} | ${word(below)}\\`],
]

/** Items in normal form, each once. */
export function randomItems(count: number, seed: number): FeedItem[] {
  const below = numbers(seed)
  const items = new Map<string, FeedItem>()
  for (let tries = 0; items.size < count && tries < 20 * count; tries++) {
    const [type, make] = MAKERS[below(MAKERS.length)]!
    const value = normalise(type, make(below))
    if (typeof value !== 'string') continue
    const score = { reputation: below(7) - 3, accuracy: below(4), tags: below(3) === 0 ? [] : [word(below)] }
    const item = listItem(type, value, { ...score, lastSeen: SEEN + below(86_400_000) })
    items.set(item.entityId, item)
  }
  return [...items.values()]
}
