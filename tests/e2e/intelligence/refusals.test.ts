import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { registryRules } from '../../../connectors/registry/compatibility-rules.ts'
import { embeddedRegistry } from '../../../connectors/registry/embedded/registry-server.ts'
import { registryAddress } from '../../../connectors/registry/registry-address.ts'
import { attempt } from '../../builders/platform/attempt.ts'
import { eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

// Starts of whole platforms, several in a test.
vi.setConfig({ testTimeout: 120_000 })

const SUBJECT = 'entity.observations-value'

/** As an older release let any user of the machine do it. */
async function spoilLevel(dataDir: string): Promise<void> {
  const registry = await embeddedRegistry({ folder: join(dataDir, 'log') })
  await registryRules(registry.url).set(SUBJECT, 'FULL')
  await registry.close()
}

/** One folder through all of it: every start that a test can do without costs some seconds. */
const folder = ownFolder()
const dataDir = join(folder, 'data')
let platform: Platform
let reported = 0

beforeAll(async () => {
  platform = await startPlatform(dataDir)
})
afterAll(() => platform?.stop())

describe('a start that cannot be', () => {
  test('on a data folder in use: refused at once with the process that has it, which goes on', async () => {
    const { code, printed, took } = await attempt({ HARRIER_DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(printed).toMatch(`in use by process ${platform.pid}`)
    expect(printed.trim().split('\n')).toHaveLength(1)
    // Most of it is the start of the program itself, on a busy machine.
    expect(took).toBeLessThan(20_000)
    expect((await platform.ask('/readyz', undefined, null)).status).toBe(200)
  })

  test('is not brought about by another user of the machine: its registry takes no writes without the secret', async () => {
    const file = join(dataDir, 'registry.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string }
    const outside = registryRules(registryAddress(url).host)
    expect(await outside.level(SUBJECT)).toBe('BACKWARD')
    await expect(outside.set(SUBJECT, 'FULL')).rejects.toThrow('(status 401)')
    await expect(registryRules(url).set(SUBJECT, 'FULL')).rejects.toThrow('(status 403)')
  })

  test('with a bad configuration: every fault in one answer, no secret in it', async () => {
    const { code, printed } = await attempt({
      PORT: '99999',
      HARRIER_DEDUPE_WINDOW: 'soon',
      HARRIER_ADMIN_KEY: 'short-secret',
      HARRIER_LOG_LEVEL: 'loud',
      CLICKHOUSE_URL: 'ftp://x',
      HARRIER_DATA_DIR: join(folder, 'never'),
    })
    expect(code).toBe(1)
    for (const name of ['PORT', 'HARRIER_DEDUPE_WINDOW', 'HARRIER_ADMIN_KEY', 'HARRIER_LOG_LEVEL', 'CLICKHOUSE_URL'])
      expect(printed).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    expect(printed).not.toContain('short-secret')
  })

  test('on a path that is a file: refused with the path', async () => {
    const { code, printed } = await attempt({ HARRIER_DATA_DIR: fileURLToPath(import.meta.url) })
    expect(code).toBe(1)
    expect(printed).toContain('refusals.test.ts')
  })
})

describe('SIGTERM', () => {
  test('answers what was accepted, and ends with 0 within 10 s', async () => {
    const statuses: number[] = []
    const ends: string[] = []
    let accepting = true
    const client = async (n: number): Promise<void> => {
      for (let i = 0; accepting; i++) {
        const domain = `n${n}-${i}.example.com`
        const sent = platform.ask('/api/ingest/v1/entity', { type: 'domain', attributes: { domain } })
        const answer = await sent.catch((error: Error & { cause?: { code?: string } }) => error.cause?.code ?? 'lost')
        if (typeof answer !== 'string') statuses.push(answer.status)
        else {
          ends.push(answer)
          return
        }
      }
    }
    const clients = Array.from({ length: 8 }, (_, n) => client(n))
    await eventually(
      async () => statuses.length,
      (n) => n > 100,
    )
    const began = performance.now()
    const code = await platform.stop()
    const took = performance.now() - began
    accepting = false
    await Promise.all(clients)
    expect(code).toBe(0)
    expect(took).toBeLessThan(10_000)
    expect(new Set(statuses)).toEqual(new Set([202]))
    // A connection that was never accepted may be refused; an accepted one that is cut off would say so.
    expect(new Set(ends)).toEqual(new Set(['ECONNREFUSED']))
    reported = statuses.length
  })

  test('and a start on a port in use, which is refused with what to do, leave the folder free and whole', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { code, printed } = await attempt({ HARRIER_DATA_DIR: dataDir, PORT: String(port) })
    server.close()
    expect(code).toBe(1)
    expect(printed).toMatch(`port ${port} on 127.0.0.1 is in use; stop the process that listens there, or set PORT`)
    await spoilLevel(dataDir)
    platform = await startPlatform(dataDir)
    // A level of the registry that was changed from outside keeps nothing from starting, and is told.
    expect(platform.output()).toContain('"subject":"entity.observations-value","was":"FULL"')
    expect(reported).toBeGreaterThan(100)
    await eventually(
      async () => (await platform.ask('/api/analytics/v1/overview')).body.total_entities,
      (total) => total === reported,
    )
    expect(await platform.stop()).toBe(0)
  })
})
