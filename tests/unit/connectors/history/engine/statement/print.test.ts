import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literal, quotedName } from '../../../../../../connectors/history/engine/statement/literals.ts'
import { print } from '../../../../../../connectors/history/engine/statement/print.ts'
import { tokens } from '../../../../../../connectors/history/engine/statement/tokens.ts'

const printed = (sql: string): string => print([...tokens(sql)])

describe('SQL is printed from its tokens', () => {
  test.each([
    ['a-- x\n-b', 'a - b'],
    ['a/ /**/ /b', 'a / / b'],
    ['a - /**/-b', 'a - - b'],
    ['a / /**/* b', 'a / * b'],
    ['-1::Int8', '-1 :: Int8'],
    ['f(a.b , t.1.2,[1])', 'f(a.b , t.1.2,[1])'],
    ['$x$it\'s // $x$, "a`b"', "'it\\'s // ', `a\\`b`"],
    ["'a\n\\x41\\d\\''", "'a\\x0aA\\\\d\\''"],
    ['SELECT 1. , .5, 1.e5, 1_000, 0b1, 0xff', 'SELECT 1. , .5, 1.e5, 1_000, 0b1, 0xff'],
  ])('%j as %j', (sql, want) => expect(printed(sql)).toBe(want))

  test('and reads the same again, whatever texts and names hold', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }).map(literal),
      fc.string({ unit: 'binary' }).map(quotedName),
      fc.constantFrom(
        'a',
        '1',
        '.5',
        '-',
        '/',
        '*',
        '(',
        ')',
        '::',
        '->',
        ' ',
        '\n',
        '--x\n',
        '//\n',
        '/**/',
        '?',
        '.',
      ),
    )
    const kinds = (sql: string) => [...tokens(sql)].map(({ kind, text }) => [kind, text])
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const sql = pieces.join(' ')
        let first: string[][]
        try {
          first = kinds(sql)
        } catch {
          return
        }
        expect(kinds(printed(sql))).toEqual(first)
      }),
    )
  })
})

describe('what two readers may read in two ways is refused', () => {
  test.each([
    ...['1.SETTINGS', '1e', '1e+2x', '0x1p3', '1..2', '7days', "x'27'", "b'1'", 'a$b', '$a', '$a$ x', "$ ' $"],
    ...['\\N', '\\G', '@@a', 'a@b', '!a', 'a~b', '&', '#x', '“a”', '‘a’', '−1', 'a\u00a0b', 'é', '\0', '\x01', '\x7f'],
    ...["'a", '`a', '"a', "'a\\", '/* a', '/* /* a */', '/*/*/', "'\\xZZ'", "'\\xff'", "'\\N'", '.5', '..'],
  ])('%j', (sql) => expect(() => [...tokens(sql)]).toThrow(expect.objectContaining({ code: 62 })))
})
