import { expect, test } from 'vitest'
import { redisSession } from '../../../../../edge/protocols/redis/redis-session.ts'
import { answersNow, bulk, resp, says } from '../../../../builders/edge/conversation.ts'
import { listOf, verdictOf } from '../../../../builders/edge/list.ts'

const LISTED = '203.0.113.9'
const CLEAN = '198.51.100.1'
const HIT = bulk(verdictOf(LISTED))

const open = (secret: string | null = null, list = listOf([LISTED, 'bücher.example'])) =>
  redisSession(list, { secret, version: '0.3.0' })

const GREETING = /^[%*]\d+\r\n\$6\r\nserver\r\n/

test('a value that is listed is its verdict as JSON, and another is nil', () => {
  expect(says(open(), `GET ${LISTED}\r\nget ${CLEAN}\r\n`).text).toBe(`${HIT}$-1\r\n`)
  expect(says(open(), Buffer.concat([resp('GET', LISTED), resp('gEt', CLEAN)])).text).toBe(`${HIT}$-1\r\n`)
})

test('a verdict beyond ASCII has its length in bytes', () => {
  expect(says(open(), resp('GET', 'bücher.example')).text).toBe(bulk(verdictOf('bücher.example')))
})

test('a connection begins as clients begin it: wrong and right secrets, both protocols and their nils', () => {
  const session = open('secret')
  expect(says(session, resp('PING')).text).toMatch(/^-NOAUTH /)
  expect(says(session, resp('HELLO', '3', 'auth', 'default', 'wrong')).text).toMatch(/^-WRONGPASS /)
  expect(says(session, resp('GET', CLEAN)).text).toMatch(/^-NOAUTH /)
  expect(says(session, resp('HELLO', '3')).text).toMatch(/^-NOAUTH /)
  expect(says(session, resp('hello', '3', 'auth', 'default', 'secret', 'setname', 'x')).text).toMatch(/^%7\r\n/)
  expect(says(session, resp('CLIENT', 'GETNAME')).text).toBe('$1\r\nx\r\n')
  expect(says(session, resp('MGET', CLEAN, LISTED)).text).toBe(`*2\r\n_\r\n${HIT}`)
  expect(says(session, resp('GET', CLEAN)).text).toBe('_\r\n')
  expect(says(session, resp('HELLO', '2')).text).toMatch(/^\*14\r\n/)
  expect(says(session, resp('GET', CLEAN)).text).toBe('$-1\r\n')
  expect(says(session, resp('HELLO', '4')).text).toMatch(/^-NOPROTO /)
  expect(says(session, resp('MGET', CLEAN, LISTED)).text).toBe(`*2\r\n$-1\r\n${HIT}`)
})

test('a secret that is wrong changes neither protocol nor name', () => {
  const session = open('secret')
  says(session, resp('AUTH', 'secret'))
  expect(says(session, resp('HELLO', '3', 'SETNAME', 'x', 'AUTH', 'default', 'no')).text).toMatch(/^-WRONGPASS /)
  expect(says(session, Buffer.concat([resp('GET', CLEAN), resp('CLIENT', 'GETNAME')])).text).toBe('$-1\r\n$-1\r\n')
})

test.each([
  [['AUTH', 'secret'], /^\+OK\r\n$/],
  [['AUTH', 'default', 'secret'], /^\+OK\r\n$/],
  [['auth', 'default', 'secret '], /^-WRONGPASS /],
  [['AUTH', 'somebody', 'secret'], /^-WRONGPASS /],
  [['AUTH', ''], /^-WRONGPASS /],
  [['AUTH', 'a', 'b', 'c'], /^-ERR syntax error/],
  [['AUTH'], /^-ERR wrong number of arguments for 'auth' command/],
])('with a secret, %j is answered as redis answers it', (words, reply) => {
  const session = open('secret')
  expect(says(session, resp(...words)).text).toMatch(reply)
  expect(says(session, resp('PING')).text.startsWith('+PONG')).toBe(reply.source.includes('OK'))
})

test('without a secret, AUTH with one word says so, and the user default may say what it likes', () => {
  expect(says(open(), resp('AUTH', 'x')).text).toMatch(/^-ERR AUTH .*without any password configured/)
  expect(says(open(), resp('AUTH', 'default', 'x')).text).toBe('+OK\r\n')
  expect(says(open(), resp('HELLO', '3', 'AUTH', 'default', 'x')).text).toMatch(GREETING)
})

test('before AUTH a connection may not send much, and QUIT ends it', () => {
  expect(says(open('secret'), resp('QUIT'))).toMatchObject({ text: '+OK\r\n', ended: true })
  const long = says(open('secret'), '*2\r\n$3\r\nGET\r\n$20000\r\n')
  expect(long.text).toBe('-ERR Protocol error: invalid bulk length\r\n')
  expect(long.ended).toBe(true)
  expect(says(open('secret'), '*17\r\n').ended).toBe(true)
})

test('the commands of clients at their start have an answer', () => {
  const lines = [
    'exists 203.0.113.9 203.0.113.9 x',
    'ttl 203.0.113.9',
    'ttl x',
    'type 203.0.113.9',
    'type 198.51.100.1',
    'client setinfo LIB-NAME x',
    'client no-evict on',
    'client id',
    'select 0',
    'select 1',
    'select x',
    'dbsize',
    'ping',
    'ping hello',
    'echo "a b\\x21"',
    'command count',
  ]
  expect(says(open(), `${lines.join('\r\n')}\r\n`).text.split('\r\n')).toEqual([
    ':2',
    ':-1',
    ':-2',
    '+string',
    '+none',
    '+OK',
    expect.stringMatching(/^-ERR unknown subcommand/),
    ':1',
    '+OK',
    '-ERR DB index is out of range',
    '-ERR value is not an integer or out of range',
    ':2',
    '+PONG',
    '$5',
    'hello',
    '$4',
    'a b!',
    ':15',
    '',
  ])
})

test('INFO says that nothing is loading, and where the list stands', () => {
  const list = listOf([LISTED])
  const session = open(null, list)
  const info = says(session, 'INFO\r\n').text
  for (const line of [
    'redis_version:7.2.0',
    'loading:0',
    'harrier_version:0.3.0',
    'feed_sequence:7',
    'feed_age:1',
    'stale:0',
  ])
    expect(info).toContain(`\r\n${line}\r\n`)
  expect(says(session, 'info Persistence\r\n').text).toBe(bulk('# Persistence\r\nloading:0\r\n'))
  list.set({ stale: true, ageSeconds: null, sequence: 0 })
  says(session, 'hello 3\r\n')
  expect(says(session, 'info harrier\r\n').text).toBe('=41\r\ntxt:# Harrier\r\nfeed_sequence:0\r\nstale:1\r\n\r\n')
})

test('COMMAND describes what it is asked for, in both protocols', () => {
  expect(says(open(), resp('COMMAND', 'INFO', 'get', 'set')).text).toMatch(
    /^\*2\r\n\*10\r\n\$3\r\nget\r\n:2\r\n[\s\S]*\*-1\r\n$/,
  )
  expect(says(open(), resp('COMMAND', 'DOCS', 'mget', 'none')).text).toMatch(
    /^\*2\r\n\$4\r\nmget\r\n\*6\r\n\$7\r\nsummary\r\n/,
  )
  const session = open()
  says(session, resp('HELLO', '3'))
  expect(says(session, resp('COMMAND', 'DOCS')).text).toMatch(/^%15\r\n/)
  expect(says(session, resp('COMMAND', 'INFO', ...Array.from({ length: 100 }, () => 'get'))).text).toMatch(
    /^-ERR too many/,
  )
})

test('a transaction is no command, and what it wraps stays in step', () => {
  const sent = Buffer.concat([resp('MULTI'), resp('GET', LISTED), resp('GET', CLEAN), resp('EXEC'), resp('PING')])
  const said = says(open(), sent)
  expect(said.text).toBe(`-ERR unknown command 'MULTI'\r\n${HIT}$-1\r\n-ERR unknown command 'EXEC'\r\n+PONG\r\n`)
  expect(said.ended).toBe(false)
})

test.each([
  ['SET a b', 'READONLY'],
  ['GETEX a EX 1', 'READONLY'],
  ['flushall', 'READONLY'],
  ['XGROUP CREATE a b 0', 'READONLY'],
  ['XGROUP HELP', 'ERR unknown command'],
  ['WATCH a', 'ERR unknown command'],
  ['SUBSCRIBE x', 'ERR unknown command'],
  ['EVAL "return 1" 0', 'ERR unknown command'],
  ['CLUSTER SLOTS', 'ERR unknown command'],
  ['READONLY', 'ERR unknown command'],
  ['constructor', 'ERR unknown command'],
  ['GET', 'ERR wrong number of arguments'],
  ['GET a b', 'ERR wrong number of arguments'],
  ['MGET', 'ERR wrong number of arguments'],
  ['PING a b', 'ERR wrong number of arguments'],
  ["na'me", 'ERR Protocol error'],
])('%s is an error that begins with %s', (line, error) => {
  expect(says(open(), `${line}\r\n`).text).toMatch(new RegExp(`^-${error}.*\r\n$`))
})

test('the name of an unknown command cannot write a line of its own', () => {
  const said = says(open(), resp('A\r\n+OK\r\n', 'x')).text
  expect(said).toBe("-ERR unknown command 'A??+OK??'\r\n")
})

test('while the list is stale every command over values says so once, and the others go on', () => {
  const list = listOf([LISTED])
  list.set({ stale: true })
  const session = open(null, list)
  const stale = '-ERR stale: the list is too old, or was not read yet\r\n'
  const sent = `GET ${LISTED}\r\nEXISTS ${CLEAN}\r\nMGET a b\r\nTTL a\r\nTYPE a\r\nPING\r\nDBSIZE\r\n`
  expect(says(session, sent).text).toBe(`${stale.repeat(5)}+PONG\r\n:1\r\n`)
  expect(list.asked).toEqual([])
  list.set({ stale: false })
  expect(says(session, `GET ${LISTED}\r\n`).text).toBe(HIT)
})

test('a list that becomes stale in the middle of a command is no reason to call a value clean', () => {
  const list = listOf([LISTED])
  const session = open(null, list)
  session.push(Buffer.from('MGET 1 2 3\r\nEXISTS 203.0.113.9 2 3\r\nPING\r\n'))
  // The list is begun, and one of its keys is answered.
  expect(session.answer(2).bytes.toString()).toBe('*3\r\n$-1\r\n')
  list.set({ stale: true })
  expect(session.answer(2).bytes.toString()).toMatch(/^(-ERR stale[^\r]*\r\n){2}$/)
  list.set({ stale: false })
  session.answer(2)
  list.set({ stale: true })
  expect(answersNow(session).text).toMatch(/^-ERR stale[^\r]*\r\n\+PONG\r\n$/)
})

test('keys of one command share rounds with others, and stay in order', () => {
  const keys = Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? LISTED : `${i}`))
  const sent = Buffer.concat([resp('MGET', ...keys), resp('EXISTS', ...keys), resp('PING')])
  const wanted = `*50\r\n${keys.map((key) => (key === LISTED ? HIT : '$-1\r\n')).join('')}:17\r\n+PONG\r\n`
  for (const most of [1, 2, 7, 1000]) expect(says(open(), sent, { most }).text).toBe(wanted)
  const session = open()
  session.push(sent)
  const first = session.answer(10)
  expect(first.more).toBe(true)
  expect(first.bytes.toString().split('\r\n').length).toBeLessThan(40)
})

test('a key over 2,048 bytes, and one that is not UTF-8, is an error and no miss', () => {
  const list = listOf([LISTED])
  const long = 'x'.repeat(2_049)
  for (const name of ['GET', 'MGET', 'EXISTS', 'TTL', 'TYPE']) {
    expect(says(open(null, list), resp(name, long)).text).toBe('-ERR key is longer than 2048 bytes\r\n')
    expect(says(open(null, list), resp(name, Buffer.from([0x61, 0xff]))).text).toBe('-ERR key is not UTF-8\r\n')
  }
  expect(says(open(null, list), resp('MGET', LISTED, long)).text).toBe('-ERR key is longer than 2048 bytes\r\n')
  // Two halves of one letter are no letter, though they are next to each other.
  expect(says(open(null, list), 'MGET "\\xc3" "\\xbc"\r\n').text).toBe('-ERR key is not UTF-8\r\n')
  expect(list.asked).toEqual([])
  expect(says(open(null, list), resp('GET', 'x'.repeat(2_048))).text).toBe('$-1\r\n')
})

test('a request of HTTP ends the connection, and nothing of its body is answered', () => {
  const body = `GET ${LISTED}\r\nPING\r\n`
  for (const first of ['POST / HTTP/1.1', 'get / HTTP/1.1', 'GET /v1/x HTTP/1.0', 'PRI * HTTP/2.0', 'Host: 127.0.0.1'])
    for (const piece of [0, 1])
      expect(says(open(), `${first}\r\nHost: 127.0.0.1\r\nContent-Length: 23\r\n\r\n${body}`, { piece })).toMatchObject(
        {
          text: '',
          ended: true,
        },
      )
})

test('QUIT is answered and is the last that is', () => {
  const session = open()
  expect(says(session, 'PING\r\nQUIT\r\nPING\r\n')).toMatchObject({ text: '+PONG\r\n+OK\r\n', ended: true })
  expect(says(session, 'PING\r\n')).toMatchObject({ text: '', ended: true })
})

test('what a round wrote before the list failed is in no other answer', () => {
  const list = listOf([LISTED])
  const broken = redisSession(
    {
      ...list,
      json() {
        throw new Error('broken')
      },
    },
    { secret: null, version: '0' },
  )
  broken.push(Buffer.from('PING\r\nGET a\r\n'))
  expect(() => broken.answer(10)).toThrow('broken')
  expect(says(open(), 'DBSIZE\r\n').text).toBe(':2\r\n')
})
