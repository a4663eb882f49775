import { describe, expect, test } from 'vitest'
import { requestOf } from '../../../../../../schemas/feeds-out/formats/urls/url-request.ts'
import { listItem } from '../../../../../builders/feeds/list-items.ts'

const of = (value: string) => requestOf(listItem('url', value))

test.each([
  ['http://bad.example.com', 'bad.example.com', '/'],
  ['http://bad.example.com?a=1', 'bad.example.com', '/?a=1'],
  ['https://bad.example.com:8443/a;b,c?d=(e)&f=%20', 'bad.example.com:8443', '/a;b,c?d=(e)&f=%20'],
  ['https://203.0.113.9/a', '203.0.113.9', '/a'],
  ['https://[2001:db8::9]:8443/a', '[2001:db8::9]:8443', '/a'],
])('of %s a device sees host, port and path', (url, authority, target) => {
  expect(of(url)).toEqual({ scheme: url.split(':')[0], authority, target })
})

describe('a device cannot see, or must not block', () => {
  test.each([
    ['credentials', 'http://user:secret@bad.example.com/'],
    ['a fragment', 'https://docs.example.com/#victim'],
    ['another scheme', 'ftp://bad.example.com/a'],
    ['spaces', 'https://bad.example.com/a b'],
    ['signs that are no part of a URL', 'https://bad.example.com/"<>\\^`{|}'],
    ['other alphabets', 'https://bad.example.com/ü'],
    ['signs that turn the direction of writing', 'https://bad.example.com/\u{202e}'],
    ['two lines', 'https://bad.example.com/a\nhttps://example.org/'],
    ['private addresses', 'https://192.168.1.1/'],
    ['a name of one label', 'https://com/'],
    ['what is not in normal form', 'HTTPS://bad.example.com/'],
    ['no URL', 'bad.example.com/a'],
  ])('%s', (_, url) => {
    expect(of(url)).toBeNull()
  })
})
