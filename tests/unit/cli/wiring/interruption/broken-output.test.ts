import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { endWithOutput, outputWritten } from '../../../../../cli/wiring/interruption/broken-output.ts'

/** What ends the process and what is said when an output fails. */
function failing(name: 'stdout' | 'stderr', code: string): { codes: number[]; said: string } {
  const seen = { codes: [] as number[], said: '' }
  const stdout = new EventEmitter()
  const stderr = Object.assign(new EventEmitter(), {
    write(text: string) {
      seen.said += text
    },
  })
  endWithOutput({ stdout, stderr }, (exitCode) => void seen.codes.push(exitCode))
  const error = Object.assign(new Error(`write ${code}`), { code })
  ;(name === 'stdout' ? stdout : stderr).emit('error', error)
  return seen
}

describe('an output that cannot be written', () => {
  test('ends the process without a word where its reader has ended, with the exit code of SIGPIPE', () => {
    expect(failing('stdout', 'EPIPE')).toEqual({ codes: [141], said: '' })
    expect(failing('stderr', 'EPIPE')).toEqual({ codes: [141], said: '' })
  })

  test('is named in one line for any other reason, without a stack', () => {
    expect(failing('stdout', 'ENOSPC')).toEqual({
      codes: [1],
      said: 'harrier: the output cannot be written: write ENOSPC\n',
    })
    expect(failing('stderr', 'EIO')).toEqual({ codes: [1], said: '' })
  })

  test('is seen before the process ends, when it is waited for', async () => {
    const codes: number[] = []
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    })
    endWithOutput({ stdout, stderr: new Writable() }, (exitCode) => void codes.push(exitCode))
    stdout.write('a line')
    await outputWritten()
    expect(codes).toEqual([141])
  })
})
