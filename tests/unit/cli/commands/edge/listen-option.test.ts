import { describe, expect, test } from 'vitest'
import { listenOption, unguarded } from '../../../../../cli/commands/edge/listen-option.ts'

const read = (text: string) => listenOption(text)[0]!

describe('--listen', () => {
  test.each([
    ['http://127.0.0.1:8080', { protocol: 'http', place: { host: '127.0.0.1', port: 8_080 } }],
    ['http://127.0.0.1:8080/', { protocol: 'http', place: { host: '127.0.0.1', port: 8_080 } }],
    ['redis://localhost:6379', { protocol: 'redis', place: { host: 'localhost', port: 6_379 } }],
    ['memcached://[::1]:0', { protocol: 'memcached', place: { host: '::1', port: 0 } }],
    ['dns://[2001:db8::1]:53/bl.test', { protocol: 'dns', place: { host: '2001:db8::1', port: 53 }, zone: 'bl.test' }],
    ['dns://0.0.0.0:65535/bl.test.', { protocol: 'dns', place: { host: '0.0.0.0', port: 65_535 }, zone: 'bl.test.' }],
    ['file:text:/var/lib/list.txt', { protocol: 'file', format: 'text', path: '/var/lib/list.txt' }],
    ['file:palo-ip:a b:c/d', { protocol: 'file', format: 'palo-ip', path: 'a b:c/d' }],
    ['file:mmdb:./x', { protocol: 'file', format: 'mmdb', path: './x' }],
  ])('reads %s', (text, found) => expect(read(text)).toEqual({ ...found, text }))

  test('is added to those before', () => {
    const first = listenOption('http://127.0.0.1:1')
    const both = listenOption('redis://127.0.0.1:2', first)
    expect([first.length, both.map(({ protocol }) => protocol)]).toEqual([1, ['http', 'redis']])
  })

  test.each([
    ['', 'Expected http://host:port'],
    ['127.0.0.1:8080', 'Expected http://host:port'],
    ['http://127.0.0.1', 'Expected http://host:port'],
    ['http://:8080', 'Expected http://host:port'],
    ['http://127.0.0.1:', 'Expected http://host:port'],
    ['https://127.0.0.1:1', 'Expected http://host:port'],
    ['gopher://127.0.0.1:1', 'Expected http://host:port'],
    ['http://user@127.0.0.1:1:2', 'Expected http://host:port'],
    ['http://::1:80', 'Expected http://host:port'],
    ['http://127.0.0.1:65536', '65536 is no port'],
    ['http://127.0.0.1:99999', '99999 is no port'],
    ['http://[127.0.0.1]:80', 'is no address'],
    ['http://[::1::]:80', 'is no address'],
    ['http://127.0.0.1:80/v1', 'Expected no path'],
    ['redis://127.0.0.1:80/0', 'Expected no path'],
    ['dns://127.0.0.1:53', 'Expected a zone'],
    ['dns://127.0.0.1:53/', 'Expected a zone'],
    ['file:text', 'Expected http://host:port'],
    ['file:text:', 'Expected http://host:port'],
    ['file:nothing:/tmp/x', 'There is no format nothing'],
    ['file::/tmp/x', 'Expected http://host:port'],
  ])('refuses %j', (text, message) => expect(() => read(text)).toThrow(message))
})

describe('what others reach', () => {
  const missing = (text: string, given: { allow?: boolean; secret?: boolean } = {}) =>
    unguarded([read('http://127.0.0.1:1'), read('file:text:x'), read(text)], { allow: false, secret: false, ...given })

  test.each(['127.0.0.1', '127.9.9.9', '[::1]', 'localhost'])('is nothing at %s', (host) => {
    for (const protocol of ['http', 'redis', 'memcached']) expect(missing(`${protocol}://${host}:1`)).toBeNull()
    expect(missing(`dns://${host}:1/bl.test`)).toBeNull()
  })

  test.each(['0.0.0.0', '[::]', '192.0.2.1', '[2001:db8::1]', 'edge.example', '127.1', 'localhost.example'])(
    'is everything at %s: it needs --allow, or a secret where one can be asked for',
    (host) => {
      for (const protocol of ['http', 'redis']) {
        expect(missing(`${protocol}://${host}:1`)).toContain('--allow <network,...> or --auth-file')
        expect(missing(`${protocol}://${host}:1`, { secret: true })).toBeNull()
        expect(missing(`${protocol}://${host}:1`, { allow: true })).toBeNull()
      }
      for (const text of [`memcached://${host}:1`, `dns://${host}:1/bl.test`]) {
        expect(missing(text)).toContain(`${text} can be reached by others`)
        expect(missing(text, { secret: true })).toContain('--allow')
        expect(missing(text, { secret: true })).not.toContain('--auth-file')
        expect(missing(text, { allow: true })).toBeNull()
      }
    },
  )
})
