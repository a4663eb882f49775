/** Records that could not be used, for administrators. */

import { Type } from 'typebox'
import { BURYING } from '../../../schemas/log/topics.ts'
import { LETTER_STATES } from '../../../schemas/operation/dead-letter.ts'
import { CLOSED, text } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { OperationService } from '../services/operation.ts'
import { HandledRecord, LetterInFull, LetterPage } from './dead-letter-schema.ts'

const PATH = '/api/admin/v1/dead-letters'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

const letterId = Type.String({ minLength: 1, maxLength: 300 })
const ids = Type.Array(letterId, { minItems: 1, maxItems: 1000 })

export const deadLetterRoutes = (operation: OperationService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    summary: 'List dead letters (records that could not be processed), newest first.',
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
    summary: 'Get one dead letter with its content.',
    params: Type.Object({ id: letterId }),
    responses: { 200: LetterInFull },
    handler: async ({ params }) => reply(200, await operation.letter(params.id)),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/replay`,
    summary:
      'Replay dead letters: write the original records to their topics again. Dead letters that were already replayed or dropped are skipped.',
    body: Type.Object({ ids }, CLOSED),
    responses: { 200: HandledRecord },
    handler: async ({ body, user }) => reply(200, await operation.replay(body.ids, user.userId)),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/drop`,
    summary: 'Drop dead letters: mark them as resolved without a replay.',
    body: Type.Object({ ids, note: text(1, 500) }, CLOSED),
    responses: { 200: HandledRecord },
    handler: async ({ body, user }) => reply(200, await operation.drop(body.ids, body.note, user.userId)),
  }),
]
