import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logDemoLoads } from '../../../connectors/operations/demo-loads/loads.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { replayExamples } from '../../builders/api/replayed.ts'
import { logOf } from '../../builders/platform/data-folder.ts'
import {
  ADMINISTRATOR,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'
import { type Drive, generatedPython, generatedTypeScript, pythonClient } from '../../clients/generated.ts'
import { PREPARED_MS } from '../../clients/once.ts'

/** The API document and a whole platform: its examples are answered as it says, and clients made of it work. */
/** There is single sign-on, through an issuer that nobody reaches. */
const AWAY_ISSUER = {
  HARRIER_OIDC_ISSUER: 'http://127.0.0.1:9',
  HARRIER_OIDC_CLIENT_ID: 'harrier',
  HARRIER_OIDC_CLIENT_SECRET: 'secret-of-the-client',
  HARRIER_OIDC_REDIRECT_URI: 'http://127.0.0.1:8080/auth/v2/oidc/callback',
}
const folder = temporaryFolder()
const document = join(folder, 'openapi.json')
let platform: Platform
beforeAll(async () => {
  const tiers = JSON.parse(readFileSync(new URL('../../builders/platform/tiers.json', import.meta.url), 'utf8'))
  tiers.tiers.Public.limits['analytics-api'].attribution_per_minute.value = 3
  writeFileSync(join(folder, 'tiers.json'), JSON.stringify(tiers))
  platform = await startPlatform(join(folder, 'data'), {
    HARRIER_TIERS_FILE: join(folder, 'tiers.json'),
    ...AWAY_ISSUER,
  })
  writeFileSync(document, await (await fetch(`${platform.url}/openapi.json`)).text())
})
afterAll(async () => {
  expect(await platform.stop()).toBe(0)
  remove(folder)
})

describe('clients that are generated out of the document report, search, count and are refused with a code', () => {
  const clients: Record<string, [value: string, make: (document: string, folder: string) => Promise<Drive>]> = {
    'openapi-generator for Python': ['203.0.113.101', generatedPython],
    'openapi-generator for TypeScript': ['203.0.113.102', generatedTypeScript],
    'openapi-python-client': ['203.0.113.103', pythonClient],
  }
  for (const [name, [value, make]] of Object.entries(clients))
    test.concurrent(
      name,
      async ({ skip, expect: expected }) => {
        const ask = await make(document, join(folder, 'clients')).catch((error: Error & { code?: unknown }) => {
          // Without the tools there is nothing to test; where they were promised, and where they failed, there is.
          if (process.env.CI !== undefined || error.code !== 'ENOENT') throw error
          return skip(`no generator: ${error.message.split('\n')[0]}`)
        })
        const { 'api-key': key, 'api-secret': secret } = ADMINISTRATOR
        expected(await ask(platform.url, key, secret, value)).toEqual({
          reported: entityId('ip', value),
          found: [1, '64500', -2, null],
          counted: 2,
          role: 'user',
          error: [404, 'not_found'],
          limited: [429, 'rate_limited', '0'],
        })
      },
      PREPARED_MS,
    )
})

test('every example of a request is answered as the document says', { timeout: 240_000 }, async () => {
  const { body: user } = await platform.ask('/auth/v2/admin/user', {
    email: 'examples@example.com',
    roles: ['user', 'reporter', 'trusted'],
  })
  const { body: pair } = await platform.ask(`/auth/v2/admin/user/${user.userID}/keypair`, { name: 'test', days: 3650 })
  const analyst = { 'api-key': pair.apiKey, 'api-secret': pair.apiSecret }
  await loadedElsewhere()
  const described = JSON.parse(readFileSync(document, 'utf8'))
  const example = (path: string) => described.paths[path].post.requestBody.content['application/json'].example
  // What most of the examples are about: a customer, and two entities.
  const made: Record<string, string> = { '/auth/v2/user': user.userID }
  for (const path of ['/api/billing/v1/customer', '/api/ingest/v1/entity']) {
    const { status, body } = await platform.ask(path, example(path), analyst)
    expect(status).toBeLessThan(300)
    made[path] = body.id
  }
  const { entityID, relatedEntityID } = example('/api/ingest/v1/association')
  for (const id of [entityID, relatedEntityID])
    await eventually(
      () => platform.ask(`/api/search/v1/entity/${id}`, undefined, analyst),
      ({ status }) => status === 200,
    )
  const replayed = await replayExamples(
    platform.url,
    described,
    (path) => (/\/(admin|partners|metrics)\b/.test(path) ? ADMINISTRATOR : analyst),
    // A scan would look for its target on the network; without its customer the analyst could end nothing of its own; a
    // stream has no end, and its selector stands alone; a socket opens by a handshake.
    ['startScan', 'deleteAnyCustomer', 'followChanges', 'openLiveSocket'],
    made,
  )
  expect(replayed.filter(({ faults }) => faults.length > 0)).toEqual([])
  // No example is wrong in itself: what is refused names somebody, a code, a letter, a token or a signature that is not there.
  const refused = replayed.filter(({ code }) => code === 'invalid_parameter').map(({ id }) => id)
  expect(refused.filter((id) => !ABOUT_OTHERS.has(id))).toEqual([])
  const failed = replayed.filter(({ status }) => status >= 400).map(({ id, code }) => `${id} ${code}`)
  expect(failed.length / replayed.length, failed.join()).toBeLessThan(0.25)
})

/** Another process loads the demonstration for the next hour, so that the example of it adds no thousands of entities. */
async function loadedElsewhere(): Promise<void> {
  const log = await logOf(join(folder, 'data'))
  const corpus = { entities: 1, days: 1, seed: 1, end: Date.now() }
  await logDemoLoads(log).append({ by: 'another', at: Date.now() + 3_600_000, kind: 'begin', corpus })
  await log.close()
}

const ABOUT_OTHERS = new Set([
  ...[
    'addMember',
    'removeMember',
    'verifyCode',
    'verifyEmail',
    'verifyKeyPair',
    'confirmAlertDestination',
    'listAlerts',
    'listDeadLetters',
    'receivePaymentEvent',
    'endSessionsByIssuer',
  ],
])
