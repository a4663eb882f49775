import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'

const FILE = new URL('../../../../../cli/wiring/watchdog/watch-loop.ts', import.meta.url)
const children: ChildProcess[] = []

/** A process whose loop is watched, and that then does `rest`; it says when it begins with that. */
function watched(boundMs: number, rest: string, ...args: string[]) {
  const source = `
    const { watchLoop } = await import('${FILE}')
    const stop = watchLoop('a test', ${boundMs})
    process.stdout.write('begun')
    ${rest}`
  const child = spawn(process.execPath, [...args, '--input-type=module', '-e', source])
  children.push(child)
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  return { child, exited, begun: once(child.stdout, 'data'), said: () => said }
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test.each([
  ['does one thing for ever', 'function spin() { for (;;); } setTimeout(spin, 50)'],
  ['asks again in microtasks', 'async function spin() { for (;;) await null } setTimeout(spin, 50)'],
])('a process whose loop %s is ended, and it is said where it was', async (_, rest) => {
  const { exited, said } = watched(600, rest)
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(said()).toContain('the event loop of a test')
  expect(said()).toContain('has not turned for 0.6 s')
  expect(said()).toContain('at spin')
})

test('one that is busy goes on, as does one that was stopped for longer than that', async () => {
  const { child, exited, begun, said } = watched(
    1_800,
    `const until = performance.now() + 5_000
    while (performance.now() < until) {
      for (const turn = performance.now() + 100; performance.now() < turn; );
      await new Promise(setImmediate)
    }
    await stop()`,
  )
  await begun
  child.kill('SIGSTOP')
  await sleep(2_500)
  child.kill('SIGCONT')
  expect(await exited).toEqual([0, null])
  expect(said()).toBe('')
})

test('one that a debugger may hold goes on', async () => {
  const rest = 'for (const until = performance.now() + 2_000; performance.now() < until; ); await stop()'
  const { exited } = watched(600, rest, '--inspect=127.0.0.1:0')
  expect(await exited).toEqual([0, null])
})

test('a watch keeps no process from its end', async () => {
  expect(await watched(60_000, '').exited).toEqual([0, null])
})
