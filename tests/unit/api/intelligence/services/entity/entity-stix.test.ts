import { expect, test } from 'vitest'
import { entityStix } from '../../../../../../api/intelligence/services/entity/entity-stix.ts'
import type { EntityViews } from '../../../../../../api/intelligence/services/entity/entity-views.ts'
import { PUBLIC_AUDIENCE } from '../../../../../../schemas/intelligence/observations/audience.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../../schemas/intelligence/state/entity-view.ts'
import { entityRow } from '../../../../../builders/intelligence/entity-row.ts'

const id = (n: number) => `ip-${String(n).padStart(64, '0')}`
const state = (n: number): EntityState =>
  entityRow({
    entityId: id(n),
    value: `8.8.8.${n}`,
    audience: PUBLIC_AUDIENCE,
    reputation: -1,
    accuracy: 1,
    best: -1,
    worst: -1,
    sources: 1,
  })
const entities: EntityViews = {
  states: async (_, ids) => new Map(ids.map((one) => [one, [state(Number(one.slice(-1)))]])),
  views: async () => new Map(),
  scoring: builtIn,
  fold: async (rows) => fold(rows),
}
const reader = { groups: [], audiences: [], own: [], visibleBy: () => [] }

test.each([
  ['the same to everybody', ['public'], 'TLP:CLEAR'],
  ['to a group too, which may have named its type', ['blue', 'public'], 'TLP:AMBER'],
  ['to a group alone', ['blue'], 'TLP:AMBER'],
])('a bundle with a relation that was stated %s is marked by it', async (_, visibleBy, marking) => {
  const relation = { entityID: id(1), relatedEntityID: id(2), direction: 'outgoing' as const, visibleBy }
  const newest = async () => [{ ...relation, relationships: ['uses'] }]
  const bundle = await entityStix({ query: async () => [] }, entities, { newest })(reader, id(1), null)
  const { objects } = JSON.parse(bundle!) as { objects: { type: string; name?: string }[] }
  expect(objects.find(({ type }) => type === 'marking-definition')?.name).toBe(marking)
})
