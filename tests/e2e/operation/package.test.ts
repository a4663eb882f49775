import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../../builders/infra/image.ts'
import { installInto } from '../../builders/infra/packages.ts'
import { type Platform, run } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** The package of a release as its users get it: packed, installed by npm into an empty folder, started through npx. */

const folder = ownFolder()
let platform: Platform | undefined
afterAll(() => platform?.stop())

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

test('the packed release installs, says its version, and starts until it is ready and answers', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  npm(ROOT, 'run', '--silent', 'package')
  // What the manifest names is there, and nothing else: npm fetches nothing, and fails where it misses anything.
  const cwd = join(folder, 'home')
  mkdirSync(cwd)
  installInto(cwd, JSON.parse(readFileSync(join(ROOT, '.cache/package/package.json'), 'utf8')))
  writeFileSync(join(cwd, 'package.json'), '{"private":true}')
  const tarball = join(ROOT, `.cache/harrier-${version}.tgz`)
  npm(cwd, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball)
  const npx = (...args: string[]) =>
    execFileSync('npx', ['--no-install', 'harrier', ...args], { cwd, encoding: 'utf8' })
  expect(npx('--version')).toBe(`${version}\n`)

  const installed = join(cwd, 'node_modules/harrier')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest.version).toBe(version)
  // Anything else is inside of the build, with its license.
  expect(Object.keys(manifest.dependencies)).toContain('lmdb')
  expect(Object.keys(manifest.dependencies)).not.toContain('koa')
  const [build] = readdirSync(join(installed, 'dist'), { withFileTypes: true }).filter((one) => one.isDirectory())
  expect(readFileSync(join(installed, 'dist', build!.name, 'licenses.txt'), 'utf8')).toMatch(/^koa \d.*: MIT\n.*MIT/ms)
  expect(manifest).not.toHaveProperty('private')
  expect(manifest).not.toHaveProperty('scripts')
  const names = execFileSync('find', [
    installed,
    '-name',
    '*.ts',
    '-not',
    '-path',
    '*/node_modules/harrier/node_modules/*',
  ])
  expect(names.toString()).toBe('')

  const program = [process.execPath, join(installed, 'bin/harrier.js')]
  platform = await run(join(folder, 'data'), { HARRIER_LOG_LEVEL: undefined }, 'up', program)
  // What a newcomer reads first is no log.
  expect(platform.output().trimStart()).toMatch(/^Harrier is up\n/)
  const sent = await platform.ask('/api/ingest/v1/entity', { type: 'domain', attributes: { domain: 'example.com' } })
  expect(sent.status).toBe(202)
  for (const path of ['/', '/docs', '/help', '/openapi.json'])
    expect((await fetch(platform.url + path, { headers: { accept: 'text/html, */*' } })).status).toBe(200)
}, 400_000)
