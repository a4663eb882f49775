import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagesOf } from '../../../site/navigation.ts'

/** What users are shown leads to pages that there are: addresses below `/help`, and `harrier guide`. */
const ROOMS = ['api', 'cli', 'connectors', 'console/src', 'infra', 'pipelines', 'platform', 'schemas']
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...ROOMS], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|ya?ml)$/.test(file) && file !== 'console/src/api/schema.d.ts')
const urls = [...pagesOf('docs').values()].map(({ url }) => url)

const named = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const pages = [...text.matchAll(/(?<![\w/])\/help\/([a-z][a-z/-]*\/)/g)].map(([, url]) => ({ file, url: url! }))
  const shown = [...text.matchAll(/harrier guide ([a-z][a-z/-]+)/g)].map(([, name]) => ({ file, name: name! }))
  return [...pages, ...shown]
})

test('every page that a message, an alert or a screen names is there', () => {
  const wrong = named.filter((one) => {
    if ('url' in one) return !urls.includes(one.url)
    return urls.filter((url) => `/${url}`.endsWith(`/${one.name}/`)).length !== 1
  })
  expect(wrong).toEqual([])
  expect(named.length).toBeGreaterThan(40)
})

test('no message names a file of the documents, which a package does not have', () => {
  const wrong = files.filter((file) => {
    const text = readFileSync(file, 'utf8')
      .replace(/^\s*(?:\/?\*|\/\/|#).*$/gm, '')
      .replace(/\/\*\*.*?\*\//gs, '')
    return /docs\/[a-z/-]+\.md/.test(text) && !file.startsWith('infra/walls/')
  })
  expect(wrong).toEqual([])
})
