import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { lineReader, MAX_LINE } from '../../../../connectors/feeds/line-reader.ts'
import { unpack } from '../../../../connectors/feeds/unpack.ts'
import { collect, summary } from '../../../builders/feeds/collect-feed.ts'

const lines = (text: string, options = {}) => collect(text, { format: 'lines', ...options })

const cases: { name: string; text: string; want: string[]; options?: object }[] = [
  { name: 'one indicator a line', text: '8.8.8.8\nevil.example\n', want: ['1: ip 8.8.8.8', '2: domain evil.example'] },
  { name: 'no line end at the end', text: '8.8.8.8', want: ['1: ip 8.8.8.8'] },
  {
    name: 'Windows line ends and a byte order mark',
    text: '\ufeff8.8.8.8\r\n9.9.9.9\r\n',
    want: ['1: ip 8.8.8.8', '2: ip 9.9.9.9'],
  },
  { name: 'comments and blank lines keep the count', text: '# a\n\n; b\n  8.8.8.8', want: ['4: ip 8.8.8.8'] },
  {
    name: 'a number or a comment may follow',
    text: '8.8.8.8\t12\n9.9.9.9 ; SBL1',
    want: ['1: ip 8.8.8.8', '2: ip 9.9.9.9'],
  },
  {
    name: 'lines of a hosts file',
    text: '0.0.0.0 evil.example # ad\n127.0.0.1\tbad.example',
    want: ['1: domain evil.example', '2: domain bad.example'],
  },
  {
    name: 'a block of one address is the address',
    text: '8.8.8.8/32\n2001:4860::/128\n8.8.8.0/24',
    want: ['1: ip 8.8.8.8', '2: ip 2001:4860::', '3: cidr 8.8.8.0/24'],
  },
  { name: 'defanged indicators', text: 'hxxp://evil[.]example/a', want: ['1: url http://evil.example/a'] },
  { name: 'what is nothing', text: 'not-an-indicator', want: ['1: not an indicator of a known kind'] },
  { name: 'a type of its own', text: 'Evil Thing', options: { type: 'malware' }, want: ['1: malware Evil Thing'] },
  { name: 'a given type, defanged', text: '8[.]8[.]8[.]8', options: { type: 'ip' }, want: ['1: ip 8.8.8.8'] },
]
for (const { name, text, want, options } of cases) {
  test(`a plain list: ${name}`, async () => expect(summary(await lines(text, options))).toEqual(want))
}

test('what follows an indicator becomes tags when asked, up to a comment', async () => {
  const items = await lines('8.8.8.8 botnet, c2 # seen today\n0.0.0.0 evil.example ads', {
    trailingTags: true,
    tags: ['feed'],
  })
  expect(items.map((item) => 'entity' in item && item.entity.tags)).toEqual([
    ['botnet', 'c2', 'feed'],
    ['ads', 'feed'],
  ])
})

test('a port stays with its address', async () => {
  const [item] = await lines('8.8.8.8:443')
  expect(item).toMatchObject({ entity: { type: 'ip', attributes: { ip: '8.8.8.8', port: '443/tcp' }, reputation: -3 } })
})

test('packed lists are unpacked by their content', async () => {
  expect(summary(await collect(gzipSync('8.8.8.8\n9.9.9.9\n'), { format: 'lines' }))).toHaveLength(2)
})

test('a damaged packed list is an error, not an end', async () => {
  const damaged = gzipSync('8.8.8.8\n'.repeat(1000)).subarray(0, 30)
  await expect(collect(damaged, { format: 'lines' })).rejects.toThrow(/unexpected end/)
})

test('a source that breaks is an error', async () => {
  async function* broken() {
    yield gzipSync('8.8.8.8\n').subarray(0, 10)
    throw new Error('connection reset')
  }
  await expect(unpack(broken()).next()).rejects.toThrow('connection reset')
})

test('an empty list has no items', async () => expect(await lines('')).toEqual([]))

test('an overlong line is dropped without being held, and the lines after it are read', () => {
  const reader = lineReader()
  const seen = [...reader.push('a\n'), ...reader.push('x'.repeat(MAX_LINE)), ...reader.push('x'.repeat(MAX_LINE))]
  seen.push(...reader.push('x'), ...reader.push('\nb\nc'), ...reader.end())
  expect(seen).toEqual(['a', null, 'b', 'c'])
})

test('an overlong line inside one piece is dropped as well', () => {
  expect(lineReader().push(`a\n${'x'.repeat(MAX_LINE + 1)}\nb\n`)).toEqual(['a', null, 'b'])
})

test('a line of the greatest length is kept', () => {
  expect(lineReader().push(`${'x'.repeat(MAX_LINE)}\r\n`)).toEqual(['x'.repeat(MAX_LINE)])
})

test('an overlong last line is reported', () => {
  const reader = lineReader()
  reader.push('x'.repeat(MAX_LINE + 2))
  expect(reader.end()).toEqual([null])
})

const inUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

test('UTF-16 with a byte order mark is read, in both orders', async () => {
  const list = inUtf16('203.0.113.9\r\nm\u00fcll.example.com\r\n')
  const want = ['1: ip 203.0.113.9', '2: hostname xn--mll-hoa.example.com']
  expect(summary(await collect(list, { format: 'lines' }))).toEqual(want)
  expect(summary(await collect(list.swap16(), { format: 'lines' }))).toEqual(want)
})

test('UTF-16 without a mark and UTF-32 are refused by name', async () => {
  const bare = Buffer.from('203.0.113.9\n', 'utf16le')
  const read = (bytes: Buffer) => collect(bytes, { format: 'lines' })
  await expect(read(bare)).rejects.toThrow('looks like UTF-16 without a byte order mark')
  await expect(read(Buffer.from([0xff, 0xfe, 0, 0, 0x32, 0, 0, 0]))).rejects.toThrow('UTF-32')
})

test('a line with bytes that are no UTF-8 is refused, whatever it would be read as; a comment may have them', async () => {
  const latin1 = Buffer.from(
    '# m\u00fcll\nhttp://m\u00fcll.example.com/\n203.0.113.9 # \u00fc\n203.0.113.10\n',
    'latin1',
  )
  expect(summary(await collect(latin1, { format: 'lines' }))).toEqual([
    '2: has bytes that are not UTF-8 (Latin-1?); convert the file to UTF-8',
    '3: has bytes that are not UTF-8 (Latin-1?); convert the file to UTF-8',
    '4: ip 203.0.113.10',
  ])
})
