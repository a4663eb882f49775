import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVerdicts, type Verdict } from '../../../../../../../console/src/pages/report/bulk/verdicts.ts'

const verdicts: Verdict[] = [
  { line: 1, id: 'ip-1' },
  { line: 2, error: { code: 'invalid_parameter', message: 'ünpassend ☂' } },
  { line: 3, id: 'ip-3' },
]
const text = (last: object[]) => [...verdicts, ...last].map((line) => `${JSON.stringify(line)}\n`).join('')

async function read(bytes: Uint8Array, size: number) {
  const told: Verdict[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
  const ended = await readVerdicts(body, (verdict) => told.push(verdict))
  return { told, ended }
}

test('verdicts are told wherever the answer is cut; only its last line makes it whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 80 }), fc.boolean(), async (size, complete) => {
      const bytes = new TextEncoder().encode(text(complete ? [{ accepted: 2, rejected: 1 }] : []))
      const { told, ended } = await read(bytes, size)
      expect(told).toEqual(verdicts)
      expect(ended.kind).toBe(complete ? 'whole' : 'broken')
    }),
  )
})

test('a connection that breaks inside of a line is a broken answer', async () => {
  const bytes = new TextEncoder().encode(text([{ accepted: 2, rejected: 1 }]))
  expect((await read(bytes.subarray(0, bytes.length - 4), 7)).ended.kind).toBe('broken')
})

test('an error with nothing behind it is why the answer ended, and no verdict on its line', async () => {
  for (const code of ['forbidden', 'store_unavailable', 'too_large']) {
    const last = { line: 4, error: { code, message: `because of ${code}` } }
    const { told, ended } = await read(new TextEncoder().encode(text([last])), 9)
    expect(told).toEqual(verdicts)
    expect(ended).toEqual({ kind: 'broken', reason: `because of ${code}` })
  }
})

test('a connection that was lost after a verdict says nothing of its reason', async () => {
  const { ended } = await read(new TextEncoder().encode(text([])), 9)
  expect(ended).toEqual({ kind: 'broken', reason: 'The connection was lost' })
})
