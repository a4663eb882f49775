import fc from 'fast-check'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { GROUPS } from '../../search/oracle/generated/pools.ts'
import { DAY, HOUR, NOW, observation } from '../observation.ts'
import { ASNS, COUNTRIES, normalForm, TAGS, typedValue, VALUES } from './generated.ts'

const REPORTS = 500

const reported = fc.record({
  entity: typedValue,
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  audience: fc.constantFrom(...GROUPS),
  source: fc.integer({ min: 1, max: 4 }),
  reputation: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 6 }),
  // Marks hold for ever, and a mark in public holds for all.
  kind: fc
    .integer({ min: 0, max: 99 })
    .map((n): Observation['kind'] => (n === 0 ? 'well_known' : n === 1 ? 'covered' : 'report')),
  country: fc.option(fc.constantFrom(...COUNTRIES), { freq: 2 }),
  ago: fc.constantFrom(0, HOUR - 1, HOUR, DAY - 1, DAY, DAY + 1, 7 * DAY, 8 * DAY, 400 * DAY),
  id: fc.uuid({ version: 7 }),
})

type Reported = typeof reported extends fc.Arbitrary<infer R> ? R : never

const toObservation = ({ entity, audience, source, kind, country, ago, reputation, ...given }: Reported): Observation =>
  observation({
    ...given,
    ...entity,
    kind,
    reputation: kind === 'report' ? reputation : null,
    audience: kind === 'report' ? audience : ['public'],
    entityId: entityId(entity.type, entity.value),
    attributes: country === null || entity.type === 'country' ? {} : { country },
    userId: `user-${source}`,
    source: `source-${source}`,
    tags: given.tags.sort(),
    observedAt: NOW - ago,
  })

/**
 * Reports of several audiences about few entities, some of them marked and covered, in the order of their time; each
 * entity is reported in public once at least.
 */
export function selectable(seed: number): Observation[] {
  const random = fc.sample(reported, { numRuns: REPORTS, seed })
  const each = Object.entries(VALUES).flatMap(([type, values]) => values.map((raw) => normalForm(type, raw)))
  const fixed = each.map((entity, i): Reported => {
    const id = `019b0000-0000-7000-8000-${String(i).padStart(12, '0')}`
    const rest = { tags: [TAGS[i % TAGS.length]!], audience: ['public'], source: 1, reputation: -1, ago: 2 * DAY }
    return { ...rest, entity, id, kind: 'report', country: COUNTRIES[i % COUNTRIES.length]! }
  })
  return [...random, ...fixed].sort((a, b) => b.ago - a.ago).map(toObservation)
}

/** Where an address is, as a database of addresses would say: some are unknown. */
export const located = (address: string) =>
  address.startsWith('8.') || address.includes('db8')
    ? { country: 'Peru', asn: ASNS[address.length % ASNS.length]!, aso: 'Test' }
    : { country: '', asn: 0, aso: '' }
