import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PLUGIN = 'no-literal-spread.grit'
const folder = ownFolder('lint')

/** Whether the plugin refuses a file with this line. */
function refused(line: string): boolean {
  copyFileSync(join(ROOT, 'infra/lint', PLUGIN), join(folder, PLUGIN))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [`./${PLUGIN}`], linter: { rules: {} } }))
  writeFileSync(join(folder, 'line.tsx'), `${line}\n`)
  const args = ['lint', '--reporter=json', 'line.tsx']
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string }[] }
  return diagnostics.some(({ category }) => category === 'plugin')
}

test.each([
  'export const row = (id: number) => ({ ...{ id, live: true } })',
  'export const row = (id: number, rest: object) => ({ ...rest, ...{ id } })',
])('the linter refuses a spread of an object literal: %s', (line) => expect(refused(line)).toBe(true))

test.each([
  'export const row = (id: number, rest: object) => ({ id, ...rest })',
  'export const row = (id: number, last: boolean) => ({ id, ...(last && { last }) })',
  'export const count = (...{ length }: number[]) => length',
  'export const Row = () => <div {...{ hidden: true }} />',
])('the linter allows %s', (line) => expect(refused(line)).toBe(false))

test('the linter runs with the plugin', () => expect(readFileSync(join(ROOT, 'biome.json'), 'utf8')).toContain(PLUGIN))
