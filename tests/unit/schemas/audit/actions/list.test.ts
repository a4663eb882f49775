import { expect, test } from 'vitest'
import { apiRoutes } from '../../../../../api/app.ts'
import { ACTIONS, actionOf, NOT_AUDITED } from '../../../../../schemas/audit/actions/list.ts'
import { apiConfig, apiPorts } from '../../../../builders/api/api.ts'

const names = apiRoutes(apiPorts(), apiConfig).map(({ method, path }) => `${method} ${path}`)
const listed = new Set([...Object.keys(ACTIONS), ...Object.keys(NOT_AUDITED)])

test('every route that may change something is on the list, or the list says why it is not written', () => {
  expect(names.filter((name) => !name.startsWith('get ') && !listed.has(name))).toEqual([])
})

test('the list names no route that is not there, and none twice', () => {
  expect([...listed].filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(NOT_AUDITED).filter((name) => name in ACTIONS)).toEqual([])
})

/** A browser that comes back from the issuer can do nothing else. */
const CHANGES_BY_GET = ['get /auth/v2/oidc/callback']

test('routes that change something are not recorded as reads, and reads change nothing', () => {
  for (const [name, { kind }] of Object.entries(ACTIONS))
    expect([name, kind === 'read']).toEqual([name, name.startsWith('get ') && !CHANGES_BY_GET.includes(name)])
})

test('a parameter that the subject is read from is one of the path', () => {
  for (const [name, { subject }] of Object.entries(ACTIONS))
    if (subject !== null && typeof subject === 'object' && 'param' in subject)
      expect(name).toContain(`{${subject.param}}`)
})

test('a route is found by its method and path', () => {
  expect(actionOf({ method: 'post', path: '/auth/v2/keypair' })?.action).toBe('key.make')
  expect(actionOf({ method: 'get', path: '/auth/v2/keypair' })).toBe(null)
})
