import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import type { Invalid } from '../../../schemas/intelligence/ingest/invalid.ts'
import type {
  Observation,
  Provenance,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../schemas/intelligence/observations/observation.ts'

/** What ingest knows about a submitter, where a test does not care. */
export const provenance = (given: Partial<Provenance> = {}): Provenance => ({
  userId: 'user-1',
  source: 'customer-1',
  sourceKind: 'customer',
  trust: 0.6,
  kind: 'report',
  audience: ['public'],
  observedAt: 1_700_000_000_000,
  ...given,
})

/** Expands with the ids o1, o2, ...; a refused submission is a failed test. */
export function observations(entity: SubmittedEntity, given: Partial<Provenance> = {}): Observation[] {
  const result = expanded(entity, given)
  if (!result.ok) throw new Error(result.message)
  return result.observations
}

export function expanded(entity: SubmittedEntity, given: Partial<Provenance> = {}): ReturnType<typeof expand> {
  let last = 0
  return expand(entity, provenance(given), { submissionId: 's1', nextId: () => `o${++last}` })
}

export function refusal(entity: SubmittedEntity, given: Partial<Provenance> = {}): Invalid {
  const result = expanded(entity, given)
  if (result.ok) throw new Error('the submission was accepted')
  return result
}

export const ip = (given: Partial<SubmittedEntity> = {}): SubmittedEntity => ({
  type: 'ip',
  attributes: { ip: '8.8.8.8' },
  ...given,
})

export const domain = (name: string, given: Partial<SubmittedAssociation> = {}): SubmittedAssociation => ({
  mode: 'association',
  type: 'domain',
  attributes: { domain: name },
  ...given,
})

/** A chain of associations `levels` deep, each with a name of its own. */
export const chain = (levels: number): SubmittedAssociation[] =>
  levels === 0 ? [] : [domain(`level-${levels}.example.com`, { associations: chain(levels - 1) })]
