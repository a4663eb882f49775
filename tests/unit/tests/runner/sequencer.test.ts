import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SLOW } from '../../../runner/sequencer.ts'

test('every file that begins first is there', () => {
  const missing = SLOW.filter((file) => !existsSync(fileURLToPath(new URL(`../../../../${file}`, import.meta.url))))
  expect(missing).toEqual([])
})
