import { describe, expect, test } from 'vitest'
import { extractIndicators } from '../../../../../schemas/intelligence/extract/extract.ts'

/** Characters that functions read which take time by them, counted without a clock. */
function workOf(text: string): number {
  let work = 0
  const back: (() => void)[] = []
  type Call = (this: unknown, ...given: unknown[]) => unknown
  const watch = (owner: object, name: string, call: (original: Call) => Call): void => {
    const members = owner as Record<string, Call>
    const original = members[name]!
    members[name] = call(original)
    back.push(() => {
      members[name] = original
    })
  }
  // A search for all matches goes on where the last one ended.
  watch(
    RegExp.prototype,
    'exec',
    (exec) =>
      function (this: unknown, ...given) {
        const pattern = this as RegExp
        const from = pattern.global ? pattern.lastIndex : 0
        const match = exec.apply(this, given) as RegExpExecArray | null
        work += (match === null ? String(given[0]).length : match.index + match[0].length) - from
        return match
      },
  )
  const one = (original: Call): Call =>
    function (this: unknown, ...given) {
      work++
      return original.apply(this, given)
    }
  watch(String.prototype, 'slice', one)
  watch(String.prototype, 'charCodeAt', one)
  watch(
    URL,
    'parse',
    (parse) =>
      function (this: unknown, ...given) {
        work += String(given[0]).length
        return parse.apply(this, given)
      },
  )
  try {
    extractIndicators(text)
  } finally {
    for (const restore of back) restore()
  }
  return work
}

const HOSTILE = [
  'a.',
  '://',
  'http://',
  'http://a.com/',
  'a://(',
  '[.]',
  '(',
  'a@',
  '_',
  '-',
  '.',
  '1.',
  '::',
  'ff:',
  '/',
  'a.com/',
  '中a',
  '%2F',
  '\\',
  '\\n',
  '{"',
  'cve-2021-',
  '@a.com',
  '[',
  ')',
]

describe('hostile text takes work by its length', () => {
  for (const piece of HOSTILE)
    test(JSON.stringify(piece), () => {
      const [small, large] = [20_000, 80_000].map((length) => workOf(`${piece.repeat(length / piece.length)}x.com`))
      expect(large! / small!).toBeLessThan(5)
      expect(large).toBeLessThan(80_000 * 40)
    })
})
