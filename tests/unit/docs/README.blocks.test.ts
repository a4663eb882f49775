import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Block, fencesOf } from '../../builders/infra/page.ts'

/**
 * Every block of every page: which run (tests/e2e/documents), and that the others are what they say. A shell block that
 * needs more than a running platform names it.
 */
const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('contribute/adr/'))
    .map((path) => `docs/${path}`),
].sort()

const NEEDS = [
  'browser',
  'clickhouse',
  'clients',
  'docker',
  'internet',
  'kafka',
  'kubernetes',
  'nginx',
  'postgresql',
  'prometheus',
  'root',
  'stop',
]
const SHELL = ['', 'first', 'until-stopped', ...NEEDS.map((what) => `needs=${what}`)]
/** Shown, and read by no test of this kind. */
const OTHER = [
  'conf',
  'csv',
  'diff',
  'dockerfile',
  'hcl',
  'html',
  'http',
  'ini',
  'java',
  'js',
  'mermaid',
  'nginx',
  'powershell',
  'promql',
  'properties',
  'sql',
  'text',
  'toml',
  'ts',
  'tsx',
  'xml',
]

const outOfHand = ({ language, info, code }: Block): string | null => {
  if (language === 'sh') {
    if (!SHELL.includes(info)) return `"sh ${info}" is none of: ${SHELL.join(', ')}`
    const read = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' })
    return read.status === 0 ? null : read.stderr
  }
  if (language === 'json') {
    if (info !== '' && !/^post=\/\S+$/.test(info)) return `"json ${info}"`
    return null
  }
  if (language === 'yaml') {
    const fault = parseAllDocuments(code).flatMap(({ errors }) => errors)[0]
    return fault?.message ?? null
  }
  if (language === 'python') {
    const read = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: code,
      encoding: 'utf8',
    })
    return read.status === 0 ? null : read.stderr
  }
  return OTHER.includes(language) ? null : `unknown language "${language}"`
}

describe.each(pages)('%s', (page) => {
  test('has blocks that say what they are', () => {
    const wrong = fencesOf(page).flatMap((block) => {
      const fault = outOfHand(block)
      return fault === null ? [] : [`${block.section}: ${fault}\n${block.code}`]
    })
    expect(wrong).toEqual([])
  })

  test('has JSON that is the output of the block above, a body that is posted, or JSON', () => {
    const bare = fencesOf(page).filter(
      ({ language, info, follows }) => language === 'json' && info === '' && follows === null,
    )
    for (const { code } of bare) expect(() => JSON.parse(code.replaceAll(/,?\s*…/g, '')), code).not.toThrow()
  })
})
