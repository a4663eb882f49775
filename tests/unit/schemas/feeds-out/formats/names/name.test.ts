import { describe, expect, test } from 'vitest'
import { isBlockable } from '../../../../../../schemas/feeds-out/formats/names/name.ts'
import { listItem } from '../../../../../builders/feeds/list-items.ts'

const of = (value: string) => isBlockable(listItem('domain', value))

test.each([
  'example.com',
  'a.b.example.com',
  '_dmarc.example.com',
  'under_score.example.com',
  'xn--mnchen-3ya.example',
  'user.github.io',
  'example.co.uk',
  'www.ck',
  'c2.test',
  'unknown.toplevel',
])('a device may block %s', (name) => {
  expect(of(name)).toBe(true)
})

describe('a device must not block', () => {
  test.each([
    ['a top-level domain', 'com'],
    ['the root', '.'],
    ['nothing', ''],
    ['a public suffix', 'co.uk'],
    ['a public suffix by a wildcard of the list', 'anything.ck'],
    ['a public suffix in another alphabet', 'xn--55qx5d.cn'],
    ['a suffix of a company under which others register', 'github.io'],
    ['a local name', 'printer.local'],
    ['the machine itself', 'localhost.localdomain'],
    ['the reverse tree', '1.0.168.192.in-addr.arpa'],
    ['a wildcard', '*.example.com'],
    ['a name with its final dot', 'example.com.'],
    ['a name that is not in normal form', 'EXAMPLE.com'],
    ['an address', '203.0.113.9'],
    ['two lines', 'example.com\nexample.org'],
    ['a directive', '$INCLUDE'],
  ])('%s', (_, name) => {
    expect(of(name)).toBe(false)
  })

  test('values of other types', () => {
    expect(isBlockable(listItem('text', 'example.com'))).toBe(false)
  })
})
