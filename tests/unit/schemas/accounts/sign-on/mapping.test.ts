import { describe, expect, test } from 'vitest'
import { leftOut, readMapping, rightsOf } from '../../../../../schemas/accounts/sign-on/mapping.ts'

const CUSTOMER = '01941f29-7c00-7000-8000-000000000007'
const OTHER = '01941f29-7c00-7000-8000-000000000011'
const nothing = { roles: [], groups: [], membership: null }

describe('a file is refused', () => {
  const rule = { claim: 'groups', value: 'soc' }
  const FILES: Record<string, [file: unknown, fault: RegExp]> = {
    'that is no object': [[], /file must be object/],
    'without rules': [{}, /rules/],
    'with a word that is unknown': [{ rules: [{ ...rule, role: ['user'] }] }, /rules\.0/],
    'with an unknown role': [{ rules: [{ ...rule, roles: ['root'] }] }, /rules\.0\.roles/],
    'with the group of a customer': [
      { rules: [{ ...rule, groups: [`customer-${CUSTOMER}`] }] },
      /only a membership gives/,
    ],
    'that makes an owner': [{ rules: [{ ...rule, customer: CUSTOMER, member: 'owner' }] }, /rules\.0\.member/],
    'with a customer that is no id': [{ rules: [{ ...rule, customer: 'Acme' }] }, /rules\.0\.customer/],
    'with a member of no customer': [{ rules: [{ ...rule, roles: ['user'], member: 'admin' }] }, /without a customer/],
    'with a rule that gives nothing': [{ rules: [rule] }, /gives nothing/],
    'with a claim without a value': [{ rules: [{ claim: 'groups', roles: ['user'] }] }, /rules\.0/],
  }
  for (const [name, [file, fault]] of Object.entries(FILES))
    test(name, () => expect(() => readMapping(file)).toThrow(fault))
})

describe('a claim matches', () => {
  const rightsWith = (claim: string, value: string | number | boolean, claims: Record<string, unknown>) =>
    rightsOf(readMapping({ rules: [{ claim, value, roles: ['reporter'] }] }), claims).roles.length === 1

  test('when it is the value, or a list that has it', () => {
    expect(rightsWith('department', 'soc', { department: 'soc' })).toBe(true)
    expect(rightsWith('groups', 'soc', { groups: ['a', 'soc'] })).toBe(true)
    expect(rightsWith('level', 3, { level: 3 })).toBe(true)
    expect(rightsWith('staff', true, { staff: true })).toBe(true)
  })

  test('inside of objects, by dots, unless a claim has that very name', () => {
    const claims = {
      realm_access: { roles: ['soc'] },
      'https://example.com/groups': ['soc'],
      'a.b': 'soc',
      a: { b: 'x' },
    }
    expect(rightsWith('realm_access.roles', 'soc', claims)).toBe(true)
    expect(rightsWith('https://example.com/groups', 'soc', claims)).toBe(true)
    expect(rightsWith('a.b', 'soc', claims)).toBe(true)
    expect(rightsWith('a.b', 'x', claims)).toBe(false)
  })

  test('never in part, in another type, or by what objects inherit', () => {
    expect(rightsWith('groups', 'soc', { groups: ['socks'] })).toBe(false)
    expect(rightsWith('groups', 'soc', { groups: 'soc, staff' })).toBe(false)
    expect(rightsWith('level', 3, { level: '3' })).toBe(false)
    expect(rightsWith('constructor.name', 'Object', {})).toBe(false)
    expect(rightsWith('groups', 'soc', { groups: null })).toBe(false)
  })
})

test('all rules that match add up; the first one with a customer says which', () => {
  const mapping = readMapping({
    rules: [
      { claim: 'groups', value: 'soc', roles: ['trusted', 'reporter'], groups: ['soc', 'all'] },
      { claim: 'groups', value: 'staff', roles: ['reporter'], groups: ['all'], customer: CUSTOMER },
      { claim: 'groups', value: 'soc', customer: OTHER, member: 'admin' },
      { claim: 'groups', value: 'lead', customer: CUSTOMER, member: 'admin' },
    ],
  })
  expect(rightsOf(mapping, { groups: ['soc', 'staff'] })).toEqual({
    roles: ['reporter', 'trusted'],
    groups: ['all', 'soc'],
    membership: { customerId: CUSTOMER, role: 'user' },
  })
  expect(rightsOf(mapping, { groups: ['staff', 'lead'] }).membership).toEqual({ customerId: CUSTOMER, role: 'admin' })
  expect(rightsOf(mapping, { groups: ['other'] })).toEqual(nothing)
  expect(rightsOf(mapping, {})).toEqual(nothing)
})

test('claims that the tokens do not carry are told apart: those that are elsewhere, and those of which nothing is said', () => {
  const rules = ['groups', 'realm_access.roles', 'department'].map((claim) => ({ claim, value: 'x', groups: ['x'] }))
  const of = (claims: object) => leftOut({ rules }, claims as never)
  const all = ['groups', 'realm_access.roles', 'department']
  expect(of({})).toEqual({ elsewhere: [], absent: all })
  expect(of({ groups: [], realm_access: { roles: ['x'] }, department: '' })).toEqual({ elsewhere: [], absent: [] })
  const named = { groups: 'src1', realm_access: 'src1' }
  expect(of({ _claim_names: named })).toEqual({ elsewhere: ['groups', 'realm_access.roles'], absent: ['department'] })
  expect(of({ hasgroups: true, department: 'x' })).toEqual({ elsewhere: ['groups'], absent: ['realm_access.roles'] })
  expect(of({ hasgroups: true, groups: ['x'] }).elsewhere).toEqual([])
})
