import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { newKeyPair, newUser } from '../../builders/accounts/accounts.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const CHILD = fileURLToPath(new URL('../../builders/platform/system/holder-child.ts', import.meta.url))
const root = ownFolder('accounts')

const open = async (folder: string) => peopleOf(await embeddedDatabase({ folder }))

test('a folder keeps its users, is refused to a second owner, and opens again after its owner was killed', async () => {
  const folder = join(root, 'accounts')
  const user = newUser()
  const pair = newKeyPair(user.id)
  const first = await open(folder)
  await first.accounts.createUser(user)
  await first.accounts.createKeyPair(pair)
  await expect(open(folder)).rejects.toThrow(`${folder} is in use by process ${process.pid}`)
  await first.close()

  // An owner that was killed in the middle of its work; what it leaves behind does not block.
  const owner = spawn(process.execPath, [CHILD, 'hold', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(owner.stdout, 'data')
  await expect(open(folder)).rejects.toThrow(`in use by process ${owner.pid}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  const again = await open(folder)
  expect((await again.accounts.keyPairCredential(pair.apiKey))?.identity.userId).toBe(user.id)
  await again.close()
})

test('its files are for their owner alone, also those of a folder from before', async () => {
  const folder = join(root, 'own')
  const opened = async (): Promise<string[]> => {
    const found = await readdir(folder, { recursive: true })
    const modes = await Promise.all(found.map(async (name) => [name, (await stat(join(folder, name))).mode] as const))
    return modes.filter(([, mode]) => (mode & 0o077) !== 0).map(([name]) => name)
  }
  const before = process.umask(0o077)
  try {
    await (await open(folder)).close()
    expect(await opened()).toEqual([])
    for (const name of ['PG_VERSION', 'base/1/PG_VERSION', 'global']) await chmod(join(folder, name), 0o666 | 0o100)
    await (await open(folder)).close()
    expect(await opened()).toEqual([])
  } finally {
    process.umask(before)
  }
})
