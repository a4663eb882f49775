import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { NOTHING_SENT } from '../../../../api/http/bodies/read-body.ts'
import { HandlerRequest } from '../../../../api/http/handler-request.ts'
import type { Route } from '../../../../api/http/route.ts'

const asked = (ip: string, headers: Record<string, string> = {}) =>
  new HandlerRequest(
    { req: { headers } } as unknown as Context,
    { route: { limit: null, scope: null } as Route, enforce: async () => null, callerOf: async () => null },
    { ip, user: null, params: {}, query: {}, sent: NOTHING_SENT, lineStream: null },
  )

test('a function that a handler takes off a request knows the request', async () => {
  const { header, takeUpTo, again } = asked('203.0.113.7', { accept: 'text/plain' })

  expect(header('accept')).toBe('text/plain')
  expect(header('accept-language')).toBeUndefined()
  expect(await takeUpTo(5)).toEqual({ taken: 5, againMs: 0 })
  expect(await again()).toBeNull()
})

test('what is asked of one request says nothing of another', () => {
  const [one, other] = [asked('203.0.113.7', { accept: 'a' }), asked('2001:db8::1', { accept: 'b' })]

  expect([one.header('accept'), other.header('accept')]).toEqual(['a', 'b'])
  expect([one.caller, other.caller]).toEqual(['203.0.113.7', '2001:db8::/64'])
})

test('no request has an accessor of its own, which would cost more than its answer', () => {
  const own = Object.values(Object.getOwnPropertyDescriptors(asked('203.0.113.7')))

  expect(own.filter(({ get }) => get !== undefined)).toEqual([])
})
