import { halfLifeDays, OTHERS } from '../entities/half-life.ts'
import type { SourceKind } from '../observations/observation.ts'
import { BUILT_IN, type ScoringRules } from './rules.ts'

/** Of scoring rules what concerns the claims about one entity: so little that a record can carry it. */
export type FoldRules = {
  /** As of `ScoringRules`. */
  formula: number
  /** Of the type of the entity, days. */
  halfLife: number
  /** Of the sources and the kinds of sources of the claims. */
  trust: Readonly<Record<string, number>>
}

/** What of these rules concerns claims of these sources about an entity of this type. */
export function foldRulesOf(
  type: string,
  sources: Iterable<{ source: string; kind: SourceKind }>,
  rules: ScoringRules,
): FoldRules {
  const trust: Record<string, number> = {}
  const { formula } = rules
  const halfLife = halfLifeDays(type, rules)
  if (rules.trust === BUILT_IN.trust) return { formula, halfLife, trust }
  for (const { source, kind } of sources)
    for (const name of [source, `kind:${kind}`]) if (Object.hasOwn(rules.trust, name)) trust[name] = rules.trust[name]!
  return { formula, halfLife, trust }
}

/** Rules that score those claims as the whole ones do. */
export const scoringOf = ({ formula, halfLife, trust }: FoldRules): ScoringRules => ({
  id: '',
  formula: formula === 2 ? 2 : 1,
  trust,
  halfLives: { [OTHERS]: halfLife },
})
