import { describe } from '../../../schemas/intelligence/ingest/attributes.ts'
import { expand, MAX_ENTITIES, MAX_LEVELS } from '../../../schemas/intelligence/ingest/expand.ts'
import type {
  Observation,
  Provenance,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../schemas/intelligence/observations/observation.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'

/** The task as far as it decides what is submitted. */
type ScannedTask = {
  id: string
  /** How often an administrator asked for it again. */
  round: number
  /** When the first run of the round began; unix milliseconds. */
  startedAt: number
} & Pick<Provenance, 'userId' | 'source' | 'trust' | 'audience'>

export type ScanObservations = {
  observations: Observation[]
  /** Different entities among them. */
  entities: number
  /** Whether more was found than one scan may submit. */
  cut: boolean
}

type Node = { given: SubmittedEntity | SubmittedAssociation; mode: SubmittedAssociation['mode'] }

/**
 * What a scan found as observations of whoever asked for it, seen when its first run began. Facts that cannot be
 * entities, such as a private address, are left out, and what hangs on them moves up. Ids follow from the task: the
 * same findings are the same observations, whichever worker submits them.
 */
export function scanObservations(scan: ScannedTask, found: readonly SubmittedEntity[]): ScanObservations {
  const provenance: Provenance = {
    userId: scan.userId,
    source: scan.source,
    sourceKind: 'scan',
    trust: scan.trust,
    kind: 'report',
    audience: [...scan.audience],
    observedAt: scan.startedAt,
  }
  const name = `scan/${scan.id}/${scan.round}`
  let index = 0
  const ids = { submissionId: namedUuid(name), nextId: () => namedUuid(`${name}/${index++}`) }
  const budget = { left: MAX_ENTITIES, cut: false }
  const roots = keepWithinBudget(
    found.map((given) => ({ given, mode: 'association' })),
    1,
    budget,
  )
  const observations = roots.flatMap(({ mode: _mode, ...root }) => {
    const expanded = expand(root, provenance, ids)
    return expanded.ok ? expanded.observations : []
  })
  return { observations, entities: new Set(observations.map(({ entityId }) => entityId)).size, cut: budget.cut }
}

/** In document order, at most as many as the budget has left; `level` of the root is 1. */
function keepWithinBudget(
  nodes: readonly Node[],
  level: number,
  budget: { left: number; cut: boolean },
): SubmittedAssociation[] {
  const result: SubmittedAssociation[] = []
  for (const { given, mode } of nodes) {
    const inner = (given.associations ?? []).map((child): Node => ({ given: child, mode: child.mode }))
    if (!describe(given.type, given.attributes, '').ok) {
      result.push(...keepWithinBudget(inner, level, budget))
      continue
    }
    // The root and ten levels of associations below it.
    if (budget.left === 0 || level > MAX_LEVELS + 1) {
      budget.cut = true
      break
    }
    budget.left--
    const associations = keepWithinBudget(inner, level + 1, budget)
    result.push({ mode, type: given.type, attributes: given.attributes, ...(associations[0] && { associations }) })
  }
  return result
}
