import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const scripts = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.sh', '.ci/run'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

for (const script of scripts)
  test(`${script} is readable by bash and may be run`, () => {
    accessSync(join(ROOT, script), constants.X_OK)
    expect(spawnSync('bash', ['-n', script], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
