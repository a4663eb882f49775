import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const HARRIER = fileURLToPath(new URL('../../../bin/harrier.js', import.meta.url))
const run = promisify(execFile)

/** Lets the program believe that it runs on another Node. */
const on = (version: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
]

for (const version of ['20.20.2', '22.18.0', '24.20.9'])
  test(`on Node ${version} the program says which Node it needs, and ends`, async () => {
    const ended = run(process.execPath, [...on(version), HARRIER, '--help'])
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`Node 24.21 or later is required; this is Node ${version}`),
    })
  })

for (const version of ['24.21.0', '25.0.0'])
  test(`on Node ${version} the program starts`, async () => {
    const { stdout, stderr } = await run(process.execPath, [...on(version), HARRIER, '--help'])
    expect({ stderr, usage: stdout.split('\n')[0] }).toEqual({
      stderr: '',
      usage: 'Usage: harrier [options] [command]',
    })
  })

test('where the reader of a pipe has ended the program ends as programs do that SIGPIPE ends, without a word', async () => {
  const started = spawn(process.execPath, [HARRIER, 'feed', 'import', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.stdout.destroy()
  const said = text(started.stderr)
  const [code] = await once(started, 'close')
  expect([code, await said]).toEqual([141, ''])
})
