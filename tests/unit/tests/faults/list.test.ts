import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { planted } from '../../../faults/fault.ts'
import { FAULTS } from '../../../faults/list.ts'

/** What `npm run faults` would refuse, found with the change that makes it so. */
const path = (file: string): string => fileURLToPath(new URL(`../../../../${file}`, import.meta.url))

test('there are faults, each with a name of its own', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(20)
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})

test.each(FAULTS)('what is changed for "$name" stands once in its file', (fault) => {
  const source = readFileSync(path(fault.file), 'utf8')
  expect(planted(source, fault)).not.toBe(source)
})

test.each(FAULTS)('the test that is to find "$name" is there', ({ test: { file } }) => {
  expect(existsSync(path(file)), file).toBe(true)
})

test('a text that does not stand there, or twice, is refused', () => {
  const fault = { file: 'a.ts', text: 'one', instead: '$&' }
  expect(() => planted('two', fault)).toThrow('stands 0 times in a.ts: one')
  expect(() => planted('one one', fault)).toThrow('stands 2 times in a.ts: one')
  expect(planted('a one b', fault)).toBe('a $& b')
})
