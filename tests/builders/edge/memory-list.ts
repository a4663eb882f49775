import ipaddr from 'ipaddr.js'
import type { Answers, Listed, Places, Prefix, Unlisted } from '../../../edge/answers/port.ts'
import { type Asked, askedOf } from '../../../schemas/intelligence/reputation/asked.ts'

/** A list in memory, small enough to be looked through: what the listeners of an edge ask, without an edge. */

export type MemoryItem = {
  type: 'ip' | 'cidr' | 'domain'
  /** In normal form. */
  value: string
  reputation: number
  accuracy?: number
  tags?: readonly string[]
}

export type MemoryList = Answers &
  Places & {
    items: MemoryItem[]
    /** What the list says of itself from now on. */
    set(state: Partial<State>): void
  }

type State = { stale: boolean; sequence: number; ageSeconds: number | null }

/** One that answers as edges do: the item itself, or the nearest above it that has a reputation other than 0. */
export function memoryList(given: readonly MemoryItem[]): MemoryList {
  const items = [...given]
  const state: State = { stale: false, sequence: 42, ageSeconds: 12.7 }
  const named = (value: string): MemoryItem | undefined => items.find((item) => item.value === value)
  const negative = (): MemoryItem[] => items.filter(({ reputation }) => reputation < 0)

  /** The narrowest network around an address that decides. */
  function around({ above: { within } }: Asked): MemoryItem | undefined {
    if (within?.type !== 'ip') return undefined
    const address = ipaddr.parse(within.value).toByteArray()
    return items
      .filter(({ type, reputation }) => type === 'cidr' && reputation !== 0)
      .map((item) => ({ item, network: prefixOf(item) }))
      .filter(({ network }) => shareBits(Uint8Array.from(address), network.bytes, network.bits))
      .sort((a, b) => b.network.bits - a.network.bits)[0]?.item
  }

  function answer(key: string): Listed | Unlisted {
    const asked = askedOf(key)
    const item = asked.own.map(({ value }) => named(value)).find((found) => found !== undefined)
    const above = asked.above.levels.map(({ value }) => named(value)).find((found) => (found?.reputation ?? 0) !== 0)
    const decides = (item?.reputation ?? 0) === 0 ? (above ?? around(asked) ?? item) : item
    if (decides === undefined) return { value: key, listed: false }
    const { reputation, accuracy = 2, tags = [], type, value } = decides
    const said = { value: key, listed: true as const, reputation, accuracy, tags }
    return decides === item
      ? { ...said, id: `id of ${value}`, type }
      : { ...said, by: { id: `id of ${value}`, type, value } }
  }

  return {
    items,
    set: (changed) => void Object.assign(state, changed),
    isStale: () => state.stale,
    answer,
    json: () => null,
    size: () => items.length,
    sequence: () => state.sequence,
    ageSeconds: () => state.ageSeconds,
    isAboveListed: (name) => negative().some(({ value }) => name === '' || value.endsWith(`.${name}`)),
    holdsListed: ({ bytes, bits }) =>
      negative()
        .filter(({ type }) => type !== 'domain')
        .map(prefixOf)
        .some((network) => shareBits(bytes, network.bytes, Math.min(bits, network.bits))),
  }
}

function prefixOf({ value }: MemoryItem): Prefix {
  const [address, bits] = value.split('/') as [string, string | undefined]
  const bytes = Uint8Array.from(ipaddr.parse(address).toByteArray())
  return { bytes, bits: bits === undefined ? 8 * bytes.length : Number(bits) }
}

const shareBits = (a: Uint8Array, b: Uint8Array, bits: number): boolean =>
  a.length === b.length && Array.from({ length: bits }, (_, i) => i).every((i) => bit(a, i) === bit(b, i))

const bit = (bytes: Uint8Array, i: number): number => (bytes[i >> 3]! >> (7 - (i % 8))) & 1
