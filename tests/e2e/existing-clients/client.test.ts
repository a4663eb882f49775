/**
 * Public clients of this interface, unchanged: every request that they send, and, where HARRIER_JS_CLIENT names a built
 * ES module of the JavaScript client, that client itself, method by method (ADR 285).
 */

import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADDRESS } from '../../builders/accounts/team.ts'
import { ADMINISTRATOR, startPlatform } from '../../builders/platform/platform.ts'
import { during } from '../../builders/suite/during.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import type { Call } from './call.ts'
import { readCodes, replay, type Sent, sentBy, type World } from './run.ts'
import { tables } from './tables.ts'

const folder = ownFolder()
const platform = during(
  () => startPlatform(folder, { HARRIER_COMPUTE_STEP_MS: '20', HARRIER_SCAN_ALLOW_PRIVATE: 'true' }),
  (one) => one.stop(),
)

async function request(path: string, body?: unknown, as: Record<string, string> | null = ADMINISTRATOR) {
  const { status, body: answer } = await platform.ask(path, body, as)
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

/** A member with a session that owns a customer, and a user without one. */
async function newWorld(): Promise<World> {
  const person = async (name: string) => {
    const email = `${name}.${process.hrtime.bigint()}@example.com`
    const names = { email, fullName: 'Grace Hopper', alias: name, roles: ['user', 'reporter', 'trusted'] }
    const { userID } = await request('/auth/v2/admin/user', names)
    const { bearer } = await request(`/auth/v2/admin/user/${userID}/session`, {})
    return { email, userID: String(userID), headers: { authorization: `Bearer ${bearer}` } }
  }
  const [grace, other] = [await person('grace'), await person('other')]
  const acme = { email: 'billing@example.com', name: 'Acme', billingAddress: ADDRESS }
  const { id: customerID } = await request('/api/billing/v1/customer', acme, grace.headers)
  const known = {
    email: grace.email,
    userID: grace.userID,
    customerID: String(customerID),
    'other email': other.email,
    'other userID': other.userID,
  }
  return { known, member: grace.headers, mails: join(folder, 'outbox') }
}

const described = ({ method, verb, path }: Call, i: number): string =>
  `${i + 1}. ${method === '-' ? 'prepares' : method}: ${verb} ${typeof path === 'string' ? path : ''}`

for (const [name, calls] of Object.entries(tables))
  describe(`what clients send: ${name}`, () => {
    let world: World
    beforeAll(async () => {
      world = await newWorld()
    })
    calls.forEach((call, i) => {
      test(described(call, i), () => replay(platform, call, world))
    })
  })

type Method = (...given: readonly unknown[]) => Promise<unknown>
type Module = Record<string, new (given: object) => Record<string, Method>>

const module = process.env.HARRIER_JS_CLIENT
const CLASSES: Record<string, string> = {
  auth: 'AuthClient',
  billing: 'BillingClient',
  casework: 'CaseworkClient',
  search: 'SearchClient',
  ingest: 'IngestClient',
  analytics: 'AnalyticsClient',
}

if (module === undefined)
  test.skip('set HARRIER_JS_CLIENT to a built module of the JavaScript client to run that client', () => undefined)
else
  describe('the JavaScript client itself', () => {
    const seen: Sent[] = []
    const real = globalThis.fetch
    let client: Module
    beforeAll(async () => {
      client = (await import(pathToFileURL(resolve(module)).href)) as Module
      globalThis.fetch = (input, init) => {
        const { pathname, search } = new URL(String(input))
        const body = init?.body === undefined || init.body === null ? undefined : JSON.parse(String(init.body))
        seen.push({ verb: init?.method ?? 'GET', path: pathname + search, body })
        return real(input, init)
      }
    })
    afterAll(() => {
      globalThis.fetch = real
    })

    for (const [name, calls] of Object.entries(tables).filter(([, rows]) =>
      rows.some(({ args }) => args !== undefined),
    ))
      describe(name, () => {
        let world: World
        beforeAll(async () => {
          world = await newWorld()
        })
        calls.forEach((call, i) => {
          if (call.args === undefined) test(described(call, i), () => replay(platform, call, world))
          else
            test(described(call, i), async () => {
              readCodes(world)
              const { known, member } = world
              const bearer =
                (call.by ?? 'member') === 'member' ? member.authorization!.slice('Bearer '.length) : undefined
              const [service, method] = call.method.split('.') as [string, string]
              const base = new client.ThreatWindsClient!({
                baseUrl: platform.url,
                ...(bearer === undefined ? {} : { bearer }),
              })
              const api = new client[CLASSES[service]!]!(base)
              const given = typeof call.args === 'function' ? call.args(known) : call.args!
              seen.length = 0
              const answer = await api[method]!(...given).catch((error: { statusCode?: number }) => {
                if (error.statusCode !== call.status) throw error
                return null
              })
              expect(seen).toEqual([sentBy(call, known)])
              // What the client makes of an answer is its own: the rows hold what stands on the wire.
              if (call.keep !== undefined) call.keep(answer, known)
            })
        })
      })
  })
