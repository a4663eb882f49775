import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const HEAP = new URL('../../../../../cli/wiring/process/external-memory.ts', import.meta.url).href

test('the V8 of this runtime knows the flag: one that does not would complain', () => {
  const script = `import { countExternalMemory } from ${JSON.stringify(HEAP)}; countExternalMemory(); console.log('goes on')`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([0, 'goes on\n', ''])
})
