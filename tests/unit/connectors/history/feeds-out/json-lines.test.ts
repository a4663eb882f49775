import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLines } from '../../../../../connectors/history/feeds-out/json-lines.ts'

async function* cut(bytes: Buffer, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const to of [...at.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

async function all(answer: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const some of jsonLines(answer)) rows.push(...some)
  return rows
}

test('rows are the same, however the answer was cut', async () => {
  const row = fc.tuple(fc.string({ unit: 'binary' }), fc.integer(), fc.array(fc.string({ unit: 'grapheme' })))
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.array(fc.nat()), async (rows, cuts) => {
      const text = rows.map((one) => `${JSON.stringify(one)}\n`).join('')
      const bytes = Buffer.from(text)
      const at = cuts.map((n) => n % (bytes.length + 1))
      expect(await all(cut(bytes, at))).toEqual(JSON.parse(JSON.stringify(rows)))
    }),
  )
})

test('an answer that ends within a row, or says an error behind its rows, is none', async () => {
  await expect(all(cut(Buffer.from('[1]\n[2'), []))).rejects.toThrow('ended within a row')
  await expect(all(cut(Buffer.from('[1]\nCode: 241. DB::Exception: too much\n'), [4]))).rejects.toThrow()
})
