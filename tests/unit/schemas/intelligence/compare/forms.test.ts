import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prefixForms, valueForms } from '../../../../../schemas/intelligence/compare/forms.ts'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { TYPES, VALUES } from '../../../../builders/intelligence/selectors/generated.ts'

const TYPED = definitions().map(({ type }) => type)
const SPELLED = [
  ...TYPES.flatMap((type) => VALUES[type]!),
  ...['{6F9619FF-8B86-D011-B42D-00CF4FC964FF}', '+1 (202) 555-0143', '007', '1e3', '2024-05-01t12:30:00z', 'AA:BB:CC'],
  ...['Name <A@Example.com>', 'new york', 'QUFB\nQUFB', 'C:\\Windows\\System32', '^a(b|c)$', '\u0007x', 'ǅ', 'ſ', 'İ'],
]
const texts = fc.oneof(fc.constantFrom(...SPELLED), fc.string({ unit: 'binary' }), fc.string())

test('the forms of a text are its normal forms by every type of the catalogue', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('', ' ', '\t'), (text, blank) => {
      const forms = valueForms(blank + text + blank)
      for (const type of TYPED) {
        const normal = normalise(type, text)
        if (typeof normal === 'string' && !forms.has(normal)) throw new Error(`${type} ${JSON.stringify(normal)}`)
      }
    }),
    { numRuns: 1000 },
  )
})

describe('the beginning of a value', () => {
  const begins = (type: string, value: string, prefix: string): boolean =>
    prefixForms(prefix).some(({ text, types }) => (types === null || types.has(type)) && value.startsWith(text))

  test('of its normal form, as it is written there, is one for every type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPED), texts, fc.nat(20), (type, text, n) => {
        const value = normalise(type, text)
        if (typeof value !== 'string') return
        expect(begins(type, value, value.slice(0, n + 1))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['domain', 'example.com', 'EXAM', true],
    ['url', 'http://example.com/Abc', 'HTTP://Example.com/Ab', true],
    ['url', 'http://example.com/Abc', 'http://example.com/ab', false],
    ['url', 'http://User@example.com/', 'http://User@EXAMPLE', true],
    ['command', 'PowerShell', 'power', false],
    ['command', 'PowerShell', 'Power', true],
    ['mac-address', '00-1B-44-11-3A-B7', '00-1b', true],
    ['md5', 'd41d8cd98f00b204e9800998ecf8427e', 'D41D', true],
  ])('of %s %s is %s: %s', (type, value, prefix, wanted) => {
    expect(begins(type, value, prefix)).toBe(wanted)
  })

  test('without letters is the same for all types', () => {
    expect(prefixForms('198.51.')).toEqual([{ text: '198.51.', types: null }])
  })
})
