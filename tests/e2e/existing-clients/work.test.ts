/** The calls of four clients of the JavaScript package, over plain HTTP, in the order of their tables. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform.ts'
import { newUserOf } from '../../builders/users.ts'
import type { Call, Known } from './call.ts'
import { workCalls } from './work.ts'

const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

const dataDir = temporaryFolder()
const known: Known = {}
let platform: Platform
let member: Record<string, string>

beforeAll(async () => {
  platform = await startPlatform(dataDir, { HARRIER_SCAN_ALLOW_PRIVATE: 'true' })
  member = (await newUserOf(platform, { roles: ['user', 'reporter', 'trusted'], groups: ['public'] })).headers
  const customer = { email: 'billing@acme.example', name: 'Acme', billingAddress: ADDRESS }
  expect((await platform.ask('/api/billing/v1/customer', customer, member)).status).toBe(201)
})
afterAll(async () => {
  await platform?.stop()
  remove(dataDir)
})

async function sent({ verb, path, body }: Call): Promise<{ status: number; answer: unknown }> {
  const given = typeof body === 'function' ? body(known) : body
  const response = await fetch(platform.url + (typeof path === 'function' ? path(known) : path), {
    method: verb,
    headers: { ...member, ...(given === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(given === undefined ? {} : { body: JSON.stringify(given) }),
  })
  const text = await response.text()
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) }
}

for (const [row, call] of workCalls.entries())
  test(`call ${row + 1}, ${call.method}, is answered as the client expects`, async () => {
    const meets = ({ status, answer }: Awaited<ReturnType<typeof sent>>) =>
      status === call.status && (call.holds?.(answer, known) ?? true)
    const last = call.eventually ? await eventually(() => sent(call), meets) : await sent(call)
    expect({ ...last, meets: meets(last) }).toEqual({ ...last, status: call.status, meets: true })
    call.keep?.(last.answer, known)
  })
