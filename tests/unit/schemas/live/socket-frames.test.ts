import { expect, test } from 'vitest'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { socketFrames } from '../../../../schemas/live/socket-frames.ts'

const event = (given: Partial<ChangeEvent>, entity: Partial<ChangeEvent['entity']> = {}): ChangeEvent => ({
  id: '0'.repeat(32),
  kinds: [],
  reason: 'reported',
  at: '2026-01-02T03:04:05.000Z',
  entity: {
    id: `ip-${'0'.repeat(64)}`,
    type: 'ip',
    value: '198.51.100.7',
    reputation: 0,
    previousReputation: null,
    accuracy: 1,
    tags: ['t'],
    wellKnown: false,
    firstSeen: '2026-01-02T03:04:05.000Z',
    lastSeen: '2026-01-02T03:04:05.000Z',
    ...entity,
  },
  ...given,
})
const link = { relatedId: `domain-${'1'.repeat(64)}`, mode: 'association' }

test.each<[string, ChangeEvent, string[]]>([
  ['a new view', event({ kinds: ['created'] }), ['entity.created']],
  [
    'a new view that is negative',
    event({ kinds: ['created'] }, { reputation: -1 }),
    ['entity.created', 'entity.malicious'],
  ],
  [
    'a reputation that turns negative',
    event({ kinds: ['scored'] }, { reputation: -1, previousReputation: 0 }),
    ['entity.malicious'],
  ],
  ['a reputation that gets worse', event({ kinds: ['scored'] }, { reputation: -3, previousReputation: -1 }), []],
  ['a reputation that turns good', event({ kinds: ['scored'] }, { reputation: 1, previousReputation: -1 }), []],
  ['another tag of a negative one', event({ kinds: ['updated'] }, { reputation: -1, previousReputation: -1 }), []],
  ['a new relation', event({ kinds: ['linked'], link }), ['entity.linked']],
  [
    'a new view with a relation',
    event({ kinds: ['created', 'linked'], link }, { reputation: -2 }),
    ['entity.created', 'entity.malicious', 'entity.linked'],
  ],
])('%s has its frames, in order', (_, given, types) => {
  expect(socketFrames(given).map(({ type }) => type)).toEqual(types)
})

test('a frame shows the entity, and of a relation its other end', () => {
  expect(socketFrames(event({ kinds: ['linked'], link }))).toEqual([
    {
      type: 'entity.linked',
      time: '2026-01-02T03:04:05.000Z',
      entityId: `ip-${'0'.repeat(64)}`,
      entityType: 'ip',
      value: '198.51.100.7',
      reputation: 0,
      tags: ['t'],
      toEntityId: link.relatedId,
      mode: 'association',
    },
  ])
})
