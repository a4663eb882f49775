import { expect, test } from 'vitest'
import { clientSession, clientSessions } from '../../../../../../connectors/history/engine/analyst/client-session.ts'

const asked = (query: string) => clientSession(new URLSearchParams(query))

test('a session keeps what was set in it, for its user, until it was not used for its time', () => {
  let now = 1
  const sessions = clientSessions(() => now)
  const session = asked('session_id=a&session_timeout=10')
  sessions.set('ann', session, { extremes: '1' })
  sessions.set('ann', session, { join_use_nulls: '1' })
  sessions.set('ann', undefined, { extremes: '0' })
  now += 9_000
  expect(sessions.settings('ann', session)).toEqual({ extremes: '1', join_use_nulls: '1' })
  expect(sessions.settings('bob', session)).toEqual({})
  expect(sessions.settings('ann', asked('session_id=b'))).toEqual({})
  now += 9_000
  expect(sessions.settings('ann', session)).toEqual({ extremes: '1', join_use_nulls: '1' })
  now += 11_000
  expect(() => sessions.settings('ann', asked('session_id=a&session_check=1'))).toThrow(
    expect.objectContaining({ code: 372 }),
  )
  expect(sessions.settings('ann', session)).toEqual({})
})

test.each([
  ['role=admin', 511],
  ['decompress=1', 36],
  ['add_http_cors_header=1', 497],
  ['session_id=a&session_timeout=3601', 374],
  ['session_id=a&session_timeout=soon', 374],
])('%s is refused', (query, code) => expect(() => asked(query)).toThrow(expect.objectContaining({ code })))

test('what names no session has none', () => {
  expect(asked('query_id=x&session_timeout=5&decompress=0')).toBeUndefined()
})
