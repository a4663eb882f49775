/** The reputation of a value: one small answer, of one or of many (decisions 18). */

import { Type } from 'typebox'
import type { LookupSource } from '../../../connectors/lookups/port.ts'
import { notAudited, SEARCH } from '../../../schemas/audit/action.ts'
import type { Verdict } from '../../../schemas/intelligence/reputation/who-decides.ts'
import { NDJSON } from '../../http/bodies/lines-body.ts'
import { CLOSED } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { Readers } from '../services/readers.ts'
import { portionOf, type Reputations } from '../services/reputation/reputation.ts'
import { MAX_BYTES, type ReputationStream } from '../services/reputation/reputation-stream.ts'
import { MAX_VALUE, Value } from '../services/reputation/value-lines.ts'

const limit = { service: 'search-api', features: ['reputation_per_minute'] } as const

const MAX_VALUES = 10_000
/** A body may be sent while it is made: a line may be waited for, but not for ever. */
const LINES = { maxBytes: MAX_BYTES, mayBeEmpty: true, idleMs: 60_000, totalMs: 60 * 60_000 }

const Values = Type.Object({ values: Type.Array(Value, { minItems: 1, maxItems: MAX_VALUES }) }, CLOSED)

const optionalDate = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

const Answer = Type.Object({
  value: Type.String({ description: 'the value as given' }),
  known: Type.Boolean({ description: 'whether an entity of exactly this value is known' }),
  type: Type.Optional(Type.String({ description: 'type of the entity of exactly this value' })),
  id: Type.Optional(Type.String({ description: 'its id' })),
  reputation: Type.Integer({ minimum: -3, maximum: 3 }),
  accuracy: Type.Integer({ minimum: 0, maximum: 3 }),
  tags: Type.Array(Type.String()),
  wellKnown: Type.Boolean(),
  firstSeen: optionalDate('time of the first report of exactly this value'),
  lastSeen: optionalDate('time of the last one; up to an hour older where only repeats came since'),
  by: Type.Optional(
    Type.Object(
      { id: Type.String(), type: Type.String(), value: Type.String() },
      {
        description:
          'the network, parent domain or host that decides for the value: reputation, accuracy, tags and wellKnown are its own',
      },
    ),
  ),
  notIndicator: Type.Optional(
    Type.Literal(true, { description: 'the value has not the form of an indicator and is known as nothing' }),
  ),
  notPublic: Type.Optional(
    Type.Literal(true, {
      description: 'the address is not public: only an entity of exactly this value is looked for',
    }),
  ),
})

const answeredBy = (by: string) => ({ 'x-answered-by': by })
const answerHeaders = {
  'x-answered-by': 'What answered: `index` or `store`, which say the same. Of lines, what answered the first ones.',
}

export type ReputationPorts = {
  readers: Readers
  source: LookupSource
  reputations: Reputations
  stream: ReputationStream
  /** Whether requests may come through proxies, which name themselves in `x-forwarded-for`. */
  proxied: boolean
}

export function reputationRoutes({ readers, source, reputations, stream, proxied }: ReputationPorts): Route[] {
  async function answer(groups: readonly string[], values: readonly string[]) {
    const reader = await readers.of(groups)
    const lookups = await source.next()
    const items: Verdict[] = []
    const most = portionOf(lookups)
    for (let at = 0; at < values.length; at += most) {
      if (at > 0) await new Promise(setImmediate)
      items.push(...(await reputations(lookups, reader.audiences, values.slice(at, at + most))))
    }
    return { items, headers: answeredBy(lookups.by) }
  }

  return [
    route({
      method: 'post',
      path: '/api/search/v1/reputation',
      id: 'getReputations',
      summary: 'Get the reputation of up to 10,000 values, or of 100,000 lines that are answered while they come.',
      examples: { body: { values: ['203.0.113.7', 'login[.]example[.]com', 'hxxps://example.com/a'] } },
      audit: notAudited(SEARCH),
      tag: 'Search',
      access: 'anyone',
      scope: 'search',
      body: Values,
      bodyBytes: 4 * 1024 * 1024,
      lineStream: LINES,
      units: ({ values }) => values.length,
      limit,
      answerHeaders,
      responses: {
        200: Type.Object({ items: Type.Array(Answer, { description: 'one for each value, in the given order' }) }),
      },
      streamed: {
        media: NDJSON,
        description:
          'One line for each line that is not blank, in order: what an item of the JSON answer is, or `{"line", "error": {"code", "message", "param"}}`. A line is a JSON string or `{"value": "..."}`. The last line is `{"answered", "refused"}`. If the stream ends without it, it says nothing of the lines without an answer.',
      },
      handler: async ({ user, groups, body, lineStream, caller, takeUpTo, again, header }) => {
        if (lineStream === null) {
          const { items, headers } = await answer(groups, body.values)
          return reply(200, { items }, headers)
        }
        const afterBody = proxied && header('x-forwarded-for') !== undefined
        const made = await stream({ caller, user, lines: lineStream, takeUpTo, again, afterBody })
        return reply(200, made.body, answeredBy(made.by))
      },
    }),
    route({
      method: 'get',
      path: '/api/search/v1/reputation/{value}',
      id: 'getReputation',
      summary: 'Get the reputation of one value.',
      tag: 'Search',
      access: 'anyone',
      scope: 'search',
      params: Type.Object({
        value: Type.String({
          minLength: 1,
          maxLength: MAX_VALUE,
          pattern: '^[^\\u0000]*$',
          description: 'percent-encoded; what a path cannot carry goes by POST',
        }),
      }),
      limit,
      answerHeaders,
      responses: { 200: Answer },
      handler: async ({ groups, params }) => {
        const { items, headers } = await answer(groups, [params.value])
        return reply(200, items[0]!, headers)
      },
    }),
  ]
}
