import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf } from '../../../../../../console/src/parts/live/lines.ts'

/** A body that comes in these pieces. */
const bodyOf = (pieces: readonly Uint8Array[], onCancel: () => void = () => undefined) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
    cancel: onCancel,
  })

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}

test('lines are the same however a body is cut into pieces, inside of characters too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-zä€😀]{1,8}$/u), { maxLength: 8 }),
      fc.array(fc.nat(64), { maxLength: 8 }),
      async (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((end, i) => bytes.slice(places[i], end))
        expect(await all(linesOf(bodyOf(pieces)))).toEqual(lines)
      },
    ),
  )
})

test('an end without a line break is no line', async () => {
  expect(await all(linesOf(bodyOf([new TextEncoder().encode('a\n\nb')])))).toEqual(['a'])
})

test('a line that does not end is refused', async () => {
  const pieces = Array.from({ length: 4 }, () => new TextEncoder().encode('aaaa'))
  await expect(all(linesOf(bodyOf(pieces), 10))).rejects.toThrow('too long')
})

test('whoever stops reading cancels the body', async () => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('a\n')),
    cancel: () => {
      cancelled = true
    },
  })
  for await (const line of linesOf(body)) {
    expect(line).toBe('a')
    break
  }
  expect(cancelled).toBe(true)
})
