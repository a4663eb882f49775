import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerInit } from '../../../../../cli/commands/admin/init.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const folder = ownFolder('init')
/** What a server may answer that wants more than to be asked. */
const HOSTILE = `a'; touch ${join(folder, 'run')}; echo 'b $(touch ${join(folder, 'run')})`
const server = createServer((_, answer) =>
  answer
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ userID: 'u', apiKey: HOSTILE, apiSecret: 's' })),
)
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

test('what a server answers is a value of the shell, and no command', async () => {
  let printed = ''
  const program = new Command().exitOverride()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  registerInit(program, {
    open: async () => ({ url, credentials: { key: 'k', secret: 's' }, isNamed: true, dataDir: folder }),
    stdout: { write: (text: string) => (printed += text) },
    stderr: { write: () => undefined },
  })
  await program.parseAsync(['init'], { from: 'user' })
  const shell = `${printed}\nprintf %s "$HARRIER_API_KEY"`
  expect(execFileSync('bash', ['-c', shell], { encoding: 'utf8' })).toBe(HOSTILE)
  expect(existsSync(join(folder, 'run'))).toBe(false)
})
