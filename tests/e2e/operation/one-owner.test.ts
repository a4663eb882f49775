import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt } from '../../builders/platform/attempt.ts'
import { filled, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { mayUnshare, UNSHARE } from '../../builders/platform/system/namespace.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** A data folder has one owner, in whatever namespace others start; what it acknowledged survives them and its own death. */

const folder = ownFolder()
const dataDir = join(folder, 'data')
const ELSEWHERE = { CLICKHOUSE_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
const users: string[] = []
let platform: Platform

const acknowledged = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const { status, body } = await platform.ask('/auth/v2/admin/user', { email: `u${users.length}@example.com` })
    expect(status).toBeLessThan(300)
    users.push(body.userID ?? body.id)
  }
}

/** Every entry under these, with its time, mode, size and content. */
const listed = (...roots: string[]): string[] =>
  roots.flatMap((path) => {
    const stat = lstatSync(path, { bigint: true })
    const content = stat.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
    const line = `${path} ${stat.ino} ${stat.mtimeNs} ${stat.mode} ${stat.size} ${content}`
    return stat.isDirectory() ? [line, ...listed(...readdirSync(path).map((name) => join(path, name)))] : [line]
  })

/** All but what other processes of the platform write meanwhile, and lock files: reading them here would do no harm. */
const quiet = (): string[] =>
  listed(...readdirSync(dataDir).flatMap((name) => (/^(log|clickhouse)$/.test(name) ? [] : [join(dataDir, name)])))

/** Asks a port that is free so far whether it is ready, over and over, as a load balancer does. */
async function probed() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const statuses: (number | string)[] = []
  let asking = true
  const loop = (async () => {
    for (; asking; await sleep(20))
      statuses.push(
        await fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
  })()
  const stop = async () => {
    asking = false
    await loop
    return statuses
  }
  return { port, stop }
}

beforeAll(async () => {
  await filled(dataDir)
  chmodSync(dataDir, 0o755)
  chmodSync(join(dataDir, 'accounts'), 0o777)
  platform = await startPlatform(dataDir)
  await acknowledged(20)
})
afterAll(() => platform?.stop())

test('a folder that was open to other users is closed at the start, with one line in the log', () => {
  const open = execFileSync('find', [dataDir, '-maxdepth', '1', '-perm', '/077'], { encoding: 'utf8' })
  expect(open).toBe('')
  expect(execFileSync('find', [join(dataDir, 'log'), '-perm', '/077'], { encoding: 'utf8' })).toBe('')
  expect(platform.output().match(/was readable by other users; its file modes were restricted/g)).toHaveLength(1)
})

test.skipIf(!mayUnshare())(
  'a second start in another PID namespace is refused at once, changes nothing, and every acknowledged user is kept',
  async () => {
    // The first does nothing meanwhile, so that whatever changes is the work of the second.
    process.kill(platform.pid, 'SIGSTOP')
    const before = quiet()
    const elsewhere: Record<string, string>[] = [{}, { CLICKHOUSE_URL: ELSEWHERE.CLICKHOUSE_URL }]
    for (const env of elsewhere) {
      const { code, printed } = await attempt({ HARRIER_DATA_DIR: dataDir, ...env }, ['up'], UNSHARE)
      expect(printed).toMatch(`harrier: ${dataDir} is in use by process ${platform.pid} on host`)
      expect([code, printed.trim().split('\n')]).toEqual([1, [expect.any(String)]])
    }
    expect(quiet()).toEqual(before)
    process.kill(platform.pid, 'SIGCONT')

    await acknowledged(20)
    await platform.kill()
    platform = await startPlatform(dataDir)
    for (const id of users) expect((await platform.ask(`/auth/v2/admin/user/${id}`)).status).toBe(200)
    expect(users).toHaveLength(40)
  },
  240_000,
)

test.skipIf(!mayUnshare()).each([
  ['observe', []],
  ['follow', []],
  ['scan-worker', []],
  ['lifecycle', []],
  ['lag', []],
  ['dead-letters', ['list']],
])('%s in another PID namespace is refused: the log is in use', async (role, args) => {
  const { code, printed } = await attempt({ HARRIER_DATA_DIR: dataDir, ...ELSEWHERE }, [role, ...args], UNSHARE)
  expect(printed).toContain(`${join(dataDir, 'log')} is in use by processes of another container or PID namespace`)
  expect(code).toBe(1)
})

test.skipIf(!mayUnshare())(
  'doctor in another namespace opens no accounts of a platform that it cannot ask',
  async () => {
    const env = { HARRIER_DATA_DIR: dataDir, HARRIER_URL: 'http://127.0.0.1:1' }
    const { code, printed } = await attempt(env, ['doctor'], UNSHARE)
    expect(printed).toMatch(`${join(dataDir, 'accounts')} is in use by process ${platform.pid}`)
    expect(code).toBe(1)
  },
)

test('a copy taken while it ran is refused by every role with what to do; one taken after a stop starts', async () => {
  const hot = join(folder, 'hot')
  execFileSync('cp', ['-a', dataDir, hot])
  for (const args of [['up'], ['doctor'], ['lag']]) {
    const { code, printed } = await attempt({ HARRIER_DATA_DIR: hot }, args)
    expect(printed).toMatch(`harrier: ${hot} is a copy of a data folder in use`)
    expect(code).toBe(1)
  }
  rmSync(hot, { recursive: true })

  expect(await platform.stop()).toBe(0)
  expect(existsSync(join(dataDir, 'running.json'))).toBe(false)
  const cold = join(folder, 'cold')
  execFileSync('cp', ['-a', dataDir, cold])
  const { port, stop } = await probed()
  platform = await startPlatform(cold, { PORT: String(port), HARRIER_LOG_LEVEL: 'info' })
  const statuses = await stop()
  expect(statuses[0]).not.toBe(200)
  expect(platform.output()).not.toMatch(/"level":[56]0/)
  expect(platform.output()).toContain('Harrier is up')
  expect((await platform.ask(`/auth/v2/admin/user/${users[39]}`)).status).toBe(200)
}, 240_000)
