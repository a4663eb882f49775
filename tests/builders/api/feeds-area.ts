/** The API of feeds over a database in memory, with few quotas, states to set, and what it logs. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import { feedFolder } from '../../../connectors/feed-files/folder.ts'
import type { FeedStatus } from '../../../connectors/history/feeds-out/port.ts'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { kyselyFeedsOut } from '../../../connectors/postgres/feeds-out/feed-store.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { embeddedPeople } from '../accounts/team.ts'
import { apiConfig, startApi } from './api.ts'
import { memoryLists } from './feed-lists.ts'

/** Of every owner. */
export const QUOTA = 5
const quotas = { 'feeds-api': { max_feeds: { value: QUOTA, description: 'feeds' } } }
const TIERS = {
  ...BUILT_IN_TIERS,
  Free: { ...BUILT_IN_TIERS.Free!, quotas },
  Public: { ...BUILT_IN_TIERS.Public!, quotas },
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Called = { status: number; body: any; headers: Headers }

export type FeedsArea = Awaited<ReturnType<typeof feedsArea>>

export async function feedsArea() {
  const people = await embeddedPeople()
  const clock = { now: 1_800_000_000_000 }
  const states = new Map<string, FeedStatus>()
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const lists = memoryLists()
  const statesOf = async (ids: readonly string[]) =>
    new Map([
      ...(await lists.statesOf(ids)),
      ...ids.flatMap((id): [string, FeedStatus][] => (states.has(id) ? [[id, states.get(id)!]] : [])),
    ])
  const folder = mkdtempSync(join(tmpdir(), 'harrier-files-'))
  const files = await feedFolder(folder, { most: 100_000_000, now: () => clock.now })
  const feedsOut = kyselyFeedsOut(people.db, TIERS)
  const quotasOf = kyselyQuotas(people.db, TIERS)
  const logger = pino({ level: 'trace' }, sink)
  const feedPorts = {
    feedsOut,
    feedStates: { statesOf, held: async () => ({ guard: 0, owner: 0 }) },
    feedLists: lists.ports,
    feedFiles: files,
  }
  const ports = { ...people, ...feedPorts, quotas: quotasOf, now: () => clock.now, logger }
  const api = await startApi(ports, { ...apiConfig, tiers: TIERS })
  return {
    people,
    clock,
    states,
    lists,
    files,
    url: `${api.url}/api/feeds/v1`,
    feedsOut,
    /** Everything that was logged. */
    lines,
    async call(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Called> {
      const response = await fetch(`${api.url}/api/feeds/v1${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
    },
    async close(): Promise<void> {
      await api.close()
      await people.close()
      files.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
