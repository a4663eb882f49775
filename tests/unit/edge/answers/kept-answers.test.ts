import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptAnswers } from '../../../../edge/answers/kept-answers.ts'

const json = (text: string) => ({ text, bytes: Buffer.byteLength(text) })

test('each key has its own answer, kept or made, until it is cleared', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...Array.from({ length: 40 }, (_, i) => `k${i}`), ''), { maxLength: 200 }),
      (keys) => {
        const kept = keptAnswers()
        let version = 0
        for (const [i, key] of keys.entries()) {
          if (i % 50 === 49) {
            version++
            kept.clear()
          }
          const made = version
          expect(kept.of(key, () => (key.endsWith('3') ? null : json(`${key} ${made}`)))).toEqual(
            key.endsWith('3') ? null : json(`${key} ${made}`),
          )
        }
      },
    ),
  )
})

test('what was asked last is not made again; what is long always is', () => {
  const kept = keptAnswers()
  let made = 0
  const make = (text: string) => (): { text: string; bytes: number } => {
    made++
    return json(text)
  }
  for (let i = 0; i < 3; i++) kept.of('a', make('short'))
  expect(made).toBe(1)
  for (let i = 0; i < 3; i++) kept.of('b', make('x'.repeat(600)))
  expect(made).toBe(4)
  for (let i = 0; i < 3; i++) kept.of('k'.repeat(600), make('short'))
  expect(made).toBe(7)
})

test('very many keys push each other out, and none has the answer of another', () => {
  const kept = keptAnswers()
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 60_000; i++) if (kept.of(`key${i}`, json)!.text !== `key${i}`) throw new Error(`key${i}`)
})
