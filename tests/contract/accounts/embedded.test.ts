import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { embeddedAccounts } from '../../../connectors/postgres/database/embedded.ts'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import { append } from '../../builders/lifecycle/events.ts'

const CHILD = fileURLToPath(new URL('../../builders/platform/system/holder-child.ts', import.meta.url))
const root = await mkdtemp(join(tmpdir(), 'harrier-accounts-'))
afterAll(() => rm(root, { recursive: true, force: true }))

test('a folder keeps its users, is refused to a second owner, and opens again after its owner was killed', async () => {
  const folder = join(root, 'accounts')
  const user = newUser()
  const pair = newKeyPair(user.id)
  const first = await embeddedAccounts({ folder }, append)
  await first.createUser(user)
  await first.createKeyPair(pair)
  await expect(embeddedAccounts({ folder }, append)).rejects.toThrow(`${folder} is in use by process ${process.pid}`)
  await first.close()

  // An owner that was killed in the middle of its work; what it leaves behind does not block.
  const owner = spawn(process.execPath, [CHILD, 'hold', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(owner.stdout, 'data')
  await expect(embeddedAccounts({ folder }, append)).rejects.toThrow(`in use by process ${owner.pid}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  const again = await embeddedAccounts({ folder }, append)
  expect((await again.keyPairCredential(pair.apiKey))?.identity.userId).toBe(user.id)
  await again.close()
})
