import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import type { Drive } from '../../../clients/generated.ts'
import { PREPARED_MS } from '../../../clients/once.ts'

type Clients = Record<string, [value: string, make: (document: string, folder: string) => Promise<Drive>]>

/** Clients that are made out of the document of a running platform work there. */
export function generatedClients(shared: Shared, clients: Clients): void {
  const { folder, platform } = shared
  const document = join(folder, 'document-of-clients.json')
  beforeAll(async () => {
    writeFileSync(document, await (await fetch(`${platform.url}/openapi.json`)).text())
  })

  describe('clients that are generated out of the document report, search, count and are refused with a code', () => {
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
}
