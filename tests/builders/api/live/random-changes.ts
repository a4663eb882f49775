/** Random reports to several audiences as the changes that they make, of two partitions. */

import fc from 'fast-check'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { replayedChanges } from '../../intelligence/changes.ts'
import { HOUR, NOW, observation } from '../../intelligence/observation.ts'

const RULES = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const VALUES = ['a.example', 'b.example', 'c.example', 'd.example']
export const AUDIENCES = [['public'], ['blue'], ['red'], ['blue', 'red']]

const report = fc.record({
  value: fc.constantFrom(...VALUES),
  audience: fc.constantFrom(...AUDIENCES),
  reputation: fc.integer({ min: -3, max: 3 }),
  tags: fc.subarray(['x', 'y']),
  source: fc.constantFrom('s1', 's2'),
  links: fc.subarray(VALUES, { maxLength: 2 }),
})
export type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

export const reports = (maxLength: number): fc.Arbitrary<Report[]> => fc.array(report, { minLength: 1, maxLength })

/** Which of two partitions has an entity. */
export const partitionOf = (value: string): number => VALUES.indexOf(value) % 2

/** The changes that these reports make, in the order of the reports; each has the place of its partition. */
export function changesFrom(given: readonly Report[]): Change[] {
  const places = [0, 0]
  const records = given.map(({ value, links, ...rest }, i) => {
    const partition = partitionOf(value)
    const o: Observation = observation({
      ...rest,
      id: `019b0000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      type: 'domain',
      value,
      observedAt: NOW + i,
      links: links.map((to) => ({ mode: 'association', entityId: entityId('domain', to), relationship: null })),
    })
    return { observation: o, partition, offset: places[partition]!++, audience: audienceId(o.audience) }
  })
  return replayedChanges(records, RULES)
}
