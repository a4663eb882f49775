import { randomUUID } from 'node:crypto'
import type { FiredAlert } from '../../../../schemas/casework/alert.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'

/** An alert that fired; what a test does not name is filled in, ids at random. */
export const firedAlert = (given: Partial<FiredAlert> & Pick<FiredAlert, 'owner'>): FiredAlert => ({
  id: randomUUID(),
  watchlistId: randomUUID(),
  itemId: randomUUID(),
  entityId: entityId('ip', '203.0.113.7'),
  entityType: 'ip',
  entityValue: '203.0.113.7',
  reputation: -2,
  matchedKind: 'value',
  matchedOn: '203.0.113.7',
  readableBy: ['public'],
  count: 1,
  withdrawn: false,
  partition: 0,
  offset: 0,
  ...given,
})
