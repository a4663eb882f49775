import { expect, test } from 'vitest'
import { document, jsonLines } from '../../../cli/commands/output.ts'

const HOSTILE = { value: 'a\u001b[31m\u007f\u0085\u009b31m\u2028' }

test('JSON for a terminal says the same without a character that a terminal obeys', () => {
  for (const text of [document(HOSTILE), jsonLines([HOSTILE])]) {
    expect(text.trimEnd()).not.toMatch(/(?!\n)[\p{Cc}\u2028\u2029]/u)
    expect(JSON.parse(text)).toEqual(HOSTILE)
  }
})
