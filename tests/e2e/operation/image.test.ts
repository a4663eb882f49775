import { execFileSync, spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyInto, copyMade, linkProduction, ROOT, stages } from '../../builders/infra/image.ts'
import { eventually, filled, type Platform, run } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { once } from '../../clients/once.ts'

/** The roles from exactly the files that the Dockerfile copies, with packages for production alone. */

const folder = ownFolder()
/** Made once in a run: stages with and without servers start it. */
const made = join(process.env.TEST_TEMPLATE ?? folder, 'image')
const image = join(made, 'image')
const dataDir = join(folder, 'data')
const command = [process.execPath, join(image, 'bin/harrier.js')]
const platforms: Platform[] = []

const start = async (role: 'up' | 'api', env: Record<string, string> = {}): Promise<Platform> => {
  // An image cannot be written to.
  const platform = await run(dataDir, { NODE_ENV: 'production', ...env }, role, command)
  platforms.push(platform)
  return platform
}

async function reported(platform: Platform, domain: string): Promise<void> {
  const sent = await platform.ask('/api/ingest/v1/entity', { type: 'domain', attributes: { domain }, reputation: -1 })
  expect(sent.status).toBe(202)
  const found = await eventually(
    () => platform.ask('/api/search/v1/entity', { type: 'domain', value: domain }),
    ({ status }) => status === 200,
  )
  expect(found.body).toMatchObject({ id: sent.body.id, reputation: -1 })
}

async function make(): Promise<void> {
  const [building, final] = [stages().find(({ name }) => name === 'build')!, stages().at(-1)!]
  const built = join(made, 'build')
  copyInto(built, building)
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'))
  // That the other files are enough to build with is what can be forgotten.
  copyMade(built)
  for (const program of building.programs) execFileSync(process.execPath, [program], { cwd: built, stdio: 'inherit' })
  for (const { from, sources, target } of final.copies)
    if (from === 'build')
      cpSync(join(built, sources[0]!.replace('/harrier/', '')), join(image, target), { recursive: true })
  linkProduction(image)
  rmSync(built, { recursive: true })
}

beforeAll(async () => {
  // Below a checkout, packages that the image lacks would be found in that one's.
  expect(relative(ROOT, made)).toMatch(/^\.\./)
  await once(made, make)
  await filled(dataDir)
})
afterAll(async () => {
  for (const platform of platforms.reverse()) await platform.stop()
})

test('`up` is ready, takes a report and answers it, with its console and its documents', async () => {
  const platform = await start('up')
  expect((await platform.ask('/readyz', undefined, null)).status).toBe(200)
  await reported(platform, 'up.example.com')
  for (const [path, words] of [
    ['/', /<script/],
    ['/docs', /swagger-ui-bundle/],
    ['/docs/swagger-ui-bundle.js', /SwaggerUIBundle/],
    ['/openapi.json', /"openapi"/],
    ['/help/operate/runbooks/lag/', /<h1/],
    ['/help/assets/search.js', /MiniSearch/],
  ] as const) {
    const answer = await fetch(platform.url + path, { headers: { accept: 'text/html, */*' } })
    expect([path, answer.status]).toEqual([path, 200])
    expect(await answer.text()).toMatch(words)
  }
}, 240_000)

test('`edge` listens without a platform, says that it does not know, and ends', async () => {
  const [program, ...words] = command
  const feed = ['--feed', '0199d3a4-5b6c-7d8e-9f00-112233445566', '--data', join(folder, 'edge')]
  const edge = spawn(program!, [...words, 'edge', ...feed, '--listen', 'http://127.0.0.1:0'], {
    env: {
      ...process.env,
      HARRIER_URL: 'http://127.0.0.1:1',
      HARRIER_API_KEY: 'key-of-sixteen-letters',
      HARRIER_API_SECRET: 'secret-of-sixteen-letters',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    edge.stdout.on('data', (piece) => (said += piece))
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/answers at .*no list yet/s)
    const answer = await fetch(`http://127.0.0.1:${/answers at http:.*:(\d+)$/m.exec(said)![1]}/v1/198.51.100.1`)
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'stale' } }])
    edge.kill()
    expect(await event(edge, 'exit')).toEqual([0, null])
  } finally {
    edge.kill('SIGKILL')
  }
}, 60_000)

const { DATABASE_URL, CLICKHOUSE_URL } = process.env
if (!DATABASE_URL) console.log('skipped: the role api needs DATABASE_URL')

test.skipIf(!DATABASE_URL)(
  '`api` is ready beside it, takes a report and answers it',
  async () => {
    const engine = join(dataDir, 'clickhouse.json')
    const url = CLICKHOUSE_URL ?? (existsSync(engine) ? JSON.parse(readFileSync(engine, 'utf8')).url : '')
    const platform = await start('api', { CLICKHOUSE_URL: url })
    expect((await platform.ask('/readyz', undefined, null)).status).toBe(200)
    await reported(platform, 'api.example.com')
  },
  240_000,
)
