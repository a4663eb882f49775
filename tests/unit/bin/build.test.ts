import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../builders/infra/image.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const run = promisify(execFile)
const { currentBuild } = (await import(join(ROOT, 'bin/built.js'))) as { currentBuild(root?: string): string | null }

const folder = ownFolder('build')

const AT = 1_700_000_000_000

/** A checkout of two sources, built at `AT`, of which the second was changed so many milliseconds later. */
function checkout(name: string, later: number): string {
  const root = join(folder, name)
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const [file, at] of [
    ['a.ts', AT - 1000],
    ['b.ts', AT + later],
  ] as const) {
    writeFileSync(join(root, file), '')
    utimesSync(join(root, file), at / 1000, at / 1000)
  }
  writeFileSync(
    join(root, 'dist/current.json'),
    JSON.stringify({ folder: 'one', at: AT, inputs: ['a.ts', 'b.ts'], packages: [] }),
  )
  return root
}

test('a build starts while no file that it was made of is newer, gone or unreadable', () => {
  const fresh = checkout('fresh', -1)
  expect(currentBuild(fresh)).toBe(join(fresh, 'dist/one'))
  expect(currentBuild(checkout('changed', 1))).toBeNull()
  expect(currentBuild(checkout('changed at the same time', 0))).toBeNull()
  rmSync(join(fresh, 'b.ts'))
  expect(currentBuild(fresh)).toBeNull()
  expect(currentBuild(join(folder, 'nothing'))).toBeNull()
  writeFileSync(join(fresh, 'dist/current.json'), '{"folder":"one"')
  expect(currentBuild(fresh)).toBeNull()
})

/** Runs `harrier` in `root` on a file that is not there, and returns the stack that it prints. */
async function stackOf(root: string): Promise<string> {
  const args = [
    join(root, 'bin/harrier.js'),
    'feed',
    'import',
    join(folder, 'absent'),
    '--format',
    'tsv',
    '--feed',
    'x',
  ]
  const env = { ...process.env, HARRIER_LOG_LEVEL: 'debug', HARRIER_DATA_DIR: join(folder, 'data') }
  const ended = await run(process.execPath, args, { env }).catch((error: { stderr: string }) => error)
  return ended.stderr
}

/** What the line of a source says that the first entry of a stack names. */
function sourceLine(stack: string): string {
  const [, file, line] = /(\/[^\s():]+\.ts):(\d+):\d+/.exec(stack) ?? []
  expect(stack).toContain('no such file or folder')
  return readFileSync(file!, 'utf8').split('\n')[Number(line) - 1]!
}

beforeAll(() => run(process.execPath, [join(ROOT, 'bin/build.js')]), 120_000)

test('the stack of an error in a build names the file and the line of the source', async () => {
  expect(currentBuild()).not.toBeNull()
  expect(sourceLine(await stackOf(ROOT))).toMatch(/no such file or folder|new \w*Error/)
})

test('a checkout without a build runs its sources', async () => {
  const root = join(folder, 'sources')
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  for (const room of ['api', 'cli', 'connectors', 'pipelines', 'platform', 'schemas', 'node_modules'])
    symlinkSync(join(ROOT, room), join(root, room))
  expect(currentBuild(root)).toBeNull()
  expect(sourceLine(await stackOf(root))).toMatch(/no such file or folder|new \w*Error/)
})

test('a build has the licenses of the packages inside of it', () => {
  const licenses = readFileSync(join(currentBuild()!, 'licenses.txt'), 'utf8')
  for (const name of ['koa', 'kysely', 'pino', 'typebox'])
    expect(licenses).toMatch(new RegExp(`^${name} \\d.*: MIT$`, 'm'))
})

test('a build makes the folder of the accounts from a copy with all migrations', async () => {
  const made = join(folder, 'accounts')
  await run(process.execPath, [join(currentBuild()!, 'make-folder.js'), made])
  const database = await PGlite.create({ dataDir: made })
  const { rows } = await database.query<{ name: string }>('SELECT max(name) AS name FROM kysely_migration')
  await database.close()
  expect(rows[0]!.name).toBe(
    readdirSync(join(ROOT, 'connectors/postgres/migrations')).sort().at(-1)!.replace('.ts', ''),
  )
}, 60_000)
