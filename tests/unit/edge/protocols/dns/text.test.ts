import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOfList, textOfListed } from '../../../../../edge/protocols/dns/text.ts'

const listed = (tags: readonly string[]) => ({ value: 'x', listed: true as const, reputation: -3, accuracy: 2, tags })
const joined = (strings: readonly Buffer[]): string => Buffer.concat([...strings]).toString()

test('says reputation, accuracy and tags', () => {
  expect(joined(textOfListed(listed(['botnet', 'c2'])))).toBe('reputation=-3 accuracy=2 tags=botnet,c2')
  expect(joined(textOfListed(listed([])))).toBe('reputation=-3 accuracy=2')
})

test('writes what would end a tag as URLs do', () => {
  const text = joined(textOfListed(listed(['a,b', 'c d', '100%', 'q"\\', 'line\nend', 'нет', '\u2028'])))
  expect(text).toBe('reputation=-3 accuracy=2 tags=a%2Cb,c%20d,100%25,q%22%5C,line%0Aend,нет,%E2%80%A8')
})

test('a string has at most 255 bytes, and ends with a letter', () => {
  const strings = textOfListed(listed(['я'.repeat(120), '😀'.repeat(60), 'x'.repeat(256)]))
  expect(strings.length).toBe(4)
  for (const one of strings) {
    expect(one.length).toBeLessThanOrEqual(255)
    expect(one.toString()).not.toContain('\uFFFD')
  }
})

test('tags beyond what a message holds are counted', () => {
  const tags = Array.from({ length: 1000 }, (_, i) => `${i}-${'x'.repeat(250)}`)
  const text = joined(textOfListed(listed(tags)))
  expect(Buffer.byteLength(text)).toBeLessThan(33_000)
  const [, written, more] = /tags=(\S+) more=(\d+)$/.exec(text)!
  expect(written!.split(',').length + Number(more)).toBe(1000)
  expect(joined(textOfListed(listed(['я'.repeat(40_000), 'b'])))).toBe('reputation=-3 accuracy=2 more=2')
})

test('any tags are read again as they were', () => {
  const tags = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 20 })
  fc.assert(
    fc.property(tags, (given) => {
      const strings = textOfListed(listed(given))
      const [, written] = /tags=(\S+)$/.exec(joined(strings)) ?? []
      expect(written?.split(',').map(decodeURIComponent) ?? []).toEqual(given.map((tag) => tag.toWellFormed()))
      for (const one of strings) expect(one.length).toBeLessThanOrEqual(255)
    }),
  )
})

test('the list says its age in whole seconds', () => {
  expect(joined(textOfList(12.7, 1000, 42))).toBe('age=12 items=1000 sequence=42')
  expect(joined(textOfList(null, 0, 0))).toBe('age=unknown items=0 sequence=0')
})
