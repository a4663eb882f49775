import { expect, test } from 'vitest'
import { memcachedSession } from '../../../../../edge/protocols/memcached/memcached-session.ts'
import { answersNow, says } from '../../../../builders/edge/conversation.ts'
import { listOf, verdictOf } from '../../../../builders/edge/list.ts'

const LISTED = '203.0.113.9'
const JSON_BYTES = verdictOf(LISTED).length
const HIT = `VALUE ${LISTED} 0 ${JSON_BYTES}\r\n${verdictOf(LISTED)}\r\n`
const VERSION = 'VERSION 1.6.18\r\n'
const READ_ONLY = 'SERVER_ERROR read only\r\n'

const open = (list = listOf([LISTED, 'bücher.example'])) =>
  memcachedSession(list, { version: '0.3.0', now: () => 1_796_000_000_999 })

test('get answers the values that are listed, in the order of their keys', () => {
  expect(says(open(), `get ${LISTED}\r\n`).text).toBe(`${HIT}END\r\n`)
  expect(says(open(), 'get x\r\n').text).toBe('END\r\n')
  for (const most of [1, 2, 100])
    expect(says(open(), `get  x ${LISTED} y  ${LISTED} \r\nversion\r\n`, { most }).text).toBe(
      `${HIT}${HIT}END\r\n${VERSION}`,
    )
})

test('gets adds the sequence of the list, which says whether a value can have changed', () => {
  expect(says(open(), `gets ${LISTED} x\r\n`).text).toBe(`${HIT.replace('\r\n', ' 7\r\n')}END\r\n`)
})

test('a key beyond ASCII comes back byte for byte, with the length of its verdict in bytes', () => {
  const json = verdictOf('bücher.example')
  expect(says(open(), 'get bücher.example\r\n').text).toBe(
    `VALUE bücher.example 0 ${Buffer.byteLength(json)}\r\n${json}\r\nEND\r\n`,
  )
})

test('a key that cannot be meant is an error for the whole command, and no miss', () => {
  const list = listOf([LISTED])
  const long = 'x'.repeat(251)
  for (const name of ['get', 'gets', 'mg']) {
    expect(says(open(list), `${name} ${long}\r\n`).text).toBe('CLIENT_ERROR key is longer than 250 bytes\r\n')
    const bytes = Buffer.concat([Buffer.from(`${name} `), Buffer.from([0xff]), Buffer.from('\r\n')])
    expect(says(open(list), bytes).text).toBe('CLIENT_ERROR key is not UTF-8\r\n')
  }
  expect(says(open(list), `get ${LISTED} ${long}\r\n`).text).toMatch(/^CLIENT_ERROR[^\n]*\n$/)
  expect(list.asked).toEqual([])
  expect(says(open(list), `get ${'x'.repeat(250)}\r\n`).text).toBe('END\r\n')
})

test.each([
  ['set k 0 0 5 noreply\r\nhello\r\nget 203.0.113.9\r\n', `${HIT}END\r\n`],
  ['set k 0 0 24\r\nget 203.0.113.9\r\nget x\r\n\r\nversion\r\n', `${READ_ONLY}${VERSION}`],
  ['set k 0 1.5 5 noreply\r\nhello\r\nversion\r\n', VERSION],
  ['add k 0 0 0\r\n\r\nversion\r\n', `${READ_ONLY}${VERSION}`],
  ['cas k 0 0 9 1\r\nversion\r\n\r\nversion\r\n', `${READ_ONLY}${VERSION}`],
  ['cas k 0 0 2 1 noreply\r\nab\r\nversion\r\n', VERSION],
  ['append k 0 0 2 noreply\r\n\r\n\r\nprepend k 0 0 1\r\nx\r\n', READ_ONLY],
  ['delete k noreply\r\nincr k 1 noreply\r\ntouch k 1 noreply\r\nflush_all noreply\r\nversion\r\n', VERSION],
  ['delete k\r\nincr k 1\r\ndecr k 1\r\ntouch k 1\r\nflush_all\r\ngat 1 k\r\ngats 1 k\r\n', READ_ONLY.repeat(7)],
  // A key may be called so.
  ['gat 0 noreply\r\ngat 0 k noreply\r\n', READ_ONLY],
  ['ms k 2\r\nab\r\nmd k\r\nma k\r\nmn\r\n', `${READ_ONLY.repeat(3)}MN\r\n`],
  // Of a meta command `q` hides success, and no error.
  ['ms k 2 q\r\nab\r\nmd k q\r\nmn\r\n', `${READ_ONLY.repeat(2)}MN\r\n`],
  ['delete\r\nincr k\r\nversion\r\n', `ERROR\r\nERROR\r\n${VERSION}`],
])('%j is refused and read to its end', (sent, replies) => {
  for (const piece of [0, 1]) expect(says(open(), sent, { piece })).toMatchObject({ text: replies, ended: false })
})

test.each([
  ['set k 0 0 -1\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k 0 0 -1 noreply\r\nversion\r\n', ''],
  ['set k 0 0 99999999999\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k 0 0 134217729\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k 0 0 x\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k noreply\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['ms k S5\r\nhello\r\nversion\r\n', 'CLIENT_ERROR bad length of data\r\n'],
  ['set k 0 0 4\r\nhello\r\nversion\r\n', 'CLIENT_ERROR bad data chunk\r\n'],
  ['set k 0 0 5\r\nhel\r\nversion\r\n', 'CLIENT_ERROR bad data chunk\r\n'],
  ['set k 0 0 4 noreply\r\nhello\r\nversion\r\n', ''],
])('after %j nothing is read as a command, as it may be data', (sent, replies) => {
  for (const piece of [0, 1]) expect(says(open(), sent, { piece })).toMatchObject({ text: replies, ended: true })
})

test('data of 20 MiB is passed over and not kept', () => {
  const session = open()
  says(session, `set k 0 0 ${20 * 2 ** 20}\r\n`)
  const piece = Buffer.from('get x\r\n'.repeat(9_362)).subarray(0, 65_534)
  for (let left = 20 * 2 ** 20; left > 0; left -= piece.length)
    expect(says(session, piece.subarray(0, Math.min(left, piece.length))).text).toBe('')
  expect(says(session, '\r\nversion\r\n').text).toBe(`${READ_ONLY}${VERSION}`)
})

test('a line has a bound, and a long one of get is still a list of keys', () => {
  const keys = Array.from({ length: 3_000 }, (_, i) => `${i}`.padStart(200, 'x'))
  expect(says(open(), `get ${keys.join(' ')} ${LISTED}\r\nversion\r\n`, { piece: 65_536 }).text).toBe(
    `${HIT}END\r\n${VERSION}`,
  )
  for (const sent of [`delete ${'x'.repeat(9_000)}\r\nversion\r\n`, 'x'.repeat(9_000), `gets ${'x '.repeat(600_000)}`])
    for (const piece of [0, 4_096])
      expect(says(open(), sent, { piece })).toMatchObject({ text: 'CLIENT_ERROR line is too long\r\n', ended: true })
})

test('while the list is stale every command over values says so once, and the others go on', () => {
  const list = listOf([LISTED])
  list.set({ stale: true })
  const session = open(list)
  const stale = 'SERVER_ERROR stale\r\n'
  const sent = 'get a b c\r\nmg a v\r\nmg a q\r\nmg a k v\r\ngets a\r\nmn\r\nversion\r\n'
  expect(says(session, sent).text).toBe(`${stale.repeat(5)}MN\r\n${VERSION}`)
  expect(says(session, 'stats\r\n').text).toContain('STAT stale 1\r\n')
  expect(list.asked).toEqual([])
  list.set({ stale: false })
  expect(says(session, `get ${LISTED}\r\n`).text).toBe(`${HIT}END\r\n`)
})

test('a list that becomes stale in the middle of a get ends its reply with an error', () => {
  const list = listOf([LISTED])
  const session = open(list)
  session.push(Buffer.from(`get x ${LISTED} z\r\nversion\r\n`))
  expect(session.answer(3).bytes.toString()).toBe(HIT)
  list.set({ stale: true })
  expect(answersNow(session).text).toBe(`SERVER_ERROR stale\r\n${VERSION}`)
})

test('stats has facts about the list', () => {
  const stats = says(open(), 'stats\r\nstats items\r\n').text
  expect(stats).toBe(
    [
      'STAT version 1.6.18',
      'STAT harrier_version 0.3.0',
      'STAT time 1796000000',
      'STAT curr_items 2',
      'STAT feed_sequence 7',
      'STAT feed_age 1',
      'STAT stale 0',
      'END',
      'END',
      '',
    ].join('\r\n'),
  )
  const list = listOf([])
  list.set({ ageSeconds: null })
  expect(says(open(list), 'stats\r\n').text).not.toContain('feed_age')
})

test.each([
  ['verbosity\r\n', 'ERROR\r\n'],
  ['verbosity 1\r\n', 'OK\r\n'],
  ['verbosity 1 noreply\r\nverbosity noreply\r\n', ''],
  ['verbosity x\r\n', 'CLIENT_ERROR bad command line format\r\n'],
  ['verbosity a b c\r\n', 'ERROR\r\n'],
  ['get\r\ngets \r\nmg\r\nGET x\r\n\r\nshutdown\r\nme x\r\n', 'ERROR\r\n'.repeat(7)],
  ['stats nothing\r\nstats items all\r\nstats slabs\r\n', 'ERROR\r\nERROR\r\nEND\r\n'],
  ['version\nmn\n', `${VERSION}MN\r\n`],
])('%j is answered with %j, and the connection goes on', (sent, replies) => {
  const session = open()
  expect(says(session, sent)).toMatchObject({ text: replies, ended: false })
  expect(says(session, 'mn\r\n').text).toBe('MN\r\n')
})

test('quit ends the connection without a word', () => {
  expect(says(open(), 'version\r\nquit\r\nversion\r\n')).toMatchObject({ text: VERSION, ended: true })
})

test('a request of HTTP, of TLS and of the binary protocol ends the connection, and nothing of it is answered', () => {
  const body = `get ${LISTED}\r\nversion\r\n`
  for (const first of [
    'POST / HTTP/1.1',
    'GET /get HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'Host: 127.0.0.1',
    '\x16\x03\x01',
    '\x80\x0a',
  ])
    for (const piece of [0, 1])
      expect(says(open(), Buffer.from(`${first}\r\nHost: x\r\n\r\n${body}`, 'latin1'), { piece })).toMatchObject({
        text: '',
        ended: true,
      })
})
