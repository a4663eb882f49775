/** What is known, as the observation job would have it: rows that are stored, and the changes that it told. */

import type { LiveIndicators } from '../../../../pipelines/jobs/match/ports.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../pipelines/processors/intelligence/changes.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { type EntityStates, entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import { HOUR, observation } from '../../intelligence/observation.ts'
import { markBytes } from './marks.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }

/** What a reader in some groups is shown, read afresh. */
export type Shown = EntityView & { retracted: boolean }

export function knownWorld() {
  const states = new Map<string, EntityStates>()
  const audiences = new Map<bigint, readonly string[]>()
  const next = [0, 0]

  return {
    next,
    states,
    /** Stores what an observation does. @returns what it changed */
    observe(given: Partial<Observation>): Change[] {
      const one = observation(given)
      const partition = Number(entityKey(one.entityId) % 2n)
      const offset = next[partition]!++
      const audience = audienceId(one.audience)
      const applied = applyBatch(states, [{ observation: one, partition, offset, audience }], rules)
      for (const [id, groups] of applied.audiences) audiences.set(id, groups)
      for (const [id, rows] of applied.states) states.set(id, rows)
      return applied.changes.map((change) => withGroups(change, audiences))
    },
    view(id: string, groups: readonly string[]): Shown | null {
      const reads = (audience: bigint) => (audiences.get(audience) ?? []).some((group) => groups.includes(group))
      const rows = (states.get(id) ?? []).filter(({ audience }) => reads(audience))
      return rows.length === 0 ? null : { ...fold(rows, BUILT_IN), retracted: rows.every((row) => row.retracted) }
    },
    live: async (): Promise<LiveIndicators> => ({
      generation: 'g1',
      rules: BUILT_IN,
      rows: {
        rowsOf: async (ids) => ids.flatMap((id) => [...(states.get(id) ?? [])]),
        groupsOf: async (ids) => new Map(ids.map((id) => [id, audiences.get(id)!])),
      },
      indicators: {
        async *marks(lte) {
          for (const [id, rows] of states) {
            if (id.startsWith('cidr-') || !rows.some(({ reputation }) => reputation <= lte)) continue
            yield markBytes([rows[0]!.value])
          }
        },
        networks: async (lte) =>
          [...states.values()]
            .flat()
            .filter(({ type, reputation }) => type === 'cidr' && reputation <= lte)
            .map(({ value }) => value),
        present: async (ids) => {
          const lone = ids.flatMap((id) => (states.get(id)?.length === 1 ? [...states.get(id)!] : []))
          return { lone, several: ids.filter((id) => (states.get(id)?.length ?? 0) > 1) }
        },
      },
    }),
  }
}
