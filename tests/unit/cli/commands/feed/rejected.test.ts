import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rejectedLines } from '../../../../../cli/commands/feed/rejected.ts'

const item = (line: number) => ({ line, rejected: 'not an indicator', raw: `\u001b[2J${line}` })
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => item(from + i))

test('nothing is said of lines that were all taken', () => {
  expect(rejectedLines(undefined).text(0)).toBe('')
})

test('the first five are shown over all batches, and nothing in them reaches the terminal', async () => {
  const rejects = rejectedLines(undefined)
  const open = await rejects.open(0)
  await open.add(lines(3, 5))
  await open.add(lines(8, 20))
  const shown = rejects.text(16).split('\n')
  expect(shown[0]).toBe('line 3: not an indicator: ?[2J3')
  expect(shown.slice(0, 5).map((line) => line.slice(0, 7))).toEqual([
    'line 3:',
    'line 4:',
    'line 5:',
    'line 8:',
    'line 9:',
  ])
  expect(shown[5]).toBe('and 11 more rejected lines; --rejects <file> writes all of them to a file')
})

test('all of them are in the file, which is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-rejected-'))
  const file = join(folder, 'rejected.tsv')
  const rejects = rejectedLines(file)
  await (await rejects.open(0)).add(lines(1, 6))
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(7)
  expect(rejects.text(6)).toContain(`and 1 more rejected line; all of them are in ${file}\n`)
  rmSync(folder, { recursive: true })
})

test('a rejected cell is shown whole, and one that is too long shows that it is cut', async () => {
  const rejects = rejectedLines(undefined)
  const cell = 'Some bad place with a long name, and what follows it:203.0.113.32-203.0.113.47 (made up for this)'
  await (await rejects.open(0)).add([
    { line: 1, rejected: 'no', raw: cell },
    { line: 2, rejected: 'no', raw: 'x'.repeat(400) },
  ])
  expect(rejects.text(2)).toBe(`line 1: no: ${cell}\nline 2: no: ${'x'.repeat(256)}\u2026\n`)
})
