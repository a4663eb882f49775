import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyMade, ROOT } from '../../builders/infra/image.ts'
import { fencesOf, readerIn } from '../../builders/infra/page.ts'
import { unlikeShown } from '../../builders/infra/shown-output.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** The first ten minutes of a newcomer, by the README and nothing else: from a clone to a published list. */
const folder = ownFolder('readme')
const clone = join(folder, 'harrier')
const [start, ...blocks] = fencesOf('README.md').filter(({ language }) => language !== 'text')
const commands = blocks.filter(({ language }) => language === 'sh')
let platform: ChildProcess

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, clone])
  // What `npm install` brings and what the console and the site are built of takes minutes; it is here already.
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  copyMade(clone)
  cpSync(join(ROOT, 'site/dist'), join(clone, 'site/dist'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) utimesSync(join(clone, name), 0, 0)
  platform = spawn('bash', ['-c', start!.code], {
    cwd: clone,
    env: { ...process.env, PORT: '0', HARRIER_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    platform.once('exit', () => reject(new Error(`make run ended: ${printed}`)))
    for (const stream of [platform.stdout!, platform.stderr!])
      stream.on('data', (text) => {
        printed += text
        if (printed.includes('api-secret')) resolve()
      })
  })
  expect(printed).toContain('Harrier is up')
}, 120_000)

afterAll(async () => {
  if (platform?.pid === undefined || platform.exitCode !== null) return
  const ended = new Promise((resolve) => platform.once('exit', resolve))
  process.kill(-platform.pid, 'SIGTERM')
  await ended
}, 60_000)

test('the README starts with the command that starts the platform, and leads to a published list', async () => {
  expect(start!.code.trim()).toBe('make run')
  expect(commands.length).toBeGreaterThan(5)
  const run = readerIn(clone, {})
  for (const block of commands) {
    const ran = await run(block)
    expect(ran, block.code).toMatchObject({ code: 0 })
    expect(unlikeShown(blocks, block, ran), ran.stdout).toEqual([])
    if (block === commands.at(-1)) expect(ran.stdout).toContain('198.51.100.7')
  }
}, 120_000)
