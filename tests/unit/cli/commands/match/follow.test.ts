import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import { NEXT_FILE, readLog, readStream } from '../../../../../cli/commands/match/follow.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const folder = ownFolder('follow')

let path: string
let at = 0
beforeEach(() => {
  path = join(folder, `${at++}.log`)
})

/** Follows the file; `seen` is all that was read, with `|` for another file. */
function following() {
  const stop = new AbortController()
  const log = { seen: '', stop: () => stop.abort(), ended: Promise.resolve() }
  log.ended = (async () => {
    for await (const piece of readLog(path, { follow: true, signal: stop.signal, pollMs: 5 }))
      log.seen += piece === NEXT_FILE ? '|' : Buffer.from(piece).toString()
  })()
  return log
}

const sees = (log: { seen: string }, text: string) => vi.waitFor(() => expect(log.seen).toBe(text), 5_000)

test('a file is read to its end', async () => {
  writeFileSync(path, 'x'.repeat(600_000))
  let size = 0
  for await (const piece of readLog(path, { follow: false, signal: new AbortController().signal }))
    size += (piece as Uint8Array).length
  expect(size).toBe(600_000)
})

test('what is added is read until the signal', async () => {
  writeFileSync(path, 'one ')
  const log = following()
  await sees(log, 'one ')
  appendFileSync(path, 'two')
  await sees(log, 'one two')
  log.stop()
  await log.ended
})

test('a renamed file is read to its end, then the new one of its name', async () => {
  writeFileSync(path, 'one ')
  const log = following()
  await sees(log, 'one ')
  renameSync(path, `${path}.1`)
  appendFileSync(`${path}.1`, 'two ')
  await sees(log, 'one two ')
  writeFileSync(path, 'three')
  appendFileSync(`${path}.1`, 'late ')
  await sees(log, 'one two late |three')
  renameSync(path, `${path}.2`)
  writeFileSync(path, 'four')
  await sees(log, 'one two late |three|four')
  log.stop()
  await log.ended
})

test('a file that was made empty is read from its beginning', async () => {
  writeFileSync(path, 'one two three')
  const log = following()
  await sees(log, 'one two three')
  truncateSync(path)
  await sees(log, 'one two three|')
  appendFileSync(path, 'four')
  await sees(log, 'one two three|four')
  log.stop()
  await log.ended
})

test('a stream ends with the signal', async () => {
  const stop = new AbortController()
  const stream = new Readable({ read: () => undefined })
  stream.push('one')
  const seen: string[] = []
  const ended = (async () => {
    for await (const piece of readStream(stream, stop.signal)) seen.push(Buffer.from(piece as Uint8Array).toString())
  })()
  await vi.waitFor(() => expect(seen).toEqual(['one']))
  stop.abort()
  await ended
})
