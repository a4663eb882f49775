import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ownFolder } from '../builders/suite/own-folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const house = ownFolder('unused')

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(house, path)), { recursive: true })
  writeFileSync(join(house, path), text)
}

/** A house with something unused of every kind, under the rules of this one: a check that stops checking fails here. */
test('an unused file, export and dependency are found, and what is used is not', () => {
  for (const path of [
    'knip.json',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'tests/runner/sequencer.ts',
    'tests/runner/stages.ts',
    'bin',
  ])
    cpSync(join(ROOT, path), join(house, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'))
  write('cli/main.ts', "import { used } from '../schemas/words.ts'\nimport 'koa'\nprocess.stdout.write(used)\n")
  write('schemas/words.ts', "export const used = 'a'\nexport const exportedForNobody = 'b'\n")
  write('schemas/orphan.ts', 'export const lonely = 1\n')
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/knip/bin/knip.js'), '--no-progress'],
    {
      cwd: house,
      encoding: 'utf8',
    },
  )
  expect(status).toBe(1)
  for (const unused of ['schemas/orphan.ts', 'exportedForNobody', 'kafkajs']) expect(stdout).toContain(unused)
  expect(stdout).not.toMatch(/^(used|koa|cli\/main\.ts)\s/m)
})
