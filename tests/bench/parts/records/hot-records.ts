import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Positioned } from '../../../../schemas/intelligence/state/stored.ts'
import { observation } from '../../../builders/intelligence/observation.ts'

/** Who reports what in the bench of a hot entity. */
export type Case = string

const START = Date.UTC(2026, 0, 15)
const PUBLIC = audienceId(['public'])
const ONE = 'one entity, one source'
const hotOf = (sources: number): Case => `one entity, ${sources} sources`
const manyOf = (sources: number): Case => `${sources} entities, one source each`

/** The baseline comes first. */
export const casesOf = (sources: number): Case[] => [ONE, hotOf(sources), manyOf(sources)]

/**
 * `count` observations from the n-th on, 7 s apart: of `sources` sources by turns, a third of which say something else
 * than the others, with trusts of their own; a source that reports again says the same.
 */
export function recordsOf(of: Case, sources: number, from: number, count: number): Positioned[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i
    const turn = (n * 7) % sources
    const who = of === hotOf(sources) ? turn : 0
    const value = of === manyOf(sources) ? `11.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}` : '11.0.0.1'
    const o = observation({
      id: `019b0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
      entityId: entityId('ip', value),
      value,
      source: `s-${who}`,
      sourceKind: who % 5 === 0 ? 'feed' : 'user',
      trust: [0.6, 0.6, 0.9, 0.3][who % 4]!,
      reputation: [-3, -3, -2, -3, null, -1, 1][who % 7]!,
      observedAt: START + n * 7_000,
    })
    return { observation: o, partition: 0, offset: n, audience: PUBLIC }
  })
}
