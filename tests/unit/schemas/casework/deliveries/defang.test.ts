import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defanged, oneLine } from '../../../../../schemas/casework/deliveries/defang.ts'
import { hostile } from '../../../../builders/scans/alert-items.ts'

const cases = [
  ['http://evil.example/a.b?c=d', 'hxxp://evil[.]example/a[.]b?c=d'],
  ['https://evil.example', 'hxxps://evil[.]example'],
  ['HTTPS://EVIL.EXAMPLE', 'HxxPS://EVIL[.]EXAMPLE'],
  ['ftp://evil.example', 'ftp[:]//evil[.]example'],
  ['203.0.113.7', '203[.]0[.]113[.]7'],
  ['2001:db8::1', '2001:db8::1'],
  ['a.b', 'a[.]b'],
  ['mallory@evil.example', 'mallory[@]evil[.]example'],
  ['mailto:x', 'mailto[:]x'],
  ['javascript:alert(1)', 'javascript[:]alert(1)'],
  ['a\u3002b', 'a[\u3002]b'],
  ['h\u200btt\u202ep://a', 'hxxp://a'],
  ['one\r\ntwo', 'one two'],
  ['\u0000a\u001bb\u007f', 'ab'],
] as const

for (const [given, want] of cases)
  test(`${JSON.stringify(given)} is told as ${JSON.stringify(want)}`, () => expect(defanged(given, 100)).toBe(want))

test('a text that is too long ends in an ellipsis, within its bound', () => {
  expect(oneLine('abcdef', 6)).toBe('abcdef')
  expect(oneLine('abcdefg', 6)).toBe('abcde\u2026')
  expect(defanged('a.b.c', 6)).toBe('a[.]b\u2026')
  expect(oneLine('😀'.repeat(10), 5)).toBe('😀😀\u2026')
  expect(oneLine('😀'.repeat(10), 4)).toBe('😀\u2026')
  expect(oneLine(`${'\u200b'.repeat(1_000)}x`, 10)).toBe('\u2026')
})

test('whatever is given, what comes out is one visible line within its bound, and nothing in it is a link', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 1, max: 200 }), (text, max) => {
      const safe = defanged(text, max)
      expect(safe.length).toBeLessThanOrEqual(max)
      expect(safe.isWellFormed()).toBe(true)
      expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(safe).not.toMatch(/https?:\/\//i)
      for (const joint of safe.matchAll(/[.@\u3002\uff0e\uff61\uff20]/gu)) expect(safe[joint.index - 1]).toBe('[')
      for (const scheme of safe.matchAll(/([a-z][a-z0-9+.-]*):\/\//gi)) expect(scheme[1]).toMatch(/hxxps?$/i)
    }),
    { numRuns: 500 },
  )
})

test('what is defanged stays as it is', () => {
  for (const text of ['http://evil.example/a', 'ada@mail.example', '1[.]2.3[.]4']) {
    const once = defanged(text, 100)
    expect(defanged(once, 100)).toBe(once)
    expect(once).not.toMatch(/\[\[|[^[][.@]|[.@][^\]]/)
  }
})
