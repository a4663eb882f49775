import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { repositoryFiles } from '../builders/infra/repository.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const documents = repositoryFiles().filter((path) => path.endsWith('.md'))

for (const path of documents)
  test(`${path} links to what exists`, () => {
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([])
  })

/** Names in the root of the tree: a path in the text begins with one of them. */
const ROOTS = new Set(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 })
    .split('\n')
    .map((path) => path.split('/')[0]!),
)

/** Paths in backticks, also within a command; not those of routes, nor with a placeholder. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code]) => code!.split(' '))
    .filter((word) => /^[^/]+\//.test(word) && ROOTS.has(word.split('/')[0]!) && !/[<>*{}]/.test(word))

describe('the paths in the pages for developers', () => {
  const pages = documents.filter((path) => path === 'AGENTS.md' || /^docs\/contribute\/(adr\/)?[^/]+$/.test(path))

  test.each(pages)('exist: %s', (path) => {
    expect(pathsIn(read(path)).filter((named) => !existsSync(join(ROOT, named)))).toEqual([])
  })

  test('are found in code, in commands, and without placeholders', () => {
    const text = 'See `api/gone.ts`, run `npx vitest tests/gone`, not `api/<area>` and `and/or`.'
    expect(pathsIn(text)).toEqual(['api/gone.ts', 'tests/gone'])
    expect(pages.flatMap((path) => pathsIn(read(path))).length).toBeGreaterThan(50)
  })
})

test('the page of the configuration names every variable of the environment', () => {
  const declared = [...read('platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!)
  const page = read('docs/reference/configuration.md')
  expect(declared.length).toBeGreaterThan(15)
  expect(declared.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('the index of the documents names every page', () => {
  const index = read('docs/README.md')
  const pages = documents.filter((path) => /^docs\/[a-z]+\/(?!README)[^/]+$/.test(path)).map((path) => path.slice(5))
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((path) => !path.startsWith('contribute/') && !index.includes(`(${path})`))).toEqual([])
})

test('the index of decisions names every decision', () => {
  const index = read('docs/contribute/adr/README.md')
  const decisions = readdirSync(join(ROOT, 'docs/contribute/adr')).filter((name) => /^\d{4}-.*\.md$/.test(name))
  expect(decisions.filter((name) => !index.includes(`(${name})`))).toEqual([])
})

test('every target that the documents name is in the Makefile', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z0-9-]+):/gm)].map(([, name]) => name))
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/(?:`|^)make ([a-z0-9-]+)/gm)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !targets.has(name))).toEqual([])
})
