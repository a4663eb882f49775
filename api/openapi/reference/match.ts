import type { JsonObject } from '../json.ts'
import { DOMAIN_ID, UUID } from '../words.ts'
import type { References } from './reference.ts'

const match = '/api/match/v1'

const words: JsonObject = {
  selector: { types: ['ip', 'domain', 'url'], reputation: { lte: -1 }, accuracy: { gte: 1 }, wellKnown: false },
  groups: ['public'],
  retentionDays: 30,
  sightings: null,
  default: true,
}

const cursor = 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg'

const event = { at: '2026-03-01T12:00:00Z', kind: 'dns', host: 'laptop-17', fields: { query: 'login.example.com' } }

/** Operations of telemetry against what is known. */
export const matchReference: References = {
  [`post ${match}/events`]: {
    id: 'sendEvents',
    codes: ['publish_failed'],
    body: `${JSON.stringify({ id: 'CmES5u32sYpV7JYN', ...event, ref: 'CmES5u32sYpV7JYN' })}\n${JSON.stringify(event)}\n`,
  },
  [`get ${match}/settings`]: { id: 'getMatchSettings', codes: ['not_found'], words },
  [`put ${match}/settings`]: { id: 'setMatchSettings', codes: ['not_found', 'conflict'], words },
  [`get ${match}/matches`]: {
    id: 'listMatches',
    codes: ['not_found', 'bad_cursor'],
    words: { since: '2026-03-01T00:00:00Z', direction: 'forward', entity: DOMAIN_ID, cursor },
    answers: {
      200: {
        items: [
          {
            id: UUID,
            direction: 'forward',
            at: '2026-03-01T12:00:00.000Z',
            matchedAt: '2026-03-01T12:00:01.204Z',
            event: {
              id: 'CmES5u32sYpV7JYN',
              at: '2026-03-01T12:00:00.000Z',
              kind: 'dns',
              host: 'laptop-17',
              field: 'query',
              value: 'login.example.com',
              refs: ['CmES5u32sYpV7JYN'],
            },
            entity: {
              id: DOMAIN_ID,
              type: 'domain',
              value: 'login.example.com',
              reputation: -2,
              accuracy: 2,
              tags: ['phishing'],
            },
          },
        ],
        cursor,
        more: true,
      },
    },
  },
  [`get ${match}/seen`]: {
    id: 'findSeen',
    codes: ['not_found'],
    words: { value: 'login.example.com', below: true },
    answers: {
      200: {
        value: 'login.example.com',
        count: 12,
        first: '2026-03-01T12:00:00.000Z',
        last: '2026-03-01T12:41:07.030Z',
        rows: 1,
        items: [
          {
            value: 'login.example.com',
            field: 'query',
            hour: '2026-03-01T12:00:00.000Z',
            count: 12,
            first: '2026-03-01T12:00:00.000Z',
            last: '2026-03-01T12:41:07.030Z',
            hosts: ['laptop-17'],
            refs: ['CmES5u32sYpV7JYN'],
          },
        ],
      },
    },
  },
}
