import { expect, test } from 'vitest'
import { columnBlock } from '../../../../../connectors/history/native/column-block.ts'
import { array, dateTime, dateTime64, string, table, uint64 } from '../../../../../connectors/history/native/native.ts'

const LIST = ['', 'a', 'ü'.repeat(100), 'x'.repeat(70_000)]
const bounds = [0]
for (const text of LIST) bounds.push(bounds.at(-1)! + Buffer.byteLength(text))
const texts = { bytes: Buffer.from(LIST.join('')), bounds: Uint32Array.from(bounds), step: 1 }
const TIMES = [0, 1_767_225_600_123, 2 ** 40, 1]

test('columns are the same block as their rows one by one, and the memory is used again', () => {
  const rows = table({
    text: string,
    many: array(string),
    n: uint64,
    at: dateTime64,
    until: dateTime,
    batch: uint64,
  })
  const lists = [[1, 2], [], [3], [0, 0]]
  for (const [n, list] of lists.entries()) {
    const at = TIMES[n]!
    rows.add({ text: LIST[3 - n]!, many: list.map((i) => LIST[i]!), n: at, at, until: at, batch: 2n ** 63n })
  }
  const expected = rows.finish()
  const block = columnBlock()
  for (let again = 0; again < 2; again++) {
    block.begin(6, 4)
    block.texts('text', texts, Uint32Array.of(3, 2, 1, 0))
    const numbers = Uint32Array.from(lists.flat())
    block.textLists('many', { ends: Uint32Array.of(2, 2, 3, 5), numbers, texts })
    block.uint64('n', 'UInt64', Float64Array.from(TIMES))
    block.uint64('at', "DateTime64(3, 'UTC')", Float64Array.from(TIMES))
    block.dateTimes('until', (row) => TIMES[row]!)
    block.sameUint64('batch', 2n ** 63n)
    const { rows: count, bytes } = block.finish()
    expect([count, bytes.equals(expected.bytes)]).toEqual([4, true])
  }
  block.begin(1, 2)
  block.fixed('id', Buffer.from('abcdef'), 2)
  expect(block.finish().bytes.toString('latin1')).toBe('\x01\x02\x02id\x0eFixedString(2)abcd')
})
