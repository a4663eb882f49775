import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { processOf } from '../../chaos/harness/servers/processes.ts'

/**
 * Promised are 2 s on a quiet machine and 5 s on a busy one, which tests/unit/connectors/history/guard.test.ts measures by itself. Here every process may wait for
 * a busy machine; without the promise a read waits 15 s and more.
 */
const PROMISED_MS = 2_000
const BUSY = 4
const WITHIN_MS = BUSY * PROMISED_MS

/** The history store of a running platform is stopped in the middle of everything, and goes on later. */
const folder = ownFolder()
let platform: Platform
let engine: number

beforeAll(async () => {
  platform = await startPlatform(folder)
  engine = processOf('engine', platform.pid)!
})
afterAll(async () => {
  process.kill(engine, 'SIGCONT')
  await platform.stop()
})

const ip = (n: number): string => `198.51.100.${n}`
const report = (n: number): Promise<Answered> =>
  platform.ask('/api/ingest/v1/entity', {
    type: 'ip',
    attributes: { ip: ip(n) },
    reputation: -2,
    visibleBy: ['public'],
  })
const reported = (body: unknown, path = 'entity') => platform.ask(`/api/ingest/v1/${path}`, body)

const lookUp = (values: readonly string[]) => platform.ask('/api/search/v1/entities/lookup', { values })

/** Every kind of read, each with what it needs. */
const READS: [path: string, body?: unknown][] = [
  ['/api/analytics/v1/overview'],
  ['/api/analytics/v1/recent'],
  ['/api/analytics/v1/attribution'],
  ['/api/analytics/v1/sources'],
  ['/api/search/v1/entities/lookup', { values: [ip(1)] }],
  ['/api/search/v1/entities/simple', { query: ip(1) }],
  ['/api/search/v1/entities/advanced', {}],
  ['/api/search/v1/entities/history/simple', { query: ip(1) }],
  ['/api/search/v1/entities/history/advanced', {}],
]

async function timed(work: Promise<Answered>): Promise<Answered & { took: number }> {
  const from = performance.now()
  const answer = await work
  return { ...answer, took: performance.now() - from }
}

test('while the store is stopped reports are taken and reads fail soon; then everything is found', async () => {
  expect((await report(1)).status).toBe(202)
  await eventually(
    () => lookUp([ip(1)]),
    ({ body }) => body.items === 1,
  )
  process.kill(engine, 'SIGSTOP')

  const first = await Promise.all(READS.map(([path, body]) => timed(platform.ask(path, body))))
  for (const { status, body, headers, took } of first) {
    expect([status, body.error.code]).toEqual([500, 'store_unavailable'])
    expect(headers.get('x-error-id')).toBe(body.error.error_id)
    expect(took).toBeLessThan(WITHIN_MS)
  }

  const taken = await Promise.all(Array.from({ length: 50 }, (_, i) => timed(report(i + 2))))
  expect(taken.filter(({ status }) => status !== 202)).toEqual([])
  expect(Math.max(...taken.map(({ took }) => took))).toBeLessThan(WITHIN_MS)
  const mark = { type: 'domain', attributes: { domain: 'known.example.org' } }
  expect((await reported(mark, 'well-known')).status).toBe(202)

  const late = await Promise.all(READS.map(([path, body]) => timed(platform.ask(path, body))))
  for (const { status, took } of late) expect([status, took < BUSY * 500]).toEqual([500, true])
  const readiness = await timed(platform.ask('/readyz'))
  expect([readiness.status, readiness.body.error.param]).toEqual([503, 'history'])
  expect(readiness.took).toBeLessThan(WITHIN_MS)

  process.kill(engine, 'SIGCONT')
  const from = performance.now()
  await eventually(
    () => lookUp([ip(1)]),
    ({ status }) => status === 200,
    WITHIN_MS,
  )
  expect(performance.now() - from).toBeLessThan(WITHIN_MS)
  const values = Array.from({ length: 51 }, (_, i) => ip(i + 1))
  await eventually(
    () => lookUp(values),
    ({ body }) => body.items === values.length,
  )
})

test('a relation, which needs to be looked up first, and readiness are answered soon where a store just stopped', async () => {
  const [one, other] = (await lookUp([ip(1), ip(2)])).body.results.map(
    (r: { entities: { id: string }[] }) => r.entities[0]!.id,
  )
  process.kill(engine, 'SIGSTOP')
  await sleep(100)
  const [relation, readiness] = await Promise.all([
    timed(reported({ entityID: one, relatedEntityID: other, mode: 'association' }, 'association')),
    timed(platform.ask('/readyz')),
  ])
  process.kill(engine, 'SIGCONT')
  expect([relation.status, relation.body.error.code]).toEqual([500, 'store_unavailable'])
  expect(relation.took).toBeLessThan(WITHIN_MS)
  expect([readiness.status, readiness.body.error.param]).toEqual([503, 'history'])
  expect(readiness.took).toBeLessThan(WITHIN_MS)
})
