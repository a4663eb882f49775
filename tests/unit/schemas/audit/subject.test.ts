import { expect, test } from 'vitest'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { idIn, subjectOf } from '../../../../schemas/audit/subject.ts'

const ID = '0190f0a0-0000-7000-8000-000000000001'
const ENTITY = `ip-${'0f'.repeat(32)}`
const nothing = { user: null, params: null, body: null, made: null }
const user = { userId: ID, customerId: 'c', by: null } as unknown as Identity

test('ids are subjects, and nothing else is: no word, no address and no secret', () => {
  expect([ID, ID.toUpperCase(), ENTITY].map(idIn)).toEqual([ID, ID, ENTITY])
  for (const text of ['ada@example.com', 'password', '203.0.113.7', 'a'.repeat(64), `${ID} and more`, 7, null, {}])
    expect(idIn(text)).toBe('')
})

test('a subject is read from where the list says that it is', () => {
  expect(subjectOf({ param: 'id' }, { ...nothing, params: { id: ID } })).toBe(ID)
  expect(subjectOf({ body: 'userID' }, { ...nothing, body: { userID: ID } })).toBe(ID)
  expect(subjectOf({ body: 'userID' }, { ...nothing, body: [ID] })).toBe('')
  expect(subjectOf('made', { ...nothing, made: ID })).toBe(ID)
  expect(subjectOf('caller', { ...nothing, user })).toBe(ID)
  expect(subjectOf('customer', { ...nothing, user })).toBe('c')
  expect(subjectOf(null, { ...nothing, user, params: { id: ID } })).toBe('')
})

test('the feed of a download token is the subject, never the token that stands in the path', () => {
  const by = { kind: 'download token', id: 't', feedId: ID } as const
  const token = { ...user, by }
  expect(subjectOf({ feed: 'id' }, { ...nothing, user: token, params: { token: 'secret' } })).toBe(ID)
  expect(subjectOf({ feed: 'id' }, { ...nothing, user, params: { id: ID } })).toBe(ID)
})
