/** The thread of watch-loop.ts. */

import { readFileSync, writeSync } from 'node:fs'
import inspector from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { CELLS, LOOKS, type Watched } from './watch-loop.ts'

const { role, lookMs, cells } = workerData as Watched
/** How long the main thread may take to say what it does, milliseconds. */
const SAID_MS = 1_000
const FRAMES = 12
/** The stream of this thread goes through the loop that does not turn. */
const STDERR = 2

let seen = Atomics.load(cells, CELLS.ticks)
let missed = 0
let looked = performance.now()

setInterval(() => {
  const now = performance.now()
  // By its own clock: the process was stopped, the machine slept, or neither thread got a processor.
  const isLate = now - looked > 2 * lookMs
  looked = now
  const ticks = Atomics.load(cells, CELLS.ticks)
  missed = ticks !== seen || isLate || isDebugged() ? 0 : missed + 1
  seen = ticks
  if (missed === LOOKS) end()
}, lookMs)

/** By a debugger of JavaScript or of machine code, which holds the loop for as long as a person thinks. */
function isDebugged(): boolean {
  if (Atomics.load(cells, CELLS.isDebugged) === 1 || inspector.url() !== undefined) return true
  try {
    return !/^TracerPid:\s+0$/m.test(readFileSync('/proc/self/status', 'utf8'))
  } catch {
    // Only Linux says it here.
    return false
  }
}

function end(): void {
  const seconds = Math.round((LOOKS * lookMs) / 100) / 10
  const leave = (doing: string): void => {
    writeSync(
      STDERR,
      `harrier: the event loop of ${role} (process ${process.pid}) has not turned for ${seconds} s; the process ends, to be started again. ${doing}\n`,
    )
    process.kill(process.pid, 'SIGKILL')
  }
  setTimeout(leave, SAID_MS, 'What it does is not known.')
  const session = new inspector.Session()
  session.connectToMainThread()
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.slice(0, FRAMES)
    const lines = frames.map(
      ({ functionName, url, location }) =>
        `    at ${functionName || '(anonymous)'} (${url}:${location.lineNumber + 1})`,
    )
    leave(`It is here:\n${lines.join('\n')}`)
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}
