/** The audit log as administrators read it (decisions 16.2). */

import { Type } from 'typebox'
import type { ShownAudit } from '../../../connectors/history/audit/port.ts'
import { read } from '../../../schemas/audit/action.ts'
import { MAX_FIRST } from '../../../schemas/audit/details.ts'
import { OUTCOMES } from '../../../schemas/audit/record.ts'
import { MAX_CURSOR } from '../../../schemas/cursors/seal.ts'
import { uuid } from '../../http/fields/common.ts'
import type { Examples } from '../../http/fields/examples.ts'
import { instant, TEN_YEARS_MS } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { AuditList } from '../services/audit-service.ts'

const MAX_LISTED = 1_000

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

const AuditRecord = Type.Object({
  id: uuid,
  at: Type.String({ format: 'date-time' }),
  partition: Type.Integer({ description: 'of audit.events' }),
  offset: Type.Integer({ description: 'of the message on the log' }),
  sequence: Type.Integer({ description: 'place within the chain of the partition, from 0' }),
  actor: Type.Object({
    userID: Type.Union([Type.String(), Type.Null()], { description: 'null: unknown' }),
    keyID: Type.Optional(Type.String({ description: 'key pair or download token that the user sent' })),
  }),
  action: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'id; null: none, or several' }),
  outcome: Type.Enum([...OUTCOMES], { description: 'begun: recorded before the change was sent to the log' }),
  ip: Type.String(),
  count: Type.Integer({ description: 'more than 1: the record counts this many similar refusals or reads' }),
  previousHash: hash,
  hash,
  details: Type.Optional(
    Type.Array(
      Type.Object({
        what: Type.String({ description: 'roles; groups; given or taken: groups; entities' }),
        count: Type.Integer({ description: 'how many there were' }),
        first: Type.Array(Type.String(), { maxItems: MAX_FIRST, description: 'the first of them' }),
      }),
      { description: 'what was given, taken or changed; absent: action and subject are complete' },
    ),
  ),
})

const Records = Type.Object({
  items: Type.Array(AuditRecord),
  cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'value of `cursor` for the next page; null on the last page',
  }),
  more: Type.Boolean(),
})

const showRecord = ({ userID, keyID, at, subject, outcome, details, ...record }: ShownAudit) => ({
  ...record,
  at: new Date(at).toISOString(),
  actor: { userID, ...(keyID === null ? {} : { keyID }) },
  subject: subject === '' ? null : subject,
  outcome: outcome as (typeof OUTCOMES)[number],
  ...(details.length === 0 ? {} : { details: details.map((one) => ({ ...one, first: [...one.first] })) }),
})

const exact = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const moment = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: `${description}: unix milliseconds, or ISO 8601 with an offset`,
    }),
  )

const ACTOR = '7f1c2f5e-9a0b-4c57-8a55-3d1f0c2b6e11'
const SUBJECT = '01a1f965-4076-7a6c-91c7-ed147b957c91'

const EXAMPLES: Examples = {
  words: {
    actor: ACTOR,
    action: 'key.make',
    subject: SUBJECT,
    since: '2026-11-01T00:00:00Z',
    until: '2026-12-01T00:00:00Z',
    cursor: 'AfJ2c0m3xk9vT1qLw8e7Zg',
  },
  answers: {
    200: {
      items: [
        {
          id: '01a1f965-4076-7a6c-91c7-ed147b957c85',
          at: '2026-11-27T04:00:00.000Z',
          partition: 1,
          offset: 41,
          sequence: 41,
          actor: { userID: ACTOR, keyID: '01a1f965-4076-7a6c-91c7-ed147b957c90' },
          action: 'key.make',
          subject: SUBJECT,
          outcome: 'success',
          ip: '203.0.113.7',
          count: 1,
          previousHash: '9c'.repeat(32),
          hash: '4b'.repeat(32),
        },
        {
          id: '01a1f965-3f00-7d11-8a2e-6b1c9d0e4f57',
          at: '2026-11-27T03:59:58.848Z',
          partition: 1,
          offset: 40,
          sequence: 40,
          actor: { userID: ACTOR },
          action: 'role.give',
          subject: SUBJECT,
          outcome: 'success',
          ip: '203.0.113.7',
          count: 1,
          previousHash: 'e7'.repeat(32),
          hash: '9c'.repeat(32),
          details: [{ what: 'roles', count: 1, first: ['reporter'] }],
        },
      ],
      cursor: null,
      more: false,
    },
  },
}

export const auditRoutes = (list: AuditList, now: () => number): Route[] => [
  route({
    method: 'get',
    path: '/api/admin/v1/audit',
    id: 'listAuditRecords',
    summary: 'List who did what, newest first.',
    codes: ['bad_cursor'],
    examples: EXAMPLES,
    audit: read('audit.read', null),
    tag: 'Administration',
    access: 'auth_admin',
    scope: 'admin',
    query: Type.Object({
      actor: exact('id of a user'),
      action: exact('such as key.make'),
      subject: exact('id of what it was done to'),
      since: moment('at this time or later'),
      until: moment('before this time'),
      limit: Type.Integer({ default: 100, minimum: 1, maximum: MAX_LISTED, description: 'maximum number of records' }),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: MAX_CURSOR, description: '`cursor` of the previous page' }),
      ),
    }),
    responses: { 200: Records },
    handler: async ({ query: { since, until, limit, cursor = null, actor = null, action = null, subject = null } }) => {
      const bounds = { from: 0, until: now() + TEN_YEARS_MS }
      const timeOf = (name: string, text: string | undefined) =>
        text === undefined ? null : instant(name, text, bounds)
      const filter = { actor, action, subject, since: timeOf('since', since), until: timeOf('until', until) }
      const page = await list.page(filter, cursor, limit)
      return reply(200, { items: page.records.map(showRecord), cursor: page.cursor, more: page.cursor !== null })
    },
  }),
]
