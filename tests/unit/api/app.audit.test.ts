import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { type Route, reply, route } from '../../../api/http/route.ts'
import type { Action } from '../../../schemas/audit/action.ts'
import { apiConfig, apiPorts } from '../../builders/api/api.ts'

const routes = apiRoutes(apiPorts(), apiConfig)
const named = ({ method, path }: Route): string => `${method} ${path}`
const audited = routes.flatMap((one) =>
  one.audit === null || one.audit.kind === 'none' ? [] : [{ name: named(one), audit: one.audit as Action }],
)

test('every route that may change something has an action, or says why it leaves no record', () => {
  expect(routes.filter(({ method, audit }) => method !== 'get' && audit === null).map(named)).toEqual([])
  for (const { audit } of routes) if (audit?.kind === 'none') expect(audit.why).toMatch(/^[a-z].{20,}$/)
})

test('a route that may change something does not compile without either', () => {
  const common = { path: '/a', id: 'a', summary: 'A.', tag: 'Test', access: 'open', scope: null } as const
  const rest = { responses: { 200: Type.Object({}) }, handler: () => reply(200, {}) } as const
  route({ ...common, ...rest, method: 'get' })
  // @ts-expect-error: a POST has to say what it is recorded as
  route({ ...common, ...rest, method: 'post' })
  const { id: _, ...unnamed } = common
  // @ts-expect-error: clients name a method after the id
  route({ ...unnamed, ...rest, method: 'get' })
})

/** A browser that comes back from the issuer can do nothing else. */
const CHANGES_BY_GET = ['get /auth/v2/oidc/callback']

test('routes that change something are not recorded as reads, and reads change nothing', () => {
  for (const { name, audit } of audited)
    expect([name, audit.kind === 'read']).toEqual([name, name.startsWith('get ') && !CHANGES_BY_GET.includes(name)])
})

test('a parameter that the subject is read from is one of the path', () => {
  for (const { name, audit } of audited)
    if (audit.subject !== null && typeof audit.subject === 'object' && 'param' in audit.subject)
      expect(name).toContain(`{${audit.subject.param}}`)
})

test('actions are a noun and a verb', () => {
  expect(audited.map(({ audit }) => audit.action).filter((action) => !/^[a-z-]+\.[a-z]+$/.test(action))).toEqual([])
})

test('docs/reference/audit-actions.md names every action', () => {
  const page = readFileSync(new URL('../../../docs/reference/audit-actions.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+)\.` \| (.*) \|$/gm)].flatMap(([, noun, verbs]) =>
    [...verbs!.matchAll(/`([a-z]+)`/g)].map(([, verb]) => `${noun}.${verb}`),
  )
  expect(rows).toEqual([...new Set(audited.map(({ audit }) => audit.action))].sort())
})
