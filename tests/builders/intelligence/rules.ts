import fc from 'fast-check'
import { definitions } from '../../../schemas/intelligence/entities/catalogue.ts'
import { readRules, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'

const trust = fc.oneof(fc.constantFrom(0.1, 0.79, 0.8, 1), fc.double({ min: 0.001, max: 1, noNaN: true }))
const days = fc.oneof(fc.constantFrom(1, 7, 30, 180), fc.double({ min: 0.01, max: 3650, noNaN: true }))

/** Any rules that an operator may write about these sources and types. */
export const anyRules = (
  sources: readonly string[],
  types: readonly string[] = definitions().map(({ type }) => type),
): fc.Arbitrary<ScoringRules> =>
  fc
    .record({
      id: fc.constantFrom('strict', 'a.b:c-1'),
      formula: fc.constantFrom(1, 2),
      trust: fc.dictionary(fc.constantFrom(...sources, 'kind:feed', 'kind:user', 'kind:customer'), trust),
      halfLives: fc.dictionary(fc.constantFrom(...types, '*'), days),
    })
    .map(readRules)
