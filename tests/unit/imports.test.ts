import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const forbidden: [folder: string, from: string][] = [
  ['schemas', '../connectors/log/port.ts'],
  ['connectors/log', '../../pipelines/jobs/observations.ts'],
  ['connectors/log', '../../api/app.ts'],
  ['pipelines/jobs', '../../api/app.ts'],
  ['pipelines/jobs', '../../connectors/log/embedded/log.ts'],
  ['pipelines/processors', '../../connectors/log/port.ts'],
  ['api/services', '../../pipelines/jobs/observations.ts'],
  ['api/services', '../../connectors/history/clickhouse.ts'],
  ['console/src/pages', '../../../api/services/recent.ts'],
  ['console/src/parts', '../../../connectors/log/port.ts'],
]

const allowed: [folder: string, from: string][] = [
  ['connectors/log', '../../schemas/topics.ts'],
  ['pipelines/jobs', '../../connectors/log/port.ts'],
  ['api/services', '../../connectors/history/sql/queries/history.ts'],
  ['cli', '../connectors/history/clickhouse.ts'],
  ['console/src/pages/overview', '../../api/client.ts'],
  ['console/src/parts', '../../../schemas/entities/labels.ts'],
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const house = mkdtempSync(join(tmpdir(), 'harrier-imports-'))
afterAll(() => rmSync(house, { recursive: true }))

const fileOf = (kind: string, i: number, folder: string): string => join(folder, `${kind}-${i}.ts`)
let reported = ''

/** A house with nothing but these imports, under the rules of this one: a check that stops checking fails here. */
beforeAll(() => {
  const { vcs: _, ...rules } = JSON.parse(readFileSync(`${root}biome.json`, 'utf8'))
  writeFileSync(join(house, 'biome.json'), JSON.stringify(rules))
  for (const [kind, cases] of Object.entries({ forbidden, allowed }))
    for (const [i, [folder, from]] of cases.entries()) {
      const file = join(house, fileOf(kind, i, folder))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `import { x } from '${from}'\n\nexport const y = x\n`)
    }
  try {
    const args = ['lint', '--colors=off', '--max-diagnostics=none', '--only=style/noRestrictedImports', '.']
    reported = execFileSync(`${root}node_modules/.bin/biome`, args, { cwd: house, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    reported = stdout + stderr
  }
})

for (const [i, [folder, from]] of forbidden.entries())
  test(`${folder}/ may not import ${from}`, () =>
    expect(reported).toMatch(new RegExp(`${fileOf('forbidden', i, folder)}.*noRestrictedImports`)))

for (const [i, [folder, from]] of allowed.entries())
  test(`${folder}/ may import ${from}`, () => expect(reported).not.toContain(fileOf('allowed', i, folder)))
