import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { type Components, shownSchema } from '../../../../api/openapi/schema.ts'

const shown = (schema: unknown) => shownSchema(schema, {})

test('a value that may be null has null as a second type', () => {
  const schema = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'how many' })
  expect(shown(schema)).toEqual({ type: ['integer', 'null'], minimum: 0, description: 'how many' })
  expect(shown(Type.Union([Type.Enum(['a', 'b']), Type.Null()]))).toEqual({
    type: ['string', 'null'],
    enum: ['a', 'b', null],
  })
})

test('constants are one enum with its type', () => {
  expect(shown(Type.Union([Type.Literal(1), Type.Literal(2)]))).toEqual({ type: 'integer', enum: [1, 2] })
})

test('an enum of several types shows the first of them', () => {
  const schema = Type.Enum(['owner', 'user', 0, 2], { description: 'or its number' })
  expect(shown(schema)).toEqual({ type: 'string', enum: ['owner', 'user'], description: 'or its number' })
})

test('a text or a number is any value, and its description says which', () => {
  const of = [Type.String(), Type.Number(), Type.Null()]
  expect(shown(Type.Union(of))).toEqual({ description: 'string or number or null' })
  expect(shown(Type.Union(of, { description: 'a key' }))).toEqual({ description: 'a key: string or number or null' })
})

test('a choice of objects stays one', () => {
  const schema = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])
  expect(shown(schema)).toHaveProperty('anyOf.1.properties.b')
})

test('a map by a pattern is a map by any name, and properties may have the names of keywords', () => {
  expect(shown(Type.Record(Type.String(), Type.Integer()))).toEqual({
    type: 'object',
    additionalProperties: { type: 'integer' },
  })
  const schema = Type.Object({ enum: Type.Enum(['a']), required: Type.Union([Type.String(), Type.Null()]) })
  expect(shown(schema).properties).toEqual({
    enum: { type: 'string', enum: ['a'] },
    required: { type: ['string', 'null'] },
  })
})

test('definitions move to the components, and references to them follow', () => {
  const components: Components = {}
  const tree = Type.Cyclic({ Tree: Type.Object({ below: Type.Optional(Type.Array(Type.Ref('Tree'))) }) }, 'Tree')
  const ref = { $ref: '#/components/schemas/Tree' }
  expect(shownSchema(tree, components)).toEqual(ref)
  expect(components.Tree).toMatchObject({ properties: { below: { type: 'array', items: ref } } })
})
