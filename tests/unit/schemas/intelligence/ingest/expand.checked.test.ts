import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { expand } from '../../../../../schemas/intelligence/ingest/expand.ts'
import { canonicalAudience } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { cases } from '../../../../builders/datatypes/cases.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { provenance } from '../../../../builders/intelligence/submission.ts'

/**
 * Reports of the API, lines of an import and submissions of producers are sent as checked, and the job does not judge
 * them again: so whatever `expand` takes, the job would take.
 */

const encode = encoder<Observation>(records.observation, 1)
const decode = decoder<Observation>(records.observation, () => records.observation)

/** Why the job would refuse one of the observations, as it reads them. */
function faultsOf(observations: readonly Observation[]): string[] {
  return observations.flatMap((one) => {
    const read = decode(encode(one))
    const fault = read.ok ? faultOf(read.record, NOW) : read.reason
    return fault === null ? [] : [`${one.type} ${one.value}: ${fault}`]
  })
}

const values = definitions().flatMap(({ type, dataType }) => cases[dataType].valid.map(([text]) => ({ type, text })))
const named = fc.constantFrom(...values)
const entity = fc.record({
  main: named,
  others: fc.array(named, { maxLength: 3 }),
  associates: fc.array(named, { maxLength: 3 }),
  tags: fc.array(fc.constantFrom('b', ' A', 'a', 'ü', 'x y', 'é'), { maxLength: 4 }),
  reputation: fc.option(fc.integer({ min: -3, max: 3 })),
  kind: fc.constantFrom('report' as const, 'well_known' as const),
  groups: fc.array(fc.constantFrom('public', 'blue', 'red'), { minLength: 1, maxLength: 3 }),
  trust: fc.constantFrom(0.01, 0.6, 1),
})

test('whatever a submission becomes, the job takes', () => {
  let taken = 0
  fc.assert(
    fc.property(entity, ({ main, others, associates, tags, reputation, kind, groups, trust }) => {
      const attributes = Object.fromEntries([...others, main].map(({ type, text }) => [type, text]))
      const associations = associates.map(({ type, text }) => ({
        mode: 'association' as const,
        type,
        attributes: { [type]: text },
      }))
      const audience = kind === 'well_known' ? ['public'] : canonicalAudience(groups)
      const given = { type: main.type, attributes, tags, associations, ...(reputation !== null && { reputation }) }
      const from = provenance({ kind, trust, audience, observedAt: NOW })
      const expanded = expand(given, from, { submissionId: randomUUID(), nextId: randomUUID })
      if (!expanded.ok) return
      taken++
      expect(faultsOf(expanded.observations)).toEqual([])
    }),
    { numRuns: 1_000 },
  )
  expect(taken).toBeGreaterThan(300)
})

test('every value that a type reads is taken', () => {
  const taken = values.filter(({ type, text }) => {
    const ids = { submissionId: randomUUID(), nextId: randomUUID }
    const expanded = expand({ type, attributes: { [type]: text } }, provenance({ observedAt: NOW }), ids)
    if (expanded.ok) expect(faultsOf(expanded.observations)).toEqual([])
    return expanded.ok
  })
  expect(taken.length).toBeGreaterThan(values.length / 2)
})
