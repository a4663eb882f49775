import { expect, test } from 'vitest'
import { checkoutUrl } from '../../../../../console/src/pages/account/plan/checkout-url.ts'
import {
  acceptFault,
  grantableRoles,
  memberActions,
  memberName,
  newMember,
} from '../../../../../console/src/pages/account/team/members.ts'
import {
  featureName,
  filterLabel,
  filterServices,
  resetTime,
  type Services,
  stateOf,
  usageText,
  windowText,
} from '../../../../../console/src/pages/account/usage.ts'
import { formatDuration } from '../../../../../console/src/parts/time/duration.ts'

const usage = (limit: number, currentUsage: number) => ({
  featureKey: 'asks_per_day',
  limit,
  currentUsage,
  remaining: limit < 0 ? -1 : Math.max(0, limit - currentUsage),
  description: 'Asks a day.',
})

const bars = [
  { limit: -1, used: 0, state: 'unlimited', text: 'no limit' },
  { limit: -1, used: 7, state: 'unlimited', text: '7 used, no limit' },
  { limit: 0, used: 0, state: 'off', text: 'not part of the plan' },
  { limit: 1200, used: 3, state: 'free', text: '3 of 1,200 used, 1,197 left' },
  { limit: 10, used: 8, state: 'high', text: '8 of 10 used, 2 left' },
  { limit: 10, used: 10, state: 'full', text: '10 of 10 used, 0 left' },
  { limit: 10, used: 12, state: 'full', text: '12 of 10 used, 0 left' },
]
for (const { limit, used, state, text } of bars)
  test(`${used} of a limit of ${limit}: ${text}`, () => {
    expect(stateOf(usage(limit, used))).toBe(state)
    expect(usageText(usage(limit, used))).toBe(text)
  })

test('a feature is called by its description, else by its key', () => {
  expect(featureName(usage(1, 0))).toBe('Asks a day')
  expect(featureName({ ...usage(1, 0), description: '' })).toBe('asks_per_day')
})

test('a limit says what it is of, and when it begins anew if it ever does', () => {
  const at = 1_800_000_000_000
  const resetAt = at / 1_000 + 90
  const perDay = { ...usage(10, 1), window: 'day', resetAt }
  expect([windowText(perDay, at), resetTime(perDay)]).toEqual(['per day, resets in 1 min 30 s', resetAt * 1_000])
  expect(windowText({ ...perDay, limit: -1 }, at)).toBe('per day')
  const streams = { ...usage(2, 1), window: 'open', resetAt }
  expect([windowText(streams, at), resetTime(streams)]).toEqual(['at the same time', null])
  expect([windowText(usage(2, 1), at), resetTime(usage(2, 1))]).toEqual([null, null])
})

test('services without a matching feature are left out, the others keep their order', () => {
  const services: Services = {
    b: { serviceName: 'b', features: [usage(10, 0), usage(0, 0)] },
    a: { serviceName: 'a', features: [usage(10, 10)] },
  }
  expect(filterServices(services, 'all').map(([name, { length }]) => [name, length])).toEqual([
    ['b', 2],
    ['a', 1],
  ])
  expect((['all', 'used', 'locked'] as const).map((shown) => filterLabel(services, shown))).toEqual([
    'All 3',
    'In use 1',
    'Locked 2',
  ])
  expect(filterServices(services, 'used').map(([name]) => name)).toEqual(['a'])
  expect(filterServices(services, 'locked').map(([name, { length }]) => [name, length])).toEqual([
    ['b', 1],
    ['a', 1],
  ])
})

const durations = [
  [-5, 'now'],
  [0, 'now'],
  [1, '1 s'],
  [59_000, '59 s'],
  [60_000, '1 min'],
  [582_000, '9 min 42 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
] as const
for (const [ms, text] of durations) test(`${ms} ms are ${text}`, () => expect(formatDuration(ms)).toBe(text))

test('an owner is offered what the platform would do: roles of others, never its own', () => {
  const admin = { userID: 'x', role: 'admin' as const }
  expect(memberActions('owner', admin, false, 1)).toEqual({
    roles: ['admin', 'user'],
    fixed: null,
    remove: true,
    transfer: true,
  })
  expect(memberActions('owner', { userID: 'x', role: 'owner' }, true, 1)).toEqual({
    roles: [],
    fixed: 'You are the only owner. Transfer the team to another member first, or delete it.',
    remove: false,
    transfer: false,
  })
  expect(memberActions('owner', { userID: 'x', role: 'owner' }, false, 2)).toEqual({
    roles: ['admin', 'user'],
    fixed: null,
    remove: true,
    transfer: true,
  })
})

test('an admin is offered to make users of its equals, and nothing about owners', () => {
  expect(memberActions('admin', { userID: 'x', role: 'admin' }, false, 1)).toEqual({
    roles: ['user'],
    fixed: null,
    remove: true,
    transfer: false,
  })
  expect(memberActions('admin', { userID: 'x', role: 'user' }, false, 1)).toEqual({
    roles: [],
    fixed: 'Only an owner makes admins.',
    remove: true,
    transfer: false,
  })
  expect(memberActions('admin', { userID: 'x', role: 'owner' }, false, 1)).toEqual({
    roles: [],
    fixed: 'Only an owner changes an owner.',
    remove: false,
    transfer: false,
  })
  expect(grantableRoles('owner')).toEqual(['user', 'admin'])
  expect(grantableRoles('admin')).toEqual(['user'])
})

test('a new member is an address or a user id, and nothing else', () => {
  const userID = '0190A0B1-89ab-7def-8123-456789abcdef'
  expect(newMember(` ${userID} `)).toEqual({ userID })
  expect(newMember(' ada@example.com')).toEqual({ email: 'ada@example.com' })
  for (const text of ['', 'ada', 'ada@', '@example.com', 'a b@example.com', '0190a0b1-89ab-7def-8123-456789abcde'])
    expect(newMember(text)).toBeNull()
})

test('a member is called by its name, by its address, and by its id alone before it has accepted', () => {
  const member = { userID: 'id', role: 'user' as const, joinedAt: null, fullName: null, alias: null, email: null }
  expect(memberName(member)).toBe('id')
  expect(memberName({ ...member, fullName: '', alias: '', email: 'ada@example.com' })).toBe('ada@example.com')
  expect(memberName({ ...member, fullName: 'Ada Example', alias: 'ada', email: 'ada@example.com' })).toBe('Ada Example')
})

test('why nothing was accepted is said where the caller can do something about it', () => {
  expect(acceptFault({ status: 400, param: 'customerID' })?.title).toBe('You are in another team')
  expect(acceptFault({ status: 404, param: 'invitation' })?.title).toBe('This invitation cannot be used')
  expect(acceptFault({ status: 404, param: null })?.title).toBe('The invitation was withdrawn')
  expect(acceptFault({ status: 503, param: null })).toBeUndefined()
})

test('only the safe address of a payment provider is gone to', () => {
  const own = 'http://127.0.0.1:8080'
  expect(checkoutUrl('https://checkout.stripe.com/c/pay', own)).toBe('https://checkout.stripe.com/c/pay')
  expect(checkoutUrl('http://127.0.0.1:8080/', own)).toBeNull()
  expect(checkoutUrl('http://localhost:8080/', own)).toBeNull()
  expect(checkoutUrl('https://harrier.example/', 'https://harrier.example')).toBeNull()
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'not an address', 'http://pay.example/now', ''])
    expect(() => checkoutUrl(address, own)).toThrow('payment address')
})
