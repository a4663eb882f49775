import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the linter says of a file that does not exist, at a place in the tree. */
function linted(path: string, code: string): string {
  try {
    const args = ['lint', `--stdin-file-path=${path}`, '--colors=off']
    return execFileSync(`${root}node_modules/.bin/biome`, args, {
      cwd: root,
      input: code,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}

const importing = (from: string): string => `import { x } from '${from}'\n\nexport const y = x\n`

const forbidden: [place: string, from: string][] = [
  ['schemas/a.ts', '../connectors/log/port.ts'],
  ['connectors/log/a.ts', '../../pipelines/jobs/observations.ts'],
  ['connectors/log/a.ts', '../../api/app.ts'],
  ['pipelines/jobs/a.ts', '../../api/app.ts'],
  ['pipelines/jobs/a.ts', '../../connectors/log/embedded/log.ts'],
  ['pipelines/processors/a.ts', '../../connectors/log/port.ts'],
  ['api/services/a.ts', '../../pipelines/jobs/observations.ts'],
  ['api/services/a.ts', '../../connectors/history/clickhouse.ts'],
]

for (const [place, from] of forbidden)
  test(`${place} may not import ${from}`, () => expect(linted(place, importing(from))).toContain('noRestrictedImports'))

const allowed: [place: string, from: string][] = [
  ['connectors/log/a.ts', '../../schemas/topics.ts'],
  ['pipelines/jobs/a.ts', '../../connectors/log/port.ts'],
  ['api/services/a.ts', '../../connectors/history/queries/history.ts'],
]

for (const [place, from] of allowed)
  test(`${place} may import ${from}`, () => expect(linted(place, importing(from))).not.toContain('noRestrictedImports'))
