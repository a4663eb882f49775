import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PROMISES } from './promises.ts'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))

test('every file of tests of the history store is named with its promise', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && path.includes('/') && !path.includes('children/'))
  expect(files.sort()).toEqual(Object.keys(PROMISES).sort())
})
