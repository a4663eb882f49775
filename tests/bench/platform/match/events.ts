/** Telemetry as sensors send it: a few values again and again, most of them seldom, one event in a hundred is a hit. */

import type { TelemetryRecord } from '../../../../schemas/match/event.ts'

/** Indicators that events meet. */
export const HITS = 10_000
const HIT_SHARE = 0.01
const NAMES = 300_000
const ADDRESSES = 200_000
const MACHINES = 3_000
const ZONES = 40_000
/** The n-th most frequent value is about as frequent as 1/n to this power says of all. */
const SKEW = 4

export type Indicator = { type: 'domain' | 'ip'; value: string }

/** The nth indicator that events meet: names and addresses by turns. */
export const indicatorOf = (n: number): Indicator =>
  n % 2 === 0
    ? { type: 'domain', value: `evil${n}.bench-${n % 97}.net` }
    : { type: 'ip', value: `45.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }

/** Numbers from 0 up to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

const nameOf = (n: number): string => `h${n}.svc${n % 7}.site${n % ZONES}.com`
const addressOf = (n: number): string => `${60 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.${(n * 7) & 255}`
const privateOf = (n: number): string => `10.1.${n >> 8}.${n & 255}`
const hex = (n: number): string => n.toString(16).padStart(8, '0')

type Fields = Record<string, string[]>

/**
 * Events, one a call.
 * @param seed another for other ids
 */
export function eventMaker(seed: number, owner: string, now: number): () => TelemetryRecord {
  const next = numbers(seed * 2_654_435_761)
  const often = (of: number): number => Math.floor(of * next() ** SKEW)
  let n = 0

  function dns(name: string): Fields {
    const answers =
      next() < 0.5 ? [addressOf(often(ADDRESSES))] : [addressOf(often(ADDRESSES)), addressOf(often(ADDRESSES))]
    return { query: [name], answers, src: [privateOf(often(MACHINES))] }
  }

  function fields(name: string, address: string): [kind: string, Fields] {
    const kind = next()
    const src = [privateOf(often(MACHINES))]
    if (kind < 0.4) return ['dns', dns(name)]
    if (kind < 0.65) return ['flow', { src, dst: [address] }]
    if (kind < 0.85) return ['tls', { src, dst: [address], sni: [name], ja3: [hex(often(500)).repeat(4)] }]
    const path = next() < 0.5 ? `item/${Math.floor(next() * 1e9)}` : `page${often(200)}`
    return ['http', { src, dst: [address], url: [`http://${name}/${path}`], hostname: [name] }]
  }

  return () => {
    const hit = next() < HIT_SHARE ? indicatorOf(Math.floor(next() * HITS)) : null
    const name = hit?.type === 'domain' ? hit.value : nameOf(often(NAMES))
    const address = hit?.type === 'ip' ? hit.value : addressOf(often(ADDRESSES))
    const [kind, found] = hit?.type === 'ip' ? (['flow', { dst: [address] }] as const) : fields(name, address)
    const id = `C${hex(seed)}${(n++).toString(36).padStart(8, '0')}`
    const host = `pc${often(MACHINES)}`
    return {
      feed: '',
      owner,
      id,
      at: now - Math.floor(next() * 60_000),
      kind,
      host,
      user: null,
      fields: found,
      ref: id,
    }
  }
}

/** As a line of a body of `POST /api/match/v1/events`. */
export function lineOf({ feed: _, owner: __, fields, ...event }: TelemetryRecord): string {
  const single = Object.entries(fields).map(([name, values]) => [name, name === 'answers' ? values : values[0]])
  return JSON.stringify({ ...event, fields: Object.fromEntries(single) })
}
