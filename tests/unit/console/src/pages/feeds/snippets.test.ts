import { expect, test } from 'vitest'
import { SNIPPETS } from '../../../../../../console/src/pages/feeds/snippets.ts'
import { formatNamed } from '../../../../../../schemas/feeds-out/formats/table.ts'

test.each(SNIPPETS)(
  '$product reads a format that there is, from the address of the list',
  ({ format, where, text }) => {
    expect(formatNamed(format)).not.toBeNull()
    expect(text('https://harrier.example/list')).toContain('https://harrier.example/list')
    expect(where).toMatch(/\.$/)
  },
)

test('there are lines for each product that the page promises', () => {
  expect(SNIPPETS.map(({ product }) => product).sort()).toEqual([
    'BIND',
    'Fortinet FortiGate',
    'Palo Alto Networks',
    'Splunk',
    'Suricata',
    'Unbound',
    'Zeek',
    'pfSense',
  ])
})
