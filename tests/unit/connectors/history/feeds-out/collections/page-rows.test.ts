import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../../../../../connectors/history/feeds-out/collections/page-rows.ts'

const shown = (text: string) => rowsIn(Buffer.from(text)).map(({ said, ...row }) => ({ ...row, said: `${said}` }))

describe('rows of a page', () => {
  test('are numbers, and bytes as they came', () => {
    const place = 1_795_000_000_000_001
    expect(shown(`${place}\t0\t7\t1\t{"name":"Ü","n":1}\n${place}\t${place + 5}\t0\t0\t\n`)).toEqual([
      { place, isSuperseded: false, version: 7, isFirst: true, said: '{"name":"Ü","n":1}' },
      { place, isSuperseded: true, version: 0, isFirst: false, said: '' },
    ])
    expect(shown('')).toEqual([])
  })

  test.each(['1\t0\t7\t1\t{}', '1\t0\t7\t1\n', '1\t0\t7\n2\t0\t7\t1\t{}\n'])(
    'that are cut off are refused: %j',
    (text) => {
      expect(() => shown(text)).toThrow('cut off')
    },
  )
})
