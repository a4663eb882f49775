import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { logDemoLoads } from '../../../../connectors/operations/demo-loads/loads.ts'
import { replayExamples } from '../../../builders/api/replayed.ts'
import { logOf } from '../../../builders/platform/data-folder.ts'
import { ADMINISTRATOR, eventually, TIERS } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** There is single sign-on, through an issuer that nobody reaches. */
const AWAY_ISSUER = {
  HARRIER_OIDC_ISSUER: 'http://127.0.0.1:9',
  HARRIER_OIDC_CLIENT_ID: 'harrier',
  HARRIER_OIDC_CLIENT_SECRET: 'secret-of-the-client',
  HARRIER_OIDC_REDIRECT_URI: 'http://127.0.0.1:8080/auth/v2/oidc/callback',
}

/** Settings of a platform of which the document tells all; few may ask for the attribution. */
export function documented(place: string): Record<string, string> {
  const tiers = JSON.parse(readFileSync(TIERS, 'utf8'))
  tiers.tiers.Public.limits['analytics-api'].attribution_per_minute.value = 3
  const file = join(place, 'tiers.json')
  writeFileSync(file, JSON.stringify(tiers))
  return { HARRIER_TIERS_FILE: file, ...AWAY_ISSUER }
}

/** The API document and a whole platform: its examples are answered as it says. */
export function apiDocument(shared: Shared): void {
  const { folder, platform } = shared
  const document = join(folder, 'openapi.json')
  beforeAll(async () => {
    writeFileSync(document, await (await fetch(`${platform.url}/openapi.json`)).text())
  })

  test('every example of a request is answered as the document says', { timeout: 240_000 }, async () => {
    const { body: user } = await platform.ask('/auth/v2/admin/user', {
      email: 'examples@example.com',
      roles: ['user', 'reporter', 'trusted'],
    })
    const { body: pair } = await platform.ask(`/auth/v2/admin/user/${user.userID}/keypair`, {
      name: 'test',
      days: 3650,
    })
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
    const log = await logOf(folder)
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
}
