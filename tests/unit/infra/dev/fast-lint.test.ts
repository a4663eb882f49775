import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fastLint } from '../../../../infra/dev/fast-lint.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const biomeJson = read('biome.json')

test('only the rule that needs types is left out', () => {
  const whole = JSON.parse(biomeJson)
  const { extends: walls, plugins, ...fast } = JSON.parse(fastLint(biomeJson, '/checkout'))
  expect(walls).toEqual(['/checkout/infra/walls/rules.json'])
  expect(plugins).toEqual(['/checkout/infra/lint/no-literal-spread.grit'])
  expect(Object.keys(whole.linter.rules.nursery)).toEqual(['noFloatingPromises'])
  delete whole.linter.rules.nursery
  for (const { linter } of whole.overrides) {
    linter.rules ??= {}
    delete linter.rules.nursery
  }
  const { extends: _, plugins: __, ...rest } = whole
  expect(fast).toEqual(rest)
})

const folder = ownFolder('fast-lint')

test('walls, the plugin, the format and the order of imports are looked at from where the configuration lies', () => {
  for (const path of ['infra/walls/rules.json', 'infra/lint/no-literal-spread.grit', '.gitignore']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), read(path))
  }
  spawnSync('git', ['init', '-q'], { cwd: folder })
  const file = 'schemas/intelligence/bad.ts'
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  mkdirSync(join(folder, '.cache'))
  writeFileSync(join(folder, '.cache/fast.json'), fastLint(biomeJson, folder))
  writeFileSync(
    join(folder, file),
    `import { b } from './b.ts'
import { a } from './a.ts'
import { app } from '../../api/app.ts'
export const row = (id: any) =>   ({ ...{ id, a, b, app } })
`,
  )
  const args = ['check', `--config-path=${join(folder, '.cache/fast.json')}`, '--reporter=json', file]
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string }[] }
  expect(new Set(diagnostics.map(({ category }) => category))).toEqual(
    new Set([
      'assist/source/organizeImports',
      'format',
      'lint/style/noRestrictedImports',
      'lint/suspicious/noExplicitAny',
      'plugin',
    ]),
  )
})
