import { Type } from 'typebox'
import { LETTER_STATES } from '../../../schemas/operation/dead-letter.ts'

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

export const LetterRecord = Type.Object(fields)

export const LetterInFull = Type.Object({
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

export const LetterPage = Type.Object({
  letters: Type.Array(LetterRecord),
  next: nullable(Type.String({ description: 'value of `after` for the next page' })),
})

export const HandledRecord = Type.Object({
  matched: Type.Integer(),
  done: Type.Integer(),
  skipped: Type.Array(Type.Object({ id: Type.String(), why: Type.String() })),
})
