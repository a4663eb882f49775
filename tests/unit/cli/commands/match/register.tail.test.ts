import { expect, test, vi } from 'vitest'
import { NEXT_FILE, type Piece } from '../../../../../cli/commands/match/follow.ts'
import type { Portion } from '../../../../../cli/commands/match/portion.ts'
import { tailLog } from '../../../../../cli/commands/match/register.ts'
import { tally } from '../../../../../cli/commands/match/tally.ts'

async function* of(...pieces: (string | typeof NEXT_FILE | Promise<unknown>)[]): AsyncGenerator<Piece> {
  for (const piece of pieces) {
    if (piece instanceof Promise) await piece
    else yield piece === NEXT_FILE ? piece : Buffer.from(piece as string, 'latin1')
  }
}

/** Tails lines of events; the portions that were posted, what was shown, and the summary. */
async function tail(
  pieces: AsyncGenerator<Piece>,
  { refused = [] as number[], stop = new AbortController(), fails = false } = {},
) {
  const portions: Portion[] = []
  let shown = ''
  const counts = tally({ write: (text) => (shown += text) })
  const post = async (portion: Portion) => {
    if (fails) throw new Error('401: no')
    portions.push(portion)
    return { accepted: portion.lines.length - refused.length, refused: refused.map((line) => ({ line, reason: 'no' })) }
  }
  let error = ''
  const open = (signal: AbortSignal): AsyncGenerator<Piece> => {
    signal.addEventListener('abort', () => ended.resolve(undefined))
    return pieces
  }
  await tailLog(open, { format: 'ndjson', post, tally: counts, signal: stop.signal }).catch((thrown: Error) => {
    error = thrown.message
  })
  return { portions, shown, summary: counts.summary(), error }
}

let ended = Promise.withResolvers<unknown>()

test('lines that come in pieces are posted in their order', async () => {
  const text = Buffer.from('{"a":"é"}\r\n\n{"a":2}\n{"a":3}').toString('latin1')
  const { portions, shown, summary } = await tail(of(...text))
  expect(portions).toEqual([{ body: '{"a":"é"}\n{"a":2}\n{"a":3}\n', lines: [1, 3, 4] }])
  expect([shown, summary]).toEqual(['', '4 lines read: 3 events accepted, 0 bad, 0 with nothing to match\n'])
})

test('bad lines are counted, and the first ten are shown', async () => {
  const lines = ['{"a":1}', 'no\u001b[2J', ...Array.from({ length: 10 }, () => '[]'), '{"a":2}']
  const { shown, summary } = await tail(of(`${lines.join('\n')}\n`), { refused: [2] })
  expect(shown.split('\n').slice(0, 3)).toEqual([
    'line 2: is not JSON',
    'line 3: is not an object of JSON',
    'line 4: is not an object of JSON',
  ])
  expect(shown.split('\n').slice(-3)).toEqual([
    'line 11: is not an object of JSON',
    'further invalid lines are only counted',
    '',
  ])
  expect(summary).toBe('13 lines read: 1 events accepted, 12 bad, 0 with nothing to match\n')
})

test('a line that was refused has its number in the log', async () => {
  const { shown } = await tail(of('\n\n{"a":1}\n{"a":2}\n'), { refused: [2] })
  expect(shown).toBe('line 4: no\n')
})

test('a line without end is not held', async () => {
  const piece = 'x'.repeat(512 * 1024)
  const { portions, shown } = await tail(of('{"a":1}\n', piece, piece, piece, '\n{"a":2}\n'))
  expect(portions[0]?.lines).toEqual([1, 3])
  expect(shown).toBe('line 2: is longer than 1048576 characters\n')
})

test('another file begins with line 1, after the last line of the one before', async () => {
  const { portions } = await tail(of('{"a":1}\n{"a":2}', NEXT_FILE, '{"b":1}\n'))
  expect(portions).toEqual([{ body: '{"a":1}\n{"a":2}\n{"b":1}\n', lines: [1, 2, 1] }])
})

test('many lines are several portions', async () => {
  const { portions } = await tail(of('{}\n'.repeat(12_000)))
  expect(portions.map(({ lines }) => lines.length)).toEqual([5_000, 5_000, 2_000])
  expect(portions.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 12_000 }, (_, at) => at + 1))
})

test('an event does not wait for others longer than a second', async () => {
  const gate = Promise.withResolvers<unknown>()
  const posted: unknown[] = []
  const running = tailLog(() => of('{"a":1}\n', gate.promise, '{"a":2}\n'), {
    format: 'ndjson',
    post: async ({ lines }) => {
      posted.push(lines)
      return { accepted: lines.length, refused: [] }
    },
    tally: tally({ write: () => undefined }),
    signal: new AbortController().signal,
  })
  await vi.waitFor(() => expect(posted).toEqual([[1]]), 5_000)
  gate.resolve(undefined)
  await running
  expect(posted).toEqual([[1], [2]])
})

test('what is there when it stops is posted, but for half a line', async () => {
  const stop = new AbortController()
  async function* pieces(): AsyncGenerator<Piece> {
    yield Buffer.from('{"a":1}\n{"a":')
    stop.abort()
  }
  const { portions } = await tail(pieces(), { stop })
  expect(portions).toEqual([{ body: '{"a":1}\n', lines: [1] }])
})

test('a refusal of the whole ends it, also while the log is silent', async () => {
  ended = Promise.withResolvers()
  const { error } = await tail(of('{"a":1}\n', ended.promise), { fails: true })
  expect(error).toBe('401: no')
})
