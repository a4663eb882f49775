import { expect, test } from 'vitest'
import { Away, Refused } from '../../../../connectors/feed-client/port.ts'
import { type FileTarget, keepFiles } from '../../../../edge/follow/files.ts'

type Turn = {
  /** Of the list on the disk, from this pause on. */
  sequence?: number | null
  /** What the platform gives from then on: a file of this sequence, or an error. */
  file?: number | Error
  /** What the disk says from then on. */
  disk?: Error | null
}

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Keeps one file; each pause is the next turn, and after the last one it ends. */
async function keep(turns: readonly Turn[]) {
  const stop = new AbortController()
  const log: string[] = []
  let now: Required<Turn> = { sequence: null, file: 0, disk: null }
  let at = 0
  const take = (): void => {
    const turn = turns[at++]
    if (turn === undefined) stop.abort()
    else now = { ...now, ...turn }
  }
  take()
  const target: FileTarget = {
    format: 'text',
    path: '/lists/a',
    async put(given) {
      if (now.disk !== null) throw now.disk
      for await (const piece of given) log.push(`put ${piece}`)
      return true
    },
  }
  const { states, ended } = keepFiles(
    [target],
    {
      feed: {
        async file(format) {
          log.push(`ask ${format}`)
          if (now.file instanceof Error) throw now.file
          return { sequence: now.file, bytes: bytes(`of ${now.file}`) }
        },
      },
      sequence: () => now.sequence,
      async pause(ms) {
        log.push(`pause ${ms}`)
        take()
      },
      report: (message) => log.push(`says ${message}`),
    },
    stop.signal,
  )
  await ended
  return { log: log.filter((what) => what !== 'pause 250'), state: states()[0] }
}

test('without a list nothing is asked for', async () => {
  const { log, state } = await keep([{}, {}, {}])
  expect(log).toEqual([])
  expect(state).toEqual({ path: '/lists/a', sequence: -1, failed: 0 })
})

test('a file is asked for when the sequence has moved, and once', async () => {
  const { log, state } = await keep([{}, { sequence: 3, file: 3 }, {}, {}, { sequence: 4, file: 4 }, {}])
  expect(log).toEqual(['ask text', 'put of 3', 'ask text', 'put of 4'])
  expect(state).toEqual({ path: '/lists/a', sequence: 4, failed: 0 })
})

test('of a feed that never had an item there is a file too', async () => {
  const { log } = await keep([{ sequence: 0, file: 0 }, {}])
  expect(log).toEqual(['ask text', 'put of 0'])
})

test('a list that was read anew with a smaller sequence is another one', async () => {
  const { log } = await keep([{ sequence: 9, file: 9 }, { sequence: 2, file: 2 }, {}])
  expect(log).toEqual(['ask text', 'put of 9', 'ask text', 'put of 2'])
})

test('a file of before the list is put, and asked for again after a pause', async () => {
  const { log, state } = await keep([{ sequence: 5, file: 4 }, { file: 5 }, {}])
  expect(log).toEqual(['ask text', 'put of 4', 'pause 2000', 'ask text', 'put of 5'])
  expect(state!.sequence).toBe(5)
})

test('a file of behind the list is not asked for again until the list moves', async () => {
  const { log } = await keep([{ sequence: 5, file: 7 }, {}, {}])
  expect(log).toEqual(['ask text', 'put of 7'])
})

test('one that cannot be written is tried again with the next sequence, and counted', async () => {
  const disk = new Error('/lists/a cannot be written: mount its folder instead')
  const { log, state } = await keep([
    { sequence: 3, file: 3, disk },
    {},
    {},
    { sequence: 4, file: 4 },
    {},
    { sequence: 5, file: 5, disk: null },
    {},
  ])
  expect(log).toEqual([
    ...['ask text', `says ${disk.message}`, 'pause 2000'],
    ...['ask text', 'pause 2000'],
    ...['ask text', 'put of 5'],
  ])
  expect(state).toEqual({ path: '/lists/a', sequence: 5, failed: 2 })
})

test('a platform that is away is asked until it is there, and told of once', async () => {
  const file = new Away('cannot be reached', 7_000)
  const { log, state } = await keep([
    { sequence: 3, file },
    {},
    { file: new Away('cannot be reached') },
    { file: 3 },
    {},
  ])
  expect(log).toEqual([
    ...['ask text', 'says cannot be reached', 'pause 7000', 'ask text', 'pause 7000', 'ask text', 'pause 2000'],
    ...['ask text', 'put of 3'],
  ])
  expect(state).toEqual({ path: '/lists/a', sequence: 3, failed: 3 })
})

test('a platform that refuses is asked again with the next sequence', async () => {
  const { log } = await keep([{ sequence: 3, file: new Refused('answers 404') }, {}, {}, { sequence: 4, file: 4 }, {}])
  expect(log).toEqual(['ask text', 'says answers 404', 'pause 2000', 'ask text', 'put of 4'])
})

test('one file that fails holds up no other', async () => {
  const stop = new AbortController()
  const put: string[] = []
  let pauses = 0
  const target = (path: string, fails: boolean): FileTarget => ({
    format: 'text',
    path,
    async put() {
      if (fails) throw new Error('full')
      put.push(path)
      return true
    },
  })
  const { states, ended } = keepFiles(
    [target('/a', true), target('/b', false)],
    {
      feed: { file: async () => ({ sequence: 3, bytes: bytes('') }) },
      sequence: () => 3,
      pause: async () => {
        if (++pauses > 10) stop.abort()
      },
      report: () => undefined,
    },
    stop.signal,
  )
  await ended
  expect(put).toEqual(['/b'])
  expect(states().map(({ failed, sequence }) => [failed, sequence])).toEqual([
    [1, -1],
    [0, 3],
  ])
})
