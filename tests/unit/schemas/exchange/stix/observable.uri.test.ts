import { describe, expect, test } from 'vitest'
import { observableOf } from '../../../../../schemas/exchange/stix/observable.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { bundleOf, expectedOf, readBack } from '../../../../builders/feeds/read-back.ts'

const entity = (value: string) => ({ entityId: entityId('url', value), type: 'url', value })
const item = (value: string) => ({
  ...entity(value),
  reputation: -2,
  accuracy: 2,
  tags: [],
  firstSeen: Date.UTC(2026, 0, 1),
  lastSeen: Date.UTC(2026, 0, 2),
})

describe('the observable of a URL', () => {
  test.each([
    'http://example.com/',
    'http://example.com/a;b=c/~d?e=f&g=%20h/i?j#k',
    'https://192.0.2.1:8443/x',
    'http://[2001:db8::1]/',
    'http://user@example.com/',
  ])('is there for what is a URI: %s', (value) => expect(observableOf(entity(value))?.type).toBe('url'))

  test.each([
    'http://example.com/?q={x}',
    'http://example.com/?a=b|c',
    'http://example.com/a[1]',
    'http://example.com/?a=`b`',
    'http://example.com/^',
    'http://example.com/100%',
    'http://example.com/a\\b',
  ])('is not there for what is none (RFC 3986), which an indicator says and the import reads: %s', (given) => {
    const value = normalise('url', given)
    if (typeof value !== 'string') return
    const isUri = observableOf(entity(value)) !== null
    // The normal form may have escaped what is no part of a URI.
    expect([value, isUri]).toEqual([value, !/[{}|`^\\[\]]|%(?![0-9a-f]{2})/i.test(value.slice('http://'.length))])
    const bundle = bundleOf([item(value)])
    if (!isUri) expect(JSON.stringify(bundle)).not.toContain('"type":"url"')
    expect(readBack(bundle)).toEqual([expectedOf(item(value))])
  })

  test('is not there for at least one of them, so that something was tried', () => {
    expect(observableOf(entity('http://example.com/?a=b|c'))).toBeNull()
  })
})
