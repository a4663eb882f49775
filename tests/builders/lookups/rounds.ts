/** A platform whose index of look-ups is struck in every way, under reports and questions (decisions 18.4, 18.6). */

import { randomInt } from 'node:crypto'
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { indexFolder } from '../../../connectors/lookups/index/index-folder.ts'
import { indexStore } from '../../../connectors/lookups/index/open-index.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { processOf } from '../../chaos/harness/servers/processes.ts'
import { newUserOf, type User } from '../accounts/users.ts'
import { entityRow } from '../intelligence/entity-row.ts'
import { command } from '../platform/command.ts'
import { lag } from '../platform/lag.ts'
import {
  ADMINISTRATOR,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../platform/platform.ts'

const REPUTATION = '/api/search/v1/reputation'
const GROUP = 'red-team'
/** Reported for the group alone. */
const SECRET = Array.from({ length: 20 }, (_, i) => `secret-${i}.example`)
const VALUES = 400
/** A name that gets one tag after another: who is told fewer than before was told an older answer. */
const GROWING = 'growing.example'

/** Between two requests of reports: each is a batch for all jobs, and goes on while a strike is mended. */
const REPORTS_EVERY_MS = 120
const WATCHED_EVERY_MS = 40

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

/** A strike returns what goes on, and adds to `faults` what it found wrong at once. */
type Strike = { name: string; strike(platform: Platform, faults: string[]): Promise<Platform> }

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
const whileStopped = (
  name: string,
  change: (platform: Platform) => Promise<void> | void,
  ends: 'stop' | 'kill' = 'stop',
): Strike => ({
  name,
  async strike(platform) {
    await platform[ends]()
    await change(platform)
    return startPlatform(platform.dataDir)
  },
})

async function ran({ dataDir }: Platform, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(dataDir, ...args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** Other tables with other scores come to be live. */
const promotion: Strike = {
  name: 'promotion',
  async strike(platform) {
    const rules = join(platform.dataDir, 'rules.json')
    const rulesOf = { id: `rules-${Date.now()}`, formula: 1 + cast(2) }
    writeFileSync(rules, JSON.stringify(rulesOf))
    const built = /built (\S+);/.exec(await ran(platform, 'rescore', 'build', rules))
    await ran(platform, 'rescore', 'promote', built![1]!)
    return platform
  },
}

/** What a feed said is taken back. */
const retraction: Strike = {
  name: 'retraction',
  async strike(platform, faults) {
    const value = `taken-back-${Date.now()}.example`
    const file = join(platform.dataDir, 'feed.txt')
    writeFileSync(file, `${value}\n`)
    const told = async (): Promise<number> =>
      (await platform.ask(`${REPUTATION}/${value}`, undefined, null)).body.reputation
    await ran(platform, 'feed', 'import', file, '--format', 'lines', '--feed', 'struck')
    await eventually(told, (reputation) => reputation < 0)
    await ran(platform, 'feed', 'retract', 'struck', '--from', '1970-01-01T00:00:00Z')
    await eventually(told, (reputation) => reputation === 0)
    for (let i = 0; i < 20; i++) if ((await told()) !== 0) faults.push(`${value} is told after it was taken back`)
    return platform
  },
}

/** A right that was lost holds at once (decisions 18.4). */
const lostRights: Strike = {
  name: 'lost rights',
  async strike(platform, faults) {
    const member = await newUserOf(platform, { roles: ['user'], groups: [GROUP] })
    const knows = async (value: string): Promise<boolean> =>
      (await platform.ask(`${REPUTATION}/${value}`, undefined, member.headers)).body.known
    await eventually(() => knows(SECRET[0]!), Boolean)
    const changed = await fetch(`${platform.url}/auth/v2/admin/user/${member.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
      body: JSON.stringify({ groups: [] }),
    })
    if (!changed.ok) throw new Error(`the groups of a user are not changed: ${changed.status} ${await changed.text()}`)
    for (const value of SECRET) if (await knows(value)) faults.push(`${value} is told to whom it is not for any more`)
    const { body } = await platform.ask('/api/search/v1/entities/lookup', { values: SECRET }, member.headers)
    if (body.items !== 0) faults.push(`${body.items} secrets are shown to whom they are not for any more`)
    return platform
  },
}

/** An index that was made of another log and other tables of the same name. */
const foreign = async (platform: Platform): Promise<void> => {
  const indexes = indexStore(indexFolder(join(platform.dataDir, 'lookup-index')), 64 * 1024 * 1024, Date.now)
  indexes.clear()
  const applied = [0, 1].map(() => ({ to: 1, seal: 'of another log' }))
  const index = indexes.begin({ database: 'harrier', position: 0, applied })
  const rows = [entityRow({ audience: audienceId(['public']), type: 'domain', value: FOREIGN, reputation: -3 })]
  const entity = { type: 'domain', value: FOREIGN, wide: false, rows }
  await index.append([entity], { complete: true, asOf: Date.now() + 60_000 })
  index.promote()
  await index.close()
}
const FOREIGN = 'of-another-platform.example'

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
  promotion,
  retraction,
  lostRights,
  whileStopped('an index of another platform', foreign),
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
      const first = cast(STRIKES.length)
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
            await sleep(REPORTS_EVERY_MS)
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
            await sleep(WATCHED_EVERY_MS)
          }
        })()

        for (let round = 0; round < rounds; round++) {
          const { name, strike } = STRIKES[(first + round) % STRIKES.length]!
          await eventually(
            async () => said,
            (now) => now >= (round + 1) * 3,
          )
          platform = await strike(platform, faults)
          if ((await ask(FOREIGN, null))?.known === true) faults.push('what another platform knows is told')
          // Whoever asks has it made again. What answers is asked first: the command is a process each time.
          await eventually(
            () => platform.ask(`${REPUTATION}/${GROWING}`, undefined, null).catch(() => null),
            (answer) => answer?.headers.get('x-answered-by') === 'index',
          )
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
