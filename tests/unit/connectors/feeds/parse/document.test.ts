import { expect, test } from 'vitest'
import { readDocument } from '../../../../../connectors/feeds/parse/document.ts'
import { pieces } from '../../../../builders/feeds/collect-feed.ts'

test('a document is read whole, whatever its pieces cut', async () => {
  expect(await readDocument(pieces('{"a": "ü"}', 1))).toEqual({ a: 'ü' })
})

test('a document past the bound is refused before it is whole', async () => {
  let given = 0
  async function* endless() {
    for (;;) {
      given += 10
      yield Buffer.alloc(10, 32)
    }
  }
  await expect(readDocument(endless(), 95)).rejects.toThrow('larger than 95 bytes')
  expect(given).toBe(100)
})

test('bytes that are no UTF-8 are refused', async () => {
  await expect(readDocument(pieces(Buffer.from([0x22, 0xff, 0x22])))).rejects.toThrow('bytes that are not UTF-8')
})

test('UTF-16 with a byte order mark is read; without one it is refused by name', async () => {
  const text = '{"a": "\u00fc"}'
  expect(await readDocument(pieces(Buffer.from(`\ufeff${text}`, 'utf16le'), 3))).toEqual({ a: '\u00fc' })
  await expect(readDocument(pieces(Buffer.from(text, 'utf16le')))).rejects.toThrow('UTF-16 without a byte order mark')
})
