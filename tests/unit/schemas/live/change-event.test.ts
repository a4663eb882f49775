import { describe, expect, test } from 'vitest'
import { seals } from '../../../../schemas/cursors/seal.ts'
import type { Link } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import type { ChangedView } from '../../../../schemas/intelligence/state/changed-view.ts'
import type { ViewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import { changeEvent, tellable } from '../../../../schemas/live/change-event.ts'

const names = seals(Buffer.alloc(32, 3))
const ID = `domain-${'a'.repeat(64)}`
const change = { observationId: 'o1', entityId: ID, observedAt: 1_700_000_000_000, offset: 4 } as Change
const view: ChangedView = {
  entityId: ID,
  type: 'domain',
  value: 'a.example',
  reputation: -1,
  accuracy: 1,
  wellKnown: false,
  covered: false,
  tags: ['x'],
  country: '',
  asn: 0,
  firstSeen: 1_000,
  lastSeen: 2_000,
  retracted: false,
}
const links: Link[] = ['b', 'c'].map((n) => ({
  mode: 'association',
  entityId: `ip-${n.repeat(64)}`,
  relationship: null,
}))
const seen = (kinds: ViewChange['kinds'], before: ChangedView | null = null): ViewChange => ({
  kinds,
  reason: 'reported',
  before,
  after: view,
  links,
  linksAlone: false,
})

describe('what is told of a change', () => {
  test('is one event for each new relation, the first with the other kinds', () => {
    expect(tellable(seen(['created', 'linked']), links)).toEqual([
      { kinds: ['created', 'linked'], link: links[0] },
      { kinds: ['linked'], link: links[1] },
    ])
  })

  test('is one event without relations that are new, and none when nothing else changed', () => {
    expect(tellable(seen(['scored', 'linked']), [])).toEqual([{ kinds: ['scored'], link: null }])
    expect(tellable(seen(['linked']), [])).toEqual([])
    expect(tellable(seen([]), [])).toEqual([])
  })
})

describe('the event of a change', () => {
  const tell = { kinds: ['created'] as const, link: null }

  test('shows the view after it and the reputation before', () => {
    expect(changeEvent(names, change, seen(['created']), tell, null)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      kinds: ['created'],
      reason: 'reported',
      at: '2023-11-14T22:13:20.000Z',
      entity: {
        id: ID,
        type: 'domain',
        value: 'a.example',
        reputation: -1,
        previousReputation: null,
        accuracy: 1,
        tags: ['x'],
        wellKnown: false,
        firstSeen: '1970-01-01T00:00:01.000Z',
        lastSeen: '1970-01-01T00:00:02.000Z',
      },
    })
    const scored = changeEvent(names, change, seen(['scored'], { ...view, reputation: 1 }), tell, false)
    expect(scored.entity.previousReputation).toBe(1)
    expect(scored.match).toBe(false)
  })

  test('has an id that follows from the observation, the entity and the link, and from no place in the log', () => {
    const id = (of: Partial<Change>, link: Link | null = null): string =>
      changeEvent(names, { ...change, ...of }, seen(['created']), { kinds: ['linked'], link }, null).id
    expect(id({ offset: 9, partition: 3 })).toBe(id({}))
    const others = [id({}), id({ observationId: 'o2' }), id({ entityId: `ip-${'a'.repeat(64)}` })]
    const linked = links.map((link) => id({}, link))
    const other = id({}, { ...links[0]!, mode: 'aggregation' })
    expect(new Set([...others, ...linked, other]).size).toBe(6)
    const elsewhere = seals(Buffer.alloc(32, 4))
    expect(changeEvent(elsewhere, change, seen(['created']), tell, null).id).not.toBe(id({}))
  })
})
