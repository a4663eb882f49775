import { hash } from 'node:crypto'

/**
 * What an object of a producer claims, so that a later one of the same id takes back exactly that (decisions 15.3, ADR
 * 223). A topic has the latest of each object.
 */
export type StatedObject = {
  /** `source` of the observations that were made of it. */
  source: string
  /** The producer's id of it, as `rememberedId` has it. */
  id: string
  /** Text that sorts by time; `''` without versions. */
  version: string
  claims: StatedClaim[]
  /** What earlier versions claimed, this one does not, and may still count. */
  gone: StatedClaim[]
}

/** A claim about an entity to an audience. Unix milliseconds: when it was first and last stated, and when it ends; 0: never. */
export type StatedClaim = { entityId: string; audience: bigint; from: number; to: number; until: number }

/** An entity and an audience, as a key. */
export const pairOf = ({ entityId, audience }: Pick<StatedClaim, 'entityId' | 'audience'>): string =>
  `${entityId} ${audience}`

/** Bounds of what is remembered of one object, so that it fits into a record of the log. */
const MAX_CLAIMS = 2_000
const MAX_ID = 512

export type Restatement = {
  source: string
  id: string
  version: string
  /** Unix milliseconds: the time of the claims. */
  at: number
  claims: readonly Pick<StatedClaim, 'entityId' | 'audience' | 'until'>[]
}

/**
 * The object after a version of it was stated, at the latest at the time of the claims; what only earlier versions claimed
 * is gone. null: a later version is known, so nothing of this one counts.
 */
export function restated(known: StatedObject | undefined, { at, ...said }: Restatement): StatedObject | null {
  if (known !== undefined && said.version < known.version) return null
  const before = new Map((known?.claims ?? []).map((claim) => [pairOf(claim), claim]))
  const claims = new Map<string, StatedClaim>()
  for (const claim of said.claims) {
    const pair = pairOf(claim)
    const stated = { ...claim, from: at, to: at }
    // A resumed import states at the time at which it began: another one may have stated the same later.
    if (claims.size < MAX_CLAIMS || claims.has(pair)) claims.set(pair, spanOf(stated, before.get(pair) ?? stated))
  }
  const gone = new Map((known?.gone ?? []).map((claim) => [pairOf(claim), claim]))
  for (const [pair, claim] of before) {
    const earlier = gone.get(pair)
    if (claims.has(pair)) continue
    if (earlier !== undefined || gone.size < MAX_CLAIMS) gone.set(pair, spanOf(claim, earlier ?? claim))
  }
  const { source, id, version } = said
  return { source, id: rememberedId(id), version, claims: [...claims.values()], gone: [...gone.values()] }
}

/** The object after its producer took it back. null: a later version is known. */
export const withdrawn = (
  known: StatedObject | undefined,
  said: Pick<Restatement, 'source' | 'id' | 'version'>,
): StatedObject | null => restated(known, { ...said, at: 0, claims: [] })

/** Two claims about one pair as one, which lasted from the first to the last of both. */
export const spanOf = (a: StatedClaim, b: StatedClaim): StatedClaim => ({
  ...a,
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
})

/** Of the version of an object at an offset of the topic, the pairs that were taken back. */
export type TakenBack = { source: string; id: string; offset: number; pairs: string[] }

export type ObjectRecord = { kind: 'object'; object: StatedObject } | { kind: 'taken'; taken: TakenBack }

/** A record of the topic. Its partition is always the first one: what comes after what matters. */
type Message = { key: string; value: Buffer; partition: number }

/** The id that an object is remembered by: overlong ones by their digest. */
export const rememberedId = (id: string): string => (id.length > MAX_ID ? hash('sha256', id, 'hex') : id)

type Row = [entityId: string, audience: string, from: number, to: number, until: number]

const rowsOf = (claims: readonly StatedClaim[]): Row[] =>
  claims.map(({ entityId, audience, from, to, until }) => [entityId, String(audience), from, to, until])

const claimsOf = (rows: readonly Row[]): StatedClaim[] =>
  rows.map(([entityId, audience, from, to, until]) => ({ entityId, audience: BigInt(audience), from, to, until }))

export function objectMessage({ source, id, version, claims, gone }: StatedObject): Message {
  const key = JSON.stringify(['object', source, id])
  const value = { source, id, version, claims: rowsOf(claims), gone: rowsOf(gone) }
  return { key, value: Buffer.from(JSON.stringify(value)), partition: 0 }
}

export function takenMessage(taken: TakenBack): Message {
  const key = JSON.stringify(['taken', taken.source, taken.id])
  return { key, value: Buffer.from(JSON.stringify(taken)), partition: 0 }
}

/** What a record of the topic says; null: nothing that this version can read. */
export function readObjectRecord(key: string, value: Buffer): ObjectRecord | null {
  try {
    const kind = (JSON.parse(key) as unknown[])[0]
    if (kind === 'taken') return { kind, taken: JSON.parse(value.toString()) as TakenBack }
    if (kind !== 'object') return null
    const { claims, gone, ...rest } = JSON.parse(value.toString())
    return { kind, object: { ...rest, claims: claimsOf(claims), gone: claimsOf(gone) } }
  } catch {
    return null
  }
}
