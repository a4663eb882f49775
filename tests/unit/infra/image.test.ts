import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'harrier-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the Dockerfile takes from the repository. */
const copied = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  .flatMap(([, sources]) => sources!.split(' '))
  .filter((source, at, all) => all.indexOf(source) === at)

test('what the image copies exists, and .dockerignore lets exactly that through', () => {
  const admitted = [...readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(admitted.sort()).toEqual([...copied].sort())
})

test('the program starts from what the image copies', async () => {
  for (const path of copied) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = await run(process.execPath, ['bin/harrier.js', '--help'], { cwd: folder })
  expect(stdout).toContain('observe')
})
