/** Topics, lag, breakers and the health of every part, for administrators. */

import { Type } from 'typebox'
import type { ConsumerLag } from '../../../connectors/operations/lag/port.ts'
import { ahead } from '../../../schemas/audit/action.ts'
import { MAX_ALLOWED } from '../../../schemas/operation/breaker.ts'
import { CLOSED } from '../../http/fields/common.ts'
import { type PartsCheck, reportHealth } from '../../http/parts-health.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { OperationService } from '../services/operation-service.ts'

const PATH = '/api/admin/v1'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

const time = Type.Union([Type.Integer({ description: 'Unix milliseconds, to the second.' }), Type.Null()])

const Topics = Type.Object({
  topics: Type.Array(
    Type.Object({
      topic: Type.String(),
      partitions: Type.Array(Type.Object({ partition: Type.Integer(), low: Type.Integer(), high: Type.Integer() })),
      records: Type.Integer(),
      newest: time,
      retentionMs: Type.Union([Type.Integer(), Type.Null()]),
      cleanup: Type.Enum(['delete', 'compact']),
    }),
  ),
})

const Lag = Type.Object({
  groups: Type.Array(
    Type.Object({
      group: Type.String(),
      topic: Type.String(),
      partition: Type.Integer(),
      committed: Type.Union([Type.Integer(), Type.Null()]),
      end: Type.Integer(),
      lag: Type.Integer(),
      oldestUnread: time,
    }),
  ),
})

const Health = Type.Object({
  ready: Type.Boolean(),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      ok: Type.Boolean(),
      detail: Type.String({ description: 'version, date or state; for a failed component, the reason' }),
      ms: Type.Integer({ description: 'response time in milliseconds' }),
    }),
  ),
})

const Breaker = Type.Object({
  group: Type.String(),
  source: Type.Union([Type.String(), Type.Null()], {
    description:
      'an isolated source: its bad records become dead letters without stopping the group; null: the whole group',
  }),
  open: Type.Boolean(),
  at: Type.Optional(Type.Integer({ description: 'Unix milliseconds.' })),
  by: Type.Optional(Type.String()),
  topic: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ratio: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  run: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  reasons: Type.Optional(Type.Array(Type.String())),
  allow: Type.Optional(Type.Integer()),
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Waiting = Type.Object({
  deadLetters: Count('dead letters that were neither replayed nor dropped'),
  breakers: Count('consumer groups with an open circuit breaker'),
  isolatedSources: Count('sources that are isolated in a group'),
  heldFeeds: Type.Union([Count('published feeds that a guard holds, of all owners'), Type.Null()], {
    description: 'null: the history store does not answer',
  }),
})

type OperationPorts = { operation: OperationService; consumerLag: ConsumerLag; checks: readonly PartsCheck[] }

export const operationRoutes = ({ operation, consumerLag, checks }: OperationPorts): Route[] => [
  route({
    ...common,
    method: 'get',
    path: `${PATH}/topics`,
    id: 'listTopics',
    summary: 'List every topic of the log with its watermarks.',
    examples: { words: { low: 0 } },
    responses: { 200: Topics },
    handler: async () => reply(200, { topics: await consumerLag.topics() }),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/lag`,
    id: 'listLag',
    summary: 'List the consumer lag of every consumer group.',
    responses: { 200: Lag },
    handler: async () => reply(200, { groups: await consumerLag.lag() }),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/health`,
    id: 'getHealth',
    summary: 'Check every required component; a failed one shows the reason.',
    examples: { words: { 'parts.name': 'history' } },
    responses: { 200: Health },
    handler: async () => reply(200, await reportHealth(checks)),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/waiting`,
    id: 'countWaiting',
    summary: 'Count what waits for an operator: dead letters, open circuit breakers, isolated sources, held feeds.',
    examples: { answers: { 200: { deadLetters: 3, breakers: 1, isolatedSources: 0, heldFeeds: 2 } } },
    responses: { 200: Waiting },
    handler: async () => reply(200, await operation.waiting()),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/breakers`,
    id: 'listBreakers',
    summary: 'List the circuit breaker of every consumer group and the isolated sources.',
    responses: { 200: Type.Object({ breakers: Type.Array(Breaker) }) },
    handler: async () => reply(200, { breakers: await operation.breakers() }),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/breakers/{group}/close`,
    id: 'closeBreaker',
    summary:
      'Close a circuit breaker, so that its consumer group resumes. `allow`: number of further dead letters before it can open again. With `source`: end the isolation of that source.',
    codes: ['not_found', 'conflict'],
    examples: { body: { allow: 0 } },
    audit: ahead('breaker.close', null),
    params: Type.Object({ group: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: Type.Object(
      {
        allow: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ALLOWED })),
        source: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      },
      CLOSED,
    ),
    responses: { 200: Breaker },
    handler: async ({ params, body, user }) =>
      reply(200, await operation.close(params.group, body.source ?? null, body.allow ?? 0, user.userId)),
  }),
]
