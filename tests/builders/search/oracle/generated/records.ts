import fc from 'fast-check'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { HistoryRecord } from '../../../../../schemas/intelligence/state/stored.ts'
import { observation } from '../../../intelligence/observation.ts'
import type { Shown } from '../fields.ts'
import { ATTRIBUTES, GROUPS, MOMENTS, TAGS, TYPES, VALUES } from './pools.ts'

/** A report as somebody would make it, before it is brought into its normal form. */
const reported = fc.constantFrom(...TYPES, 'ip', 'text', 'text', 'command').chain((type) =>
  fc.record({
    type: fc.constant(type),
    value: VALUES[type]!,
    attributes: fc
      .uniqueArray(fc.constantFrom(...ATTRIBUTES.filter((name) => name !== type)), { maxLength: 5 })
      .chain((names) => fc.tuple(...names.map((name) => VALUES[name]!.map((value) => [name, value] as const)))),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
    audience: fc.constantFrom(...GROUPS),
    user: fc.integer({ min: 1, max: 4 }),
    reputation: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 5 }),
    mark: fc.integer({ min: 0, max: 25 }).map((n) => (n < 2 ? 'well_known' : n === 2 ? 'covered' : null)),
    observedAt: fc.constantFrom(...MOMENTS),
    id: fc.uuid({ version: 7 }),
  }),
)

/** Reports as they stand in the log; what has no normal form is left out. */
export function observations(most: number, seed: number): Observation[] {
  return fc.sample(reported, { numRuns: most, seed }).flatMap(({ user, mark, attributes, ...given }) => {
    const value = normalise(given.type, given.value)
    if (typeof value !== 'string') return []
    const normal = attributes.flatMap(([name, raw]) => {
      const found = normalise(name, raw)
      return typeof found === 'string' ? [[name, found]] : []
    })
    const said = { ...given, value, attributes: Object.fromEntries(normal), tags: given.tags.sort() }
    return observation({
      ...said,
      entityId: entityId(given.type, value),
      userId: `user-${user}`,
      source: `source-${user}`,
      ...(mark !== null && { kind: mark, audience: ['public'] }),
    })
  })
}

/** A kept report as an answer shows it to a reader in these groups (`public` among them). */
export const shownRecord = (
  { observation: o, accuracy, wellKnown }: HistoryRecord,
  groups: readonly string[],
): Shown => ({
  id: o.id,
  entityID: o.entityId,
  type: o.type,
  userID: o.userId,
  attributes: { [o.type]: o.value, ...o.attributes },
  reputation: o.reputation ?? 0,
  accuracy,
  tags: o.tags,
  visibleBy: o.audience.filter((group) => groups.includes(group)),
  wellKnown,
  '@timestamp': new Date(o.observedAt).toISOString(),
  lastSeen: new Date(o.observedAt).toISOString(),
})

/** Audiences that somebody in these groups reads. */
export const readableBy = (groups: readonly string[]): Set<bigint> =>
  new Set(GROUPS.filter((audience) => audience.some((group) => groups.includes(group))).map(audienceId))
