import { expect, test } from 'vitest'
import { optionsOf } from '../../../pictures/options.ts'

const KEYS = { HARRIER_API_KEY: 'key', HARRIER_API_SECRET: 'secret' }

test('a folder and a key pair are enough: all looks at all pages of the platform on this machine', () => {
  expect(optionsOf(['--out', 'here'], KEYS)).toEqual({
    url: 'http://127.0.0.1:8080',
    keys: { apiKey: 'key', apiSecret: 'secret' },
    out: 'here',
    looks: ['light', 'dark', 'phone'],
    pages: null,
    entity: null,
    window: false,
  })
})

test('the address that is typed is stronger than that of the environment', () => {
  const env = { ...KEYS, HARRIER_URL: 'http://one:1/' }
  expect(optionsOf(['--out', 'here'], env).url).toBe('http://one:1')
  expect(optionsOf(['--out', 'here', '--url', 'http://two:2'], env).url).toBe('http://two:2')
})

test.each([
  [[], KEYS, /--out <folder> is missing/],
  [['--out', 'here'], {}, /HARRIER_API_KEY and HARRIER_API_SECRET are missing/],
  [['--out', 'here', '--looks', 'light,dim'], KEYS, /dim is none of light, dark, phone/],
  [['--out', 'here', '--look', 'light'], KEYS, /Unknown option '--look'/],
])('%j is refused', (args, env, message) => {
  expect(() => optionsOf(args, env)).toThrow(message)
})
