/** A platform whose index of look-ups is struck in every way, under reports and questions (decisions 18.4, 18.6). */

import { randomInt } from 'node:crypto'
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { processOf } from '../../chaos/harness/servers/processes.ts'
import { newUserOf, type User } from '../accounts/users.ts'
import { command } from '../platform/command.ts'
import { lag } from '../platform/lag.ts'
import { eventually, type Platform, remove, startPlatform, temporaryFolder } from '../platform/platform.ts'

const REPUTATION = '/api/search/v1/reputation'
const GROUP = 'red-team'
/** Reported for the group alone. */
const SECRET = Array.from({ length: 20 }, (_, i) => `secret-${i}.example`)
const VALUES = 400
/** A name that gets one tag after another: who is told fewer than before was told an older answer. */
const GROWING = 'growing.example'

const cast = (n: number): number => randomInt(n)

function reportOf(n: number): object {
  const i = n % VALUES
  const kinds = [
    { type: 'ip', attributes: { ip: `203.0.${113 + (i % 3)}.${i % 256}` } },
    { type: 'domain', attributes: { domain: `name-${i % 60}.example` } },
    { type: 'hostname', attributes: { hostname: `www.name-${i}.example` } },
    { type: 'url', attributes: { url: `http://name-${i % 60}.example/${i}` } },
    { type: 'cidr', attributes: { cidr: `203.0.${113 + (i % 3)}.${(i % 16) * 16}/${28 - (i % 4)}` } },
  ]
  const visibleBy = cast(3) === 0 ? [GROUP] : ['public']
  return { ...kinds[i % kinds.length], reputation: cast(7) - 3, tags: [`t${cast(5)}`], visibleBy }
}

const lines = (reports: readonly object[]): string => reports.map((one) => `${JSON.stringify(one)}\n`).join('')

async function report(platform: Platform, by: User, reports: readonly object[]): Promise<void> {
  const answer = await fetch(`${platform.url}/api/ingest/v1/entities`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...by.headers },
    body: lines(reports),
  })
  const last = (await answer.text()).trimEnd().split('\n').at(-1)
  if (last !== JSON.stringify({ accepted: reports.length, rejected: 0 })) throw new Error(`reported: ${last}`)
}

type Strike = { name: string; strike(platform: Platform): Promise<Platform> }

const kill = (victim: 'follow' | 'jobs'): Strike => ({
  name: `kill ${victim}`,
  async strike(platform) {
    const pid = processOf(victim, platform.pid)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    return platform
  },
})

const indexesOf = ({ dataDir }: Platform): string[] =>
  readdirSync(join(dataDir, 'lookup-index'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(dataDir, 'lookup-index', entry.name)] : [],
  )

/** Ends the platform, changes what lies in its folder, and starts it again. */
const whileStopped = (name: string, change: (platform: Platform) => void, ends: 'stop' | 'kill' = 'stop'): Strike => ({
  name,
  async strike(platform) {
    await platform[ends]()
    change(platform)
    return startPlatform(platform.dataDir)
  },
})

const STRIKES: readonly Strike[] = [
  kill('follow'),
  whileStopped('kill all', () => undefined, 'kill'),
  {
    name: 'remove the folder',
    async strike(platform) {
      rmSync(join(platform.dataDir, 'lookup-index'), { recursive: true, force: true })
      return platform
    },
  },
  whileStopped('half a file', (platform) => {
    for (const index of indexesOf(platform)) truncateSync(join(index, 'data.mdb'), 4096 * 3)
  }),
  whileStopped('garbage', (platform) => {
    for (const index of indexesOf(platform)) writeFileSync(join(index, 'data.mdb'), Buffer.alloc(65_536, 7))
  }),
  {
    name: 'rebuild',
    async strike(platform) {
      const ended = await command(platform.dataDir, 'lookup-index', 'rebuild')
      if (ended.code !== 0) throw new Error(`rebuild ended with ${ended.code}: ${ended.stderr}`)
      return platform
    },
  },
  kill('jobs'),
  kill('follow'),
]

/** What a caller is told of a value, while everything goes on. */
type Watched = { known: boolean; tags: string[] }

/**
 * After each strike, once all is applied, index and store are the same, and each caller is told of an entity what
 * `entities/lookup` shows. Meanwhile nobody is told of what it may not read, nor of less than before.
 */
export function strikesOfIndex(rounds: number): void {
  test(
    `an index of look-ups that is struck ${rounds} times says what the store says`,
    async () => {
      const folder = temporaryFolder()
      let platform = await startPlatform(folder)
      const faults: string[] = []
      let told = 0
      let answered = { index: 0, store: 0 }
      let ended = false
      try {
        const reporter = await newUserOf(platform, { roles: ['user', 'reporter'], groups: [GROUP, 'public'] })
        const outsider = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
        const callers: Record<string, Record<string, string> | null> = {
          anonymous: null,
          outsider: outsider.headers,
          reporter: reporter.headers,
        }
        await report(
          platform,
          reporter,
          SECRET.map((domain) => ({ type: 'domain', attributes: { domain }, reputation: -3, visibleBy: [GROUP] })),
        )

        const ask = async (value: string, as: Record<string, string> | null): Promise<Watched | null> => {
          const answer = await platform.ask(`${REPUTATION}/${value}`, undefined, as).catch(() => null)
          if (answer === null || answer.status !== 200) return null
          answered[answer.headers.get('x-answered-by') as 'index' | 'store']++
          return answer.body
        }
        let said = 0
        const reporting = (async () => {
          while (!ended) {
            const tags = Array.from({ length: 1 }, () => `n${said}`)
            const growing = { type: 'domain', attributes: { domain: GROWING }, reputation: -1, tags }
            await report(platform, reporter, [
              growing,
              ...Array.from({ length: 40 }, () => reportOf(cast(VALUES))),
            ]).then(
              () => said++,
              () => undefined,
            )
            await sleep(30)
          }
        })()
        const watching = (async () => {
          while (!ended) {
            const grown = await ask(GROWING, null)
            if (grown !== null) {
              if (grown.tags.length < told) faults.push(`told of ${grown.tags.length} tags after ${told}`)
              told = Math.max(told, grown.tags.length)
            }
            for (const as of ['anonymous', 'outsider'])
              if ((await ask(SECRET[cast(SECRET.length)]!, callers[as]!))?.known === true)
                faults.push(`${as} is told a secret`)
            await sleep(15)
          }
        })()

        for (let round = 0; round < rounds; round++) {
          const { name, strike } = STRIKES[round % STRIKES.length]!
          await eventually(
            async () => said,
            (now) => now >= (round + 1) * 3,
          )
          platform = await strike(platform)
          // Whoever asks has it made again.
          await eventually(
            async () => (await command(folder, 'lookup-index', 'status', '--json')).stdout,
            (status) => status !== '' && JSON.parse(status).state === 'current',
          )
          const compared = await command(folder, 'lookup-index', 'verify')
          if (compared.code !== 0) faults.push(`after ${name}: ${compared.stdout}${compared.stderr}`)
        }
        ended = true
        await Promise.all([reporting, watching])
        await eventually(
          () => lag(platform.url),
          (records) => records === 0,
        )
        faults.push(...(await unlike(platform, callers)))
        expect(faults).toEqual([])
        expect(told).toBeGreaterThan(0)
        expect(answered.index).toBeGreaterThan(answered.store === 0 ? 0 : rounds)
      } finally {
        ended = true
        await platform.stop().catch(() => platform.kill())
        answered = { index: 0, store: 0 }
        remove(folder)
      }
    },
    240_000 + rounds * 60_000,
  )
}

/** Callers that are told of an entity otherwise than `entities/lookup` shows them. */
async function unlike(platform: Platform, callers: Record<string, Record<string, string> | null>): Promise<string[]> {
  const values = Array.from(
    { length: VALUES },
    (_, i) => Object.values((reportOf(i) as { attributes: object }).attributes)[0] as string,
  )
  const asked = { values: [...new Set(values), ...SECRET] }
  const faults: string[] = []
  for (const [name, headers] of Object.entries(callers)) {
    const shown = await platform.ask('/api/search/v1/entities/lookup', asked, headers)
    const told = await platform.ask(REPUTATION, asked, headers)
    const known = new Map<string, { id: string }[]>(
      shown.body.results.map((one: { value: string; entities: { id: string }[] }) => [one.value, one.entities]),
    )
    for (const verdict of told.body.items) {
      const entities = known.get(verdict.value) ?? []
      if (verdict.known !== entities.length > 0) faults.push(`${name}: ${verdict.value} is known: ${verdict.known}`)
      const entity = entities.find(({ id }) => id === verdict.id) as Record<string, unknown> | undefined
      if (!verdict.known || verdict.by !== undefined) continue
      for (const field of ['type', 'reputation', 'accuracy', 'wellKnown'])
        if (entity?.[field] !== verdict[field]) faults.push(`${name}: ${verdict.value} ${field}`)
      if (JSON.stringify(entity?.tags) !== JSON.stringify(verdict.tags) || entity?.['@timestamp'] !== verdict.firstSeen)
        faults.push(`${name}: ${verdict.value} tags or first seen`)
    }
  }
  return faults
}
