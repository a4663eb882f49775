import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FILE = fileURLToPath(new URL('../../../../../cli/wiring/process/until-stopped.ts', import.meta.url))

/** Runs `code` in a child with a channel to this process; the timer keeps the child running as open stores would. */
function child(code: string) {
  const source = `const open = setInterval(() => undefined, 1000)\n${code}\nprocess.stdout.write(why)\nclearInterval(open)`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
}

test('a parent that ends while the process runs ends it', async () => {
  const running = child(`
    const { untilStopped } = await import(${JSON.stringify(FILE)})
    const stopped = untilStopped()
    process.send('running')
    const why = await stopped`)
  await once(running, 'message')
  running.disconnect()
  expect(await text(running.stdout!)).toBe('the parent process ended')
})

test('a parent that ended while the process was starting ends it', async () => {
  const starting = child(`
    const { once } = await import('node:events')
    await once(process, 'disconnect')
    const { untilStopped } = await import(${JSON.stringify(FILE)})
    const why = await untilStopped()`)
  starting.disconnect()
  expect(await text(starting.stdout!)).toBe('the parent process ended')
})
