/** PostgreSQL ends and starts again under load: no process of ours ends, nothing acknowledged is lost. */

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyUrl } from '../../../../cli/wiring/open/open-history.ts'
import { type Engine, startEngine } from '../../../../connectors/history/engine/supervisor.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import { type Running, runRole } from '../../../builders/platform/roles.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'
import { type Answer, post } from '../post.ts'
import { type OwnPostgres, startPostgres } from './postgres.ts'

const CLIENTS = 6
/** Longest time between two restarts. */
const UP_MS = 800
/** Of one answer; without the promise of ADR 281 it would be that of a statement and of a connection. */
const PATIENCE_MS = 20_000
/** After an answer that is a failure: clients do not hammer. */
const AGAIN_MS = 20

/** The test, with as many restarts. */
export function postgresRestarts(rounds: number): void {
  const folder = ownFolder()
  const random = seededRandom(1)
  let postgres: OwnPostgres
  let engine: Engine
  let processes: Running[]

  beforeAll(async () => {
    ;[postgres, engine] = await Promise.all([startPostgres(), startEngine({ dataDir: join(folder, 'clickhouse') })])
    const env = {
      CLICKHOUSE_URL: historyUrl(engine),
      DATABASE_URL: postgres.url,
      HARRIER_DATA_DIR: join(folder, 'data'),
      HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
      HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      HARRIER_LOG_LEVEL: 'info',
    }
    processes = [await runRole('api', env)]
    processes.push(...(await Promise.all(['api', 'lifecycle', 'scan-worker'].map((role) => runRole(role, env)))))
  })
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.kill()))
    await engine.stop()
    postgres.remove()
  })

  const ask = (url: string, path: string, body?: object): Promise<Answer> =>
    post(url + path, { ...(body && { body }), headers: ADMINISTRATOR, patienceMs: PATIENCE_MS })

  /** Makes users and reads them until stopped; every answer that is neither a success nor a failure of ours is a fault. */
  function startLoad(urls: readonly string[]) {
    const acknowledged: string[] = []
    const faults: string[] = []
    const figures = { made: 0, read: 0, failed: 0, slowest: 0 }
    let stopping = false

    const one = async (url: string, path: string, body?: object): Promise<string | null> => {
      const from = performance.now()
      const answer = await ask(url, path, body)
      figures.slowest = Math.max(figures.slowest, performance.now() - from)
      if ('lost' in answer) faults.push(`${path}: ${answer.lost}`)
      else if (answer.status < 300) return answer.body
      else {
        figures.failed++
        const told = JSON.parse(answer.body).error
        if (answer.status < 500 || told.error_id !== answer.errorId || told.code !== 'store_unavailable')
          faults.push(`${path}: ${answer.status} ${answer.body}`)
        await sleep(AGAIN_MS)
      }
      return null
    }

    const run = async (client: number): Promise<void> => {
      for (let n = 0; !stopping; n++) {
        const url = urls[(client + n) % urls.length]!
        const user = { email: `${randomUUID()}@example.com`, roles: [], groups: [] }
        const made = await one(url, '/auth/v2/admin/user', user)
        if (made === null) continue
        figures.made++
        const id = JSON.parse(made).userID as string
        acknowledged.push(id)
        if ((await one(url, `/auth/v2/admin/user/${id}`)) !== null) figures.read++
      }
    }
    const running = Array.from({ length: CLIENTS }, (_, client) => run(client))
    return {
      acknowledged,
      faults,
      figures,
      async stop(): Promise<void> {
        stopping = true
        await Promise.all(running)
      },
    }
  }

  test('no process ends, nothing acknowledged is lost, and answers meanwhile say that a store is away', async () => {
    const urls = processes.filter(({ role }) => role === 'api').map(({ url }) => url)
    const load = startLoad(urls)
    const began = performance.now()
    for (let round = 0; round < rounds; round++) {
      await sleep(random() * UP_MS)
      await postgres.again(round % 2 === 0 ? 'restart' : 'crash')
    }
    for (const { url } of processes)
      await eventually(
        async () => (await ask(url, '/readyz')) as { status?: number },
        ({ status }) => status === 200,
      )
    await load.stop()
    console.log(JSON.stringify({ rounds, seconds: (performance.now() - began) / 1000, ...load.figures }))

    expect(load.faults).toEqual([])
    expect(load.figures.made).toBeGreaterThan(rounds)
    expect(load.figures.failed).toBeGreaterThan(0)
    for (const id of load.acknowledged)
      expect([id, ((await ask(urls[0]!, `/auth/v2/admin/user/${id}`)) as { status?: number }).status]).toEqual([
        id,
        200,
      ])
    // Whoever ended would have another exit code than that of a stop.
    expect(await Promise.all(processes.map((each) => each.stop()))).toEqual(processes.map(() => 0))
  })
}
