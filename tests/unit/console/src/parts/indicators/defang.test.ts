import { expect, test } from 'vitest'
import { defang } from '../../../../../../console/src/parts/indicators/defang.ts'
import { refang } from '../../../../../../schemas/intelligence/ingest/refang.ts'

const cases = [
  { type: 'ip', value: '203.0.113.9', want: '203[.]0[.]113[.]9' },
  { type: 'ip', value: '2001:db8::1', want: '2001[:]db8[:][:]1' },
  { type: 'cidr', value: '203.0.113.0/24', want: '203[.]0[.]113[.]0/24' },
  { type: 'domain', value: 'evil.example.org', want: 'evil[.]example[.]org' },
  { type: 'url', value: 'https://evil.example.org/a.html?b=c.d', want: 'hxxps://evil[.]example[.]org/a.html?b=c.d' },
  { type: 'url', value: 'http://203.0.113.9:8080/', want: 'hxxp://203[.]0[.]113[.]9:8080/' },
  { type: 'url', value: 'ftp://evil.example.org', want: 'ftp://evil[.]example[.]org' },
  { type: 'email', value: 'a.b@evil.example.org', want: 'a.b[@]evil[.]example[.]org' },
  { type: 'sha256', value: 'a.b', want: 'a.b' },
]
for (const { type, value, want } of cases)
  test(`${type} ${value} is sent around as ${want}, and reads as before`, () => {
    expect(defang(type, value)).toBe(want)
    expect(refang(want)).toBe(value)
  })
