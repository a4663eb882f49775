import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { ApiError } from '../../../../api/http/errors.ts'
import { bodyCheck, textCheck } from '../../../../api/http/validation.ts'

const refusal = (run: () => unknown): { param: string | undefined; message: string } => {
  try {
    run()
  } catch (error) {
    const { param, message } = error as ApiError
    return { param, message }
  }
  return expect.unreachable('was accepted')
}

const query = textCheck(
  Type.Object({
    days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
    malicious_only: Type.Boolean({ default: true }),
    share: Type.Optional(Type.Number({ maximum: 1 })),
    order: Type.Optional(Type.Enum(['asc', 'desc'])),
  }),
  'query parameter',
)

test('a query is filled with defaults and converted', () => {
  expect(query({})).toEqual({ days: 30, malicious_only: true })
  expect(query({ days: '7', malicious_only: 'false', share: '0.5', order: 'asc' })).toEqual({
    days: 7,
    malicious_only: false,
    share: 0.5,
    order: 'asc',
  })
})

test('one query does not change the defaults of the next', () => {
  expect(query({ days: '7' })).toMatchObject({ days: 7 })
  expect(query({})).toMatchObject({ days: 30 })
})

const wrong: { name: string; given: Record<string, unknown>; param: string; why: RegExp }[] = [
  { name: 'above its bound', given: { days: '366' }, param: 'days', why: /<= 365/ },
  { name: 'below its bound', given: { days: '0' }, param: 'days', why: />= 1/ },
  { name: 'with a fraction', given: { days: '10.5' }, param: 'days', why: /integer/ },
  { name: 'that is empty', given: { days: '' }, param: 'days', why: /integer/ },
  { name: 'with a letter', given: { days: '7d' }, param: 'days', why: /integer/ },
  { name: 'in hexadecimal', given: { days: '0x10' }, param: 'days', why: /integer/ },
  { name: 'with an exponent', given: { days: '1e2' }, param: 'days', why: /integer/ },
  { name: 'with a space', given: { days: ' 7' }, param: 'days', why: /integer/ },
  { name: 'beyond exact integers', given: { days: '9'.repeat(400) }, param: 'days', why: /integer/ },
  { name: 'that is infinite', given: { share: 'Infinity' }, param: 'share', why: /number/ },
  { name: 'that is neither true nor false', given: { malicious_only: '1' }, param: 'malicious_only', why: /boolean/ },
  { name: 'that is not listed', given: { order: 'up' }, param: 'order', why: /one of asc, desc/ },
  { name: 'given twice', given: { days: ['1', '2'] }, param: 'days', why: /more than once/ },
  { name: 'that is unknown', given: { day: '1' }, param: 'day', why: /unknown query parameter/ },
  { name: 'of the prototype', given: { constructor: '1' }, param: 'constructor', why: /unknown/ },
]
for (const { name, given, param, why } of wrong) {
  test(`a query parameter ${name} is refused by name`, () => {
    const { param: named, message } = refusal(() => query(given))
    expect(named).toBe(param)
    expect(message).toContain(param)
    expect(message).toMatch(why)
  })
}

const Node = Type.Cyclic(
  {
    Node: Type.Object(
      { name: Type.String(), next: Type.Optional(Type.Array(Type.Ref('Node'))) },
      { additionalProperties: false },
    ),
  },
  'Node',
)
const body = bodyCheck(Node)
const bodies: { name: string; given: unknown; param: string }[] = [
  { name: 'an unknown field', given: { name: 'a', a: 1 }, param: 'a' },
  { name: 'an unknown field with a slash', given: { name: 'a', 'a/b~c': 1 }, param: 'a/b~c' },
  {
    name: 'an unknown field inside',
    given: { name: 'a', next: [{ name: 'b' }, { name: 'c', x: 1 }] },
    param: 'next[1].x',
  },
  { name: 'a missing field inside', given: { name: 'a', next: [{ next: [] }] }, param: 'next[0].name' },
  { name: 'a wrong type inside', given: { name: 'a', next: [{ name: 1 }] }, param: 'next[0].name' },
  { name: 'the wrong thing altogether', given: 7, param: 'body' },
]
for (const { name, given, param } of bodies) {
  test(`a body with ${name} is refused by name`, () => expect(refusal(() => body(given)).param).toBe(param))
}

const choices = bodyCheck(
  Type.Object(
    {
      some: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 })])),
      either: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('any')])),
      most: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
      deep: Type.Optional(
        Type.Union([Type.Integer(), Type.Array(Type.Union([Type.Integer(), Type.String()]), { minItems: 1 })]),
      ),
    },
    { minProperties: 1 },
  ),
)
test.each<[unknown, string]>([
  [{ some: [] }, 'some: must not have fewer than 1 items'],
  [{ some: [1, 2, 3] }, 'some: must not have more than 2 items'],
  [{ some: [1, 'x'] }, 'some[1]: must be integer'],
  [{ some: 1 }, 'some: must be string or array'],
  [{ either: 'ANY' }, 'either: must be boolean or "any"'],
  [{ either: null }, 'either: must be boolean or "any"'],
  [{ most: 0 }, 'most: must be >= 1'],
  [{ most: 'x' }, 'most: must be integer or null'],
  [{ deep: [] }, 'deep: must not have fewer than 1 items'],
  [{ deep: [1, 1.5] }, 'deep[1]: must be integer or string'],
  [{}, 'body: must name at least one field'],
])('what is wrong with a value of several kinds is said of its own kind: %j', (given, message) => {
  expect(refusal(() => choices(given)).message).toBe(message)
})
