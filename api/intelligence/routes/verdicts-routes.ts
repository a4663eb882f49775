/** Verdicts of customers on entities (decisions 17.1). */

import { Type } from 'typebox'
import { ahead } from '../../../schemas/audit/action.ts'
import { MAX_REASON, MAX_VERDICT_MS } from '../../../schemas/intelligence/observations/verdict.ts'
import { invalid } from '../../http/errors.ts'
import { CLOSED, text } from '../../http/fields/common.ts'
import { instant } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { VerdictService } from '../services/report/verdict-report.ts'
import { EntityIdParams } from './ingest.ts'

const word = Type.Enum(['benign', 'malicious'])

const VerdictBody = Type.Object(
  {
    verdict: word,
    reason: text(1, MAX_REASON),
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'ISO 8601 or unix milliseconds, at most 3,650 days ahead; default: no end',
      }),
    ),
  },
  CLOSED,
)

const moment = Type.String({ format: 'date-time' })

const Verdict = Type.Object({
  entityID: Type.String(),
  verdict: word,
  reason: Type.String(),
  until: Type.Optional(moment),
  at: Type.String({ format: 'date-time', description: 'when it was given' }),
  userID: Type.String({ description: 'who gave it' }),
})

const EXAMPLE = { verdict: 'benign', reason: 'Our own scanner.', until: '2027-01-01T00:00:00Z' }

const common = {
  path: '/api/casework/v1/verdicts/{entityId}',
  tag: 'Casework',
  access: 'user',
  scope: 'casework',
  params: EntityIdParams,
  limit: { service: 'ingest-api', features: ['entity_per_minute'] },
} as const

export const verdictRoutes = (verdicts: VerdictService, now: () => number): Route[] => [
  route({
    ...common,
    method: 'put',
    id: 'putVerdict',
    summary: 'Give the verdict of the customer on an entity. It decides the score that every member sees.',
    codes: ['not_found', 'publish_failed'],
    examples: { words: EXAMPLE },
    audit: ahead('verdict.set', { param: 'entityId' }),
    body: VerdictBody,
    responses: { 200: Verdict },
    handler: async ({ user, params, body: { verdict, reason, until } }) => {
      if (reason.trim() === '') throw invalid('reason', 'must not be blank')
      const bounds = { from: now(), until: now() + MAX_VERDICT_MS }
      const ends = until === undefined ? null : instant('until', until, bounds)
      return reply(200, await verdicts.give(user, params.entityId, { verdict, reason, until: ends }))
    },
  }),
  route({
    ...common,
    method: 'get',
    limit: { service: 'search-api', features: ['entity_lookup_per_minute'] },
    id: 'getVerdict',
    summary: 'Get the verdict of the customer on an entity.',
    codes: ['not_found'],
    examples: { words: EXAMPLE },
    responses: { 200: Verdict },
    handler: async ({ user, params }) => reply(200, await verdicts.get(user, params.entityId)),
  }),
  route({
    ...common,
    method: 'delete',
    id: 'deleteVerdict',
    summary: 'Withdraw the verdict of the customer on an entity.',
    codes: ['not_found', 'publish_failed'],
    audit: ahead('verdict.withdraw', { param: 'entityId' }),
    responses: { 204: null },
    handler: async ({ user, params }) => {
      await verdicts.takeBack(user, params.entityId)
      return reply(204)
    },
  }),
]
