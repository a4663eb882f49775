/**
 * SIGKILL of the platform while scans run: every task ends, its results are on the log once, its webhook tells one end
 * under one id. HARRIER_CHAOS_SEED to repeat a run.
 */

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { seededRandom } from '../../../../platform/random.ts'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { observationsOf, replayed } from '../../../builders/intelligence/replay/replay.ts'
import { receiver } from '../../../builders/network/receiver.ts'
import { defaultRules, logOf } from '../../../builders/platform/data-folder.ts'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../../builders/platform/platform.ts'

const ENDS_MS = 180_000

const PATH = '/api/ingest/v1/scan'
type Told = { id: string; target: string; status: string; entities: number }

/** The test, with as many kills, and scans before each. */
export function killsUnderScans(rounds: number, scans: number): void {
  const random = seededRandom(Number(process.env.HARRIER_CHAOS_SEED ?? 1))
  const dataDir = temporaryFolder()

  /** Takes its time, so that a kill finds scans that run; a connection says that one runs. */
  const greeting = createServer((socket) => {
    socket.on('error', () => undefined)
    setTimeout(() => socket.end(`SSH-2.0-OpenSSH_9.2p1 at-${socket.localAddress}\r\n`), 1_000)
  })
  afterAll(() => {
    greeting.close()
    remove(dataDir)
  })

  test(
    `${rounds} kills under a load of scans lose none, repeat no result and tell no end twice`,
    async () => {
      greeting.listen(0, '0.0.0.0')
      await once(greeting, 'listening')
      const hook = await receiver((response) => response.end())
      const env = {
        HARRIER_SCAN_ALLOW_PRIVATE: 'true',
        HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
        HARRIER_SCAN_PORTS: String((greeting.address() as AddressInfo).port),
      }
      let platform = await startPlatform(dataDir, env)
      const user = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
      const ids: string[] = []
      const exposed = async () => await metricsOf(platform.url)
      for (let round = 0; round < rounds; round++) {
        const targets = Array.from({ length: scans }, (_, i) => `127.0.${round + 1}.${i + 1}`)
        const running = once(greeting, 'connection')
        const asked = await Promise.all(
          targets.map((target) => platform.ask(PATH, { target, webhook: { url: hook.url } }, user.headers)),
        )
        expect(asked.map(({ status }) => status)).toEqual(targets.map(() => 202))
        ids.push(...asked.map(({ body }) => body.id as string))
        // The first time while some run, which takes a second; then at any moment, also just after they have ended.
        await running
        await sleep(random() * (round === 0 ? 300 : 1_500))
        await platform.kill()
        platform = await startPlatform(dataDir, env)
      }
      const shown = async (id: string) => (await platform.ask(`${PATH}/${id}`, undefined, user.headers)).body
      const tasks = []
      for (const id of ids)
        tasks.push(
          await eventually(
            () => shown(id),
            ({ webhook }) => webhook.state === 'delivered',
            ENDS_MS,
          ),
        )
      await eventually(exposed, (text) => /^harrier_outbox_pending 0$/m.test(text))
      expect(await platform.stop()).toBe(0)
      await hook.close()

      const told = Map.groupBy(hook.received, ({ body }) => (JSON.parse(body.toString()) as Told).id)
      const log = await logOf(dataDir)
      const observations = await observationsOf(log)
      await log.close()
      const bySubmission = Map.groupBy(observations, ({ observation }) => observation.submissionId)
      const retried = tasks.filter(({ retries }) => retries > 0).length
      console.log(
        JSON.stringify({ rounds, tasks: tasks.length, retried, webhooks: hook.received.length }),
        JSON.stringify({ observations: observations.length, submissions: bySubmission.size }),
      )
      let entities = 0
      for (const task of tasks) {
        expect(['done', 'permanent_failure']).toContain(task.status)
        const calls = told.get(task.id)!
        expect(new Set(calls.map(({ headers }) => headers['x-harrier-delivery'])).size).toBe(1)
        for (const { body } of calls)
          expect(JSON.parse(body.toString())).toMatchObject({ status: task.status, entities: task.entities })
        entities += task.entities
      }
      expect(tasks.filter(({ status }) => status === 'done').length).toBeGreaterThan(0)
      expect(retried).toBeGreaterThan(0)
      // A relay that died may have sent an observation twice; never another one for the same scan.
      const distinct = new Map(observations.map(({ observation }) => [observation.id, JSON.stringify(observation)]))
      expect(distinct.size).toBe(entities)
      expect(
        observations.filter(({ observation }) => distinct.get(observation.id) !== JSON.stringify(observation)),
      ).toEqual([])
      expect(bySubmission.size).toBe(tasks.filter((task) => task.entities > 0).length)
      const kept = replayed(observations, defaultRules()).history.map((row) => JSON.parse(row)[0])
      expect(new Set(kept).size).toBe(kept.length)
    },
    ENDS_MS + rounds * 90_000,
  )
}
