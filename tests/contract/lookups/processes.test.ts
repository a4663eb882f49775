import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openEnvironment } from '../../../connectors/lookups/index/environment.ts'
import { indexFolder } from '../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../connectors/lookups/index/open-index.ts'
import { keyedEntry } from '../../builders/lookups/keyed.ts'
import { longer } from '../../builders/platform/longer.ts'
import { eventually } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { entitiesOf, ROOM, seen } from './numbered.ts'

/* Processes that write an index and read it, killed at any moment. */

const folder = indexFolder(join(ownFolder('processes'), 'lookup-index'))
const CHILD = fileURLToPath(new URL('./children/process.ts', import.meta.url))

type Child = { lines: string[]; kill(): Promise<void>; process: ChildProcess }
const running: Child[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.kill()))
})

/** It is under way once it has said something. */
async function start(how: 'read' | 'write'): Promise<Child> {
  const child = spawn(process.execPath, [CHILD, how, folder.root], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let [rest, failure] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    failure += chunk
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const one: Child = {
    lines,
    process: child,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
  running.push(one)
  await goesOn(one, () => failure)
  return one
}

/** Waits until it has said something more. */
async function goesOn({ lines, process }: Child, failure = () => ''): Promise<void> {
  const before = lines.length
  const isOver = (): boolean => process.exitCode !== null
  await eventually(async () => lines.length > before || isOver(), Boolean, 30_000)
  if (isOver()) throw new Error(`it ended: ${failure()}`)
}

const last = ({ lines }: Child): number => Number(lines.at(-1))

test('a writer and its readers may be killed at any moment: what was written is there, whole, and the others go on', async () => {
  const made = indexStore(folder, ROOM, Date.now).begin({ database: 'live', position: 0, applied: [] })
  await made.append(entitiesOf(0), { complete: true })
  made.promote()
  await made.close()
  let writer = await start('write')
  let readers = await Promise.all([start('read'), start('read')])
  for (let round = 0; round < longer(3); round++) {
    for (const one of [...readers, writer]) await goesOn(one)
    const [killed, kept] = round % 2 === 0 ? readers : readers.toReversed()
    await killed!.kill()
    await goesOn(writer)
    await writer.kill()
    await goesOn(kept!)
    // What it said it had written.
    const env = openEnvironment(folder.current()!, null)
    expect(Number(seen(env))).toBeGreaterThanOrEqual(last(writer))
    await env.close()
    for (const { lines } of [killed!, kept!]) {
      expect(lines.filter((line) => !/^\d+$/.test(line))).toEqual([])
      expect(lines.map(Number).every((n, i, all) => i === 0 || n >= all[i - 1]!)).toBe(true)
    }
    const before = last(writer)
    writer = await start('write')
    readers = [kept!, await start('read')]
    await eventually(
      async () => last(kept!),
      (n) => n > before,
      30_000,
    )
  }
})

test('on a full disk nothing of a write is there, and what was written before is; with room again it goes on', async () => {
  const own = indexFolder(join(ownFolder('full'), 'lookup-index'))
  const made = indexStore(own, ROOM, Date.now).begin({ database: 'live', position: 0, applied: [] })
  await made.append(entitiesOf(0), { complete: true })
  made.promote()
  await made.close()
  // A file that may not grow any more is to its writer what a full disk is.
  const limited = `trap '' XFSZ; ulimit -f 1500; exec "$0" "$1" fill "$2"`
  const { stdout, status } = spawnSync('bash', ['-c', limited, process.execPath, CHILD, own.root], { encoding: 'utf8' })
  const lines = stdout.trim().split('\n')
  expect([status, lines.at(-1)]).toEqual([0, expect.stringMatching(/^full: /)])
  const written = lines.at(-2)!
  expect(Number(written)).toBeGreaterThan(0)
  const reader = openEnvironment(own.current()!, null)
  expect(seen(reader)).toBe(written)
  await reader.close()
  const index = indexStore(own, ROOM, Date.now).open()!
  const next = Number(written) + 1
  await index.put(entitiesOf(next).map(keyedEntry), { position: next })
  const again = openEnvironment(own.current()!, null)
  expect(seen(again)).toBe(String(next))
  await again.close()
  await index.close()
})
