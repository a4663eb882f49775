/** Records that could not be used, for administrators. */

import { Type } from 'typebox'
import { ahead } from '../../../schemas/audit/action.ts'
import { BURYING } from '../../../schemas/log/topics.ts'
import { LETTER_STATES } from '../../../schemas/operation/dead-letter.ts'
import { CLOSED, text } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { OperationService } from '../services/operation-service.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const ms = Type.Integer({ description: 'Unix milliseconds.' })

const fields = {
  id: Type.String({ description: '`<dead-letter topic>:<partition>:<offset>`' }),
  origin: Type.Object(
    { topic: Type.String(), partition: Type.Integer(), offset: Type.Integer(), at: ms },
    { description: 'position and time of the original record' },
  ),
  reason: Type.String(),
  attempts: Type.Integer(),
  schemaId: nullable(Type.Integer()),
  handler: nullable(Type.String({ description: 'the handler of account events that wrote the dead letter' })),
  replayedFrom: nullable(Type.String({ description: 'the dead letter that was replayed and failed again' })),
  key: nullable(Type.String()),
  bytes: Type.Integer(),
  buriedAt: ms,
  state: Type.Enum([...LETTER_STATES]),
  outcome: nullable(
    Type.Object({
      state: Type.Enum(['replayed', 'dropped']),
      by: Type.String(),
      at: ms,
      note: nullable(Type.String()),
    }),
  ),
}

const LetterRecord = Type.Object(fields)

const LetterInFull = Type.Object({
  ...fields,
  headers: Type.Record(Type.String(), Type.String()),
  payload: Type.Union([
    Type.Object({ kind: Type.Literal('record'), record: Type.Unknown() }),
    Type.Object({
      kind: Type.Literal('bytes'),
      fault: Type.String({ description: 'why the record cannot be decoded' }),
      hex: Type.String({ description: 'the first 4 KiB of the record' }),
      text: Type.String(),
    }),
  ]),
})

const LetterPage = Type.Object({
  letters: Type.Array(LetterRecord),
  next: nullable(Type.String({ description: 'value of `after` for the next page' })),
})

const HandledRecord = Type.Object({
  matched: Type.Integer(),
  done: Type.Integer(),
  skipped: Type.Array(Type.Object({ id: Type.String(), why: Type.String() })),
})

const PATH = '/api/admin/v1/dead-letters'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

const letterId = Type.String({ minLength: 1, maxLength: 300 })
const ids = Type.Array(letterId, { minItems: 1, maxItems: 1000 })

const LETTER = 'entity.observations.dead:0:42'

export const deadLetterRoutes = (operation: OperationService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    id: 'listDeadLetters',
    summary: 'List dead letters (records that could not be processed), newest first.',
    examples: { words: { state: 'waiting', id: LETTER } },
    query: Type.Object({
      topic: Type.Optional(Type.Enum([...BURYING])),
      reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      state: Type.Optional(Type.Enum([...LETTER_STATES])),
      after: Type.Optional(letterId),
      limit: Type.Integer({ default: 100, minimum: 1, maximum: 1000 }),
    }),
    responses: { 200: LetterPage },
    handler: async ({ query }) => reply(200, await operation.letters(query)),
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getDeadLetter',
    summary: 'Get one dead letter with its content.',
    codes: ['not_found'],
    examples: { words: { id: LETTER } },
    params: Type.Object({ id: letterId }),
    responses: { 200: LetterInFull },
    handler: async ({ params }) => reply(200, await operation.letter(params.id)),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/replay`,
    id: 'replayDeadLetters',
    summary:
      'Replay dead letters: write the original records to their topics again. Dead letters that were already replayed or dropped are skipped.',
    examples: { words: { id: LETTER }, body: { ids: [LETTER] } },
    audit: ahead('dead-letters.replay', null),
    body: Type.Object({ ids }, CLOSED),
    responses: { 200: HandledRecord },
    handler: async ({ body, user }) => reply(200, await operation.replay(body.ids, user.userId)),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/drop`,
    id: 'dropDeadLetters',
    summary: 'Drop dead letters: mark them as resolved without a replay.',
    examples: {
      words: { id: LETTER },
      body: { ids: [LETTER], note: 'the feed was repaired and has sent these records again' },
    },
    audit: ahead('dead-letters.drop', null),
    body: Type.Object({ ids, note: text(1, 500) }, CLOSED),
    responses: { 200: HandledRecord },
    handler: async ({ body, user }) => reply(200, await operation.drop(body.ids, body.note, user.userId)),
  }),
]
