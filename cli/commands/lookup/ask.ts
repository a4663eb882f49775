import type { AdminRequest } from '../admin/server-context.ts'

/** What the platform knows of a value: the worst entity with it, and the networks around it. */
export type KnownValue = {
  id: string | null
  reputation: number | null
  accuracy: number | null
  lastSeen: string | null
  tags: readonly string[]
  networks: readonly string[]
  /** What is above the value and decides for it, where that was asked (decisions 18.3). */
  by?: { id: string; type: string; value: string } | null
}

/** How values are asked about: where, how many at once, and what of an answer is known. */
export type Question = {
  path: string
  most: number
  knownIn(answer: unknown): Iterable<[value: string, known: KnownValue]>
}

type Entity = { id: string; reputation: number; accuracy: number; lastSeen: string; tags: string[] }
type Answer = { results: { value: string; entities: Entity[]; coveredBy?: { value: string }[] }[] }

/** What was reported of the values themselves. */
export const REPORTED: Question = {
  path: '/api/search/v1/entities/lookup',
  // Fewer than a request may have, so that the answer comes soon.
  most: 2_000,
  knownIn: (answer) =>
    (answer as Answer).results.map(({ value, entities, coveredBy = [] }) => [value, worstOf(entities, coveredBy)]),
}

type Verdict = Omit<Entity, 'id' | 'lastSeen'> & {
  value: string
  known: boolean
  id?: string
  lastSeen?: string
  by?: NonNullable<KnownValue['by']>
}

/** Who decides for the values: they themselves, or what is above them (decisions 18.3). */
export const DECIDED: Question = {
  path: '/api/search/v1/reputation',
  most: 10_000,
  *knownIn(answer) {
    for (const { value, known, id, lastSeen, by, ...shown } of (answer as { items: Verdict[] }).items) {
      const { reputation, accuracy, tags } = shown
      if (!known && by === undefined) continue
      const own = { id: id ?? null, lastSeen: lastSeen ?? null }
      yield [value, { ...own, reputation, accuracy, tags, networks: [], by: by ?? null }]
    }
  },
}

/** A request is a body of at most 1 MiB. */
const MAX_BYTES = 900_000

/** Values in portions that the platform takes. */
export function* portions(values: readonly string[], most = REPORTED.most): Generator<string[]> {
  let portion: string[] = []
  let bytes = 0
  for (const value of values) {
    const more = Buffer.byteLength(JSON.stringify(value)) + 1
    if (portion.length > 0 && (portion.length === most || bytes + more > MAX_BYTES)) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(value)
    bytes += more
  }
  if (portion.length > 0) yield portion
}

/**
 * Looks values up, one portion after the other. `known` has those of which something is known; `asked` all that were
 * answered. `failed`: why the rest was not, in the words of the platform.
 */
export async function askAbout(
  values: readonly string[],
  { path, most, knownIn }: Question,
  ask: AdminRequest,
  signal: AbortSignal,
): Promise<{ known: Map<string, KnownValue>; asked: Set<string>; failed: Error | null }> {
  const known = new Map<string, KnownValue>()
  const asked = new Set<string>()
  for (const portion of portions(values, most)) {
    if (signal.aborted) return { known, asked, failed: new Error('stopped before everything was looked up') }
    try {
      for (const [value, one] of knownIn(await ask('POST', path, { values: portion }))) known.set(value, one)
      for (const value of portion) asked.add(value)
    } catch (cause) {
      return { known, asked, failed: cause as Error }
    }
  }
  return { known, asked, failed: null }
}

function worstOf(entities: readonly Entity[], coveredBy: readonly { value: string }[]): KnownValue {
  const worst = entities.toSorted((a, b) => a.reputation - b.reputation || b.accuracy - a.accuracy)[0]
  return {
    id: worst?.id ?? null,
    reputation: worst?.reputation ?? null,
    accuracy: worst?.accuracy ?? null,
    lastSeen: worst?.lastSeen ?? null,
    tags: [...new Set(entities.flatMap(({ tags }) => tags))],
    networks: coveredBy.map(({ value }) => value),
  }
}
