import type { EventMatch, SummaryMatch } from '../../../console/src/parts/match/match.ts'

const entity = { id: 'domain-1', type: 'domain', value: 'bad.example', reputation: -3, accuracy: 2, tags: ['c2'] }

/** A match of one event, as the platform answers it. */
export const eventMatch = ({
  event,
  ...given
}: Partial<Omit<EventMatch, 'event'>> & { event?: Partial<EventMatch['event']> } = {}): EventMatch => ({
  id: '00000000-0000-4000-8000-000000000001',
  direction: 'forward',
  at: '2026-11-25T10:05:00.000Z',
  matchedAt: '2026-11-25T10:05:01.000Z',
  entity,
  ...given,
  event: {
    id: 'e1',
    at: '2026-11-25T10:05:00.000Z',
    kind: 'dns',
    host: 'pc-7',
    field: 'query',
    value: 'www.bad.example',
    refs: [],
    ...event,
  },
})

/** Many matches in one second, as the platform answers them. */
export const summaryMatch = (given: Partial<SummaryMatch> = {}): SummaryMatch => ({
  id: '00000000-0000-4000-8000-000000000002',
  direction: 'forward',
  at: '2026-11-25T10:05:00.000Z',
  matchedAt: '2026-11-25T10:05:01.000Z',
  entity,
  summary: true,
  field: 'query',
  count: 12_000,
  first: '2026-11-25T10:00:00.000Z',
  last: '2026-11-25T10:05:00.000Z',
  ...given,
})
