import { expect, test } from 'vitest'
import { againstHead, headText, readHead } from '../../../../schemas/audit/heads.ts'

const hash = Buffer.alloc(32, 0xab)
const head = { partition: 4, count: 17, hash }

test('a head that was printed is read as what it was', () => {
  expect(headText(head)).toBe(`4:17:${'ab'.repeat(32)}`)
  expect(readHead(headText(head))).toEqual(head)
})

test('what is no head is none', () => {
  for (const text of ['', '4:17', `4:17:${'ab'.repeat(31)}`, `-1:17:${'ab'.repeat(32)}`, `4:17:${'AB'.repeat(32)}`])
    expect(readHead(text)).toBe(null)
})

test('a chain that goes on from a head has nothing against it; a shorter one and another one do', () => {
  const chain = (count: number, at: Buffer | null) => ({ head: () => ({ ...head, count }), hashAt: () => at })
  expect(againstHead(head, chain(20, hash))).toBe(null)
  expect(againstHead(head, chain(16, null))).toContain('has 16 records, and had 17')
  expect(againstHead(head, chain(20, Buffer.alloc(32)))).toContain('another chain')
})
