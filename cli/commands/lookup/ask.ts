import type { AdminRequest } from '../admin/server-context.ts'

/** What the platform knows of a value: the worst entity with it, and the networks around it. */
export type KnownValue = {
  id: string | null
  reputation: number | null
  accuracy: number | null
  lastSeen: string | null
  tags: readonly string[]
  networks: readonly string[]
}

type Entity = { id: string; reputation: number; accuracy: number; lastSeen: string; tags: string[] }
type Answer = { results: { value: string; entities: Entity[]; coveredBy?: { value: string }[] }[] }

/** Values of one request: fewer than it may have, so that the answer comes soon. */
const MAX_VALUES = 2_000
/** A request is a body of at most 1 MiB. */
const MAX_BYTES = 900_000

/** Values in portions that the platform takes. */
export function* portions(values: readonly string[]): Generator<string[]> {
  let portion: string[] = []
  let bytes = 0
  for (const value of values) {
    const more = Buffer.byteLength(JSON.stringify(value)) + 1
    if (portion.length > 0 && (portion.length === MAX_VALUES || bytes + more > MAX_BYTES)) {
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
  ask: AdminRequest,
  signal: AbortSignal,
): Promise<{ known: Map<string, KnownValue>; asked: Set<string>; failed: Error | null }> {
  const known = new Map<string, KnownValue>()
  const asked = new Set<string>()
  for (const portion of portions(values)) {
    if (signal.aborted) return { known, asked, failed: new Error('stopped before everything was looked up') }
    try {
      const { results } = (await ask('POST', '/api/search/v1/entities/lookup', { values: portion })) as Answer
      for (const { value, entities, coveredBy = [] } of results) known.set(value, worstOf(entities, coveredBy))
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
