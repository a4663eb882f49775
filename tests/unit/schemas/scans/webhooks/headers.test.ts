import fc from 'fast-check'
import { expect, test } from 'vitest'
import { webhookHeaders } from '../../../../../schemas/scans/webhooks/headers.ts'
import { HOSTILE_HEADERS, LONG_VALUE } from '../../../../builders/network/hostile.ts'

const fine = { key: 'Authorization', value: 'Bearer abc' }

for (const [i, header] of [...HOSTILE_HEADERS, LONG_VALUE].entries())
  test(`hostile header ${i} is refused and named: ${JSON.stringify([header.key, header.value]).slice(0, 60)}`, () => {
    const said = webhookHeaders([fine, header])
    if (said.ok) expect.unreachable('it was accepted')
    const part = header.key === 'x-a' ? 'value' : 'key'
    expect(said.param).toBe(`webhook.headers[1].${part}`)
    expect(said.message).toMatch(/^webhook\.headers\[1\]\.(key|value) must /)
  })

const LIMIT = Array.from({ length: 32 }, (_, i) => ({ key: `x-${i}`, value: '' }))

const cases = [
  { name: 'none', given: [], want: null },
  {
    name: 'credentials, cookies and whatever the receiver wants',
    given: [fine, { key: 'Cookie', value: 'a=b' }, { key: "x-'`|~!#$%&*+^_", value: '\t ~' }],
    want: null,
  },
  {
    name: 'a name of 128 and a value of 4,096 characters',
    given: [{ key: 'a'.repeat(128), value: 'b'.repeat(4096) }],
    want: null,
  },
  { name: '32 of them', given: LIMIT, want: null },
  { name: '33 of them', given: [...LIMIT, fine], want: 'webhook.headers' },
  {
    name: 'one name twice',
    given: [fine, { key: 'x', value: '' }, { key: 'AUTHORIZATION', value: '' }],
    want: 'webhook.headers[2].key',
  },
]
for (const { name, given, want } of cases)
  test(`${want === null ? 'may be sent' : 'refused'}: ${name}`, () => {
    const said = webhookHeaders(given)
    expect(said.ok ? null : said.param).toBe(want)
    if (said.ok) expect(said.headers).toEqual(given)
  })

test('whatever is accepted is one line and has the name of a header', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('host', 'x\r\ny', 'a'))
  fc.assert(
    fc.property(fc.array(fc.record({ key: text, value: text }), { maxLength: 4 }), (headers) => {
      const said = webhookHeaders(headers)
      if (!said.ok) {
        expect(said.param).toMatch(/^webhook\.headers(\[[0-3]\]\.(key|value))?$/)
        return
      }
      for (const { key, value } of said.headers) {
        expect(() => new Headers([[key, value]])).not.toThrow()
        expect(`${key}${value}`).not.toMatch(/[\r\n\0]/)
        expect(key.toLowerCase()).not.toBe('host')
      }
    }),
  )
})
