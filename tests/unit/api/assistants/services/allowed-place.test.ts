import * as sdk from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { allowedPlace } from '../../../../../api/assistants/services/allowed-place.ts'

const check = allowedPlace(sdk, 'http://192.0.2.7:8080/')

test.each(['192.0.2.7', '192.0.2.7:1', 'localhost', '127.0.0.1:8080', '[::1]'])('%s may be asked', (host) => {
  expect(() => check(host, undefined)).not.toThrow()
})

test.each([undefined, '', 'evil.example', '192.0.2.7.evil.example', 'a b', '127.0.0.2'])(
  '%s may not be asked',
  (host) => {
    expect(() => check(host, undefined)).toThrow('HARRIER_URL')
  },
)

test.each([undefined, 'http://localhost:6274', 'https://192.0.2.7'])('%s may ask', (origin) => {
  expect(() => check('localhost', origin)).not.toThrow()
})

test.each(['null', 'http://evil.example', 'nothing', 'http://localhost.evil.example'])('%s may not ask', (origin) => {
  expect(() => check('localhost', origin)).toThrow('HARRIER_URL')
})
