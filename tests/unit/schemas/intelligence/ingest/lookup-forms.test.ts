import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { lookupForms, MAX_LOOKUP_FORMS } from '../../../../../schemas/intelligence/ingest/lookup-forms.ts'

/** Whether a look-up of `raw` would find the entity of this type that a report of `raw` makes. */
function finds(type: string, raw: string, reported = raw): boolean {
  const value = normalise(type, reported)
  return (
    typeof value === 'string' && lookupForms(raw).forms.some((form) => form.value === value && form.types.has(type))
  )
}

describe('a value is looked up as', () => {
  test.each([
    ['8.8.8.8', ['ip']],
    ['8[.]8[.]8[.]8', ['ip'], '8.8.8.8'],
    ['[2001:DB8::1]:443', ['ip'], '2001:db8::1'],
    ['8.8.8.8/24', ['cidr']],
    ['www.Example.com', ['domain', 'hostname']],
    ['hxxps[:]//evil[.]example/Path', ['url', 'link', 'malware-sample'], 'https://evil.example/Path'],
    ['phish[@]evil.example', ['email-address', 'jabber-id'], 'phish@evil.example'],
    ['D41D8CD98F00B204E9800998ECF8427E', ['md5', 'ja3-fingerprint', 'file', 'hex', 'breach']],
    ['a'.repeat(40), ['sha1', 'cdhash']],
    ['a'.repeat(56), ['sha224', 'sha3-224', 'sha512-224']],
    ['a'.repeat(64), ['sha256', 'sha3-256', 'sha512-256', 'payload', 'file', 'authentihash']],
    ['a'.repeat(96), ['sha384', 'sha3-384']],
    ['a'.repeat(128), ['sha512', 'sha3-512']],
    ['CVE-2024-12345', ['cve']],
    ['00:1B:44:11:3A:B7', ['mac-address', 'certificate-fingerprint']],
    ['+49 30 901820', ['phone']],
    ['/etc/passwd', ['path']],
    ['urn:uuid:0A1B2C3D-0000-4000-8000-000000000000', ['breach', 'file']],
    ['Germany', ['country']],
    ['Fancy Bear', ['adversary', 'group', 'malware', 'username', 'id-number']],
  ] as [string, string[], string?][])('%s', (raw, types, reported = raw) => {
    expect(types.filter((type) => !finds(type, raw, reported))).toEqual([])
  })
})

const RAW = [
  fc.ipV4(),
  fc.ipV6(),
  fc.domain(),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.emailAddress(),
  fc.uuid(),
  fc.stringMatching(/^[0-9a-fA-F]{32,128}$/),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
]

test('whatever a report calls a text or a name, the same text finds it', () => {
  const texts = definitions().filter(({ dataType }) => /^(String|Case-sensitive string)$/.test(dataType))
  fc.assert(
    fc.property(fc.oneof(...RAW), fc.constantFrom(...texts), (raw, { type }) => {
      fc.pre(typeof normalise(type, raw) === 'string')
      expect(finds(type, raw)).toBe(true)
    }),
  )
})

test('what is detected is found under its type', () => {
  fc.assert(
    fc.property(fc.oneof(...RAW), (raw) => {
      const found = detect(raw)
      fc.pre(found !== null && typeof normalise(found.type, found.value) === 'string')
      const { indicator, forms } = lookupForms(raw)
      expect(indicator).toBe(true)
      expect(forms.some(({ value, types }) => value === found!.value && types.has(found!.type))).toBe(true)
    }),
  )
})

test('forms are few, and no type stands in two of them', () => {
  fc.assert(
    fc.property(fc.oneof(...RAW), (raw) => {
      const { forms } = lookupForms(raw)
      expect(new Set(forms.map(({ value }) => value)).size).toBeLessThanOrEqual(MAX_LOOKUP_FORMS)
      // Both spellings of a URL with an empty path are of one type (ADR 258).
      const types = forms
        .filter(({ value }) => !/^[a-z]+:\/\/[^/]+\/(?=$|[?#])/.test(value))
        .flatMap((form) => [...form.types])
      expect(new Set(types).size).toBe(types.length)
    }),
    { numRuns: 1_000 },
  )
})

test('a URL is not found by another spelling of its path', () => {
  expect(finds('url', 'http://a.example/path', 'http://a.example/Path')).toBe(false)
})

test('words are no indicators, and nothing is nothing', () => {
  for (const word of ['hello world', 'x', '', '  ', '???'])
    expect([word, lookupForms(word).indicator]).toEqual([word, false])
  expect(lookupForms(' \t').forms).toEqual([])
})
