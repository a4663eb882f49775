import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FILE = fileURLToPath(new URL('../../../../../cli/wiring/process/tell-parent.ts', import.meta.url))

test('a message to a parent that has ended is no error', async () => {
  const source = `
    const { tellParent } = await import(${JSON.stringify(FILE)})
    tellParent('running')
    await new Promise((resolve) => process.once('disconnect', resolve))
    tellParent('a batch')
    setTimeout(() => process.exit(0), 100)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  expect(await once(child, 'message')).toContain('running')
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})
