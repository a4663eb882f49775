import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { MatchRecord } from '../../../../schemas/match/match.ts'
import { NOW } from '../../intelligence/observation.ts'

type Given = Partial<Omit<MatchRecord, 'entity' | 'event'>> & {
  entity?: Partial<MatchRecord['entity']>
  event?: Partial<MatchRecord['event']>
}

/** A match that was told; what a test does not name is filled in, and the id of the entity follows from its value. */
export function matchRecord({ entity = {}, event = {}, ...given }: Given = {}): MatchRecord {
  const { type = 'domain', value = 'evil.example' } = entity
  return {
    id: '019b0000-0000-7000-8000-0000000000a1',
    step: 'told',
    stepAt: NOW,
    owner: 'customer:019b0000-0000-7000-8000-0000000000c1',
    groups: ['public'],
    direction: 'forward',
    summary: false,
    at: NOW,
    matchedAt: NOW,
    withdrawnAt: null,
    withdrawnReason: null,
    ...given,
    event: {
      id: 'e1',
      at: NOW,
      lastAt: null,
      count: 1,
      kind: 'dns',
      host: 'laptop-7',
      user: 'alice',
      field: 'query',
      value: 'www.evil.example',
      refs: [],
      ...event,
    },
    entity: { id: entityId(type, value), type, value, reputation: -3, accuracy: 2, tags: ['c2'], ...entity },
  }
}
