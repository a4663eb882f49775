import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { sample } from '../../../../api/openapi/operation.ts'
import { type Components, shownSchema } from '../../../../api/openapi/schema.ts'

const made = (schema: unknown, own = {}) => {
  const components: Components = {}
  return sample(shownSchema(schema, components), components, own)
}

test('an example is made of the words that fit, the words of the operation first', () => {
  const schema = Type.Object({
    ip: Type.Optional(Type.String()),
    reputation: Type.Integer({ minimum: -3, maximum: 3 }),
  })
  expect(made(schema, { ip: '192.0.2.1', reputation: 9 })).toEqual({
    value: { ip: '192.0.2.1', reputation: -2 },
    missing: [],
  })
})

test('a word may be of a property inside of another', () => {
  const schema = Type.Object({ parts: Type.Array(Type.Object({ name: Type.String() })), name: Type.String() })
  expect(made(schema, { 'parts.name': 'history', name: 'all' }).value).toEqual({
    parts: [{ name: 'history' }],
    name: 'all',
  })
})

test('a text that has no word is told by its name', () => {
  expect(made(Type.Object({ neverHeardOf: Type.String() })).missing).toEqual(['neverHeardOf'])
})

test('what stands in itself ends at once', () => {
  const tree = Type.Cyclic(
    { Tree: Type.Object({ level: Type.Integer(), below: Type.Optional(Type.Array(Type.Ref('Tree'))) }) },
    'Tree',
  )
  expect(made(tree).value).toEqual({ level: 0 })
})
