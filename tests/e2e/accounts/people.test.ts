/** Users, their keys and what is left of them, on one platform. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openIdProvider } from '../../builders/accounts/sign-on/provider.ts'
import { type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { endsOfAccounts } from './ends.ts'
import { narrowedKeys } from './narrowed-keys.ts'
import { signOnBy } from './sign-on.ts'

const folder = ownFolder()
const mapping = join(folder, 'mapping.json')
let provider: Awaited<ReturnType<typeof openIdProvider>>
let platform: Platform
beforeAll(async () => {
  provider = await openIdProvider()
  writeFileSync(mapping, JSON.stringify({ rules: [{ claim: 'groups', value: 'soc', roles: ['reporter'] }] }))
  const env = { ...provider.env, HARRIER_OIDC_MAPPING_FILE: mapping, HARRIER_COMPUTE_STEP_MS: '50' }
  platform = await startPlatform(join(folder, 'data'), env)
})
afterAll(async () => {
  await platform?.stop()
  await provider?.close()
})

signOnBy(() => ({ platform, provider }))
narrowedKeys(() => platform)
endsOfAccounts(() => platform)
