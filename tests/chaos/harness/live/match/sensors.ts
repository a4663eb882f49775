import { setTimeout as sleep } from 'node:timers/promises'
import { newUserOf } from '../../../../builders/accounts/users.ts'
import type { Platform } from '../../../../builders/platform/platform.ts'

/** An event as its sensor sent it; `value` meets the entities of `meets`, as it was made to. */
export type Seen = { owner: string; id: string; at: number; field: string; value: string; meets: readonly string[] }

export type Sensors = {
  /** By owner: the groups of its settings. */
  groups: Map<string, readonly string[]>
  /** All that was acknowledged, each once. */
  seen: Seen[]
  /** One more body of each user: of what was reported and looked at by then, some is met at once. */
  send(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  platform: () => Platform
  random: () => number
  /** How many requests the load of reports has sent. */
  reports: () => number
  /** Between two bodies of a user; default: a tenth of a second. */
  everyMs?: number
}

/** Requests of a load that begins once all telemetry was looked at: what they report is met backwards, or not at all. */
export const LATE = { first: 1_000_000_000, count: 60 } as const

const LINES = 20
const SHARED = 40
const SOON = 20
const LATELY = 60
const EACH_MS = 100
const AGAIN_MS = 200
const PATIENCE_MS = 20_000
const HOUR = 3_600_000

/** Three users send telemetry of what the load reports, before and after it does; what has no answer is sent again. */
export async function startSensors({ platform, random, reports, everyMs = EACH_MS }: Options): Promise<Sensors> {
  const users = await Promise.all(
    [['blue'], ['blue', 'red'], ['red', 'green']].map((groups) =>
      newUserOf(platform(), { roles: ['user'], groups: ['public', ...groups] }),
    ),
  )
  const groups = new Map<string, readonly string[]>()
  const seen: Seen[] = []
  let stopping = false
  let made = 0
  const pick = (n: number): number => Math.floor(random() * n)

  /** What is reported about now, at the end, or was lately; if it is. */
  function reported(): number {
    const when = random()
    if (when < 0.3) return reports() + pick(SOON)
    return when < 0.5 ? LATE.first + pick(LATE.count) : Math.max(0, reports() - pick(LATELY))
  }

  function madeBy(owner: string): Seen {
    const id = `t${made++}`
    const at = Date.now() - pick(3) * HOUR
    const op = reported()
    const kind = random()
    if (kind < 0.4) {
      const value = `198.51.100.${pick(SHARED)}`
      return { owner, id, at, field: 'dst', value, meets: [`ip ${value}`] }
    }
    if (kind < 0.8) {
      const value = `www.n${op}.example.net`
      return { owner, id, at, field: 'query', value, meets: [`domain n${op}.example.net`] }
    }
    const value = op.toString(16).padStart(32, '0')
    return { owner, id, at, field: 'md5', value, meets: [`md5 ${value}`] }
  }

  async function isTaken(body: string, headers: Record<string, string>): Promise<boolean> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const how = { method: 'POST', headers: { ...headers, 'content-type': 'application/x-ndjson' }, body, signal }
    try {
      const answer = await fetch(`${platform().url}/api/match/v1/events`, how)
      const lines = (await answer.text()).trimEnd().split('\n')
      return answer.status === 202 && lines.length === LINES && lines.every((line) => JSON.parse(line).id !== undefined)
    } catch {
      return false
    }
  }

  async function sendOf({ id, headers }: (typeof users)[number]): Promise<void> {
    const events = Array.from({ length: LINES }, () => madeBy(`user:${id}`))
    const lines = events.map(({ id, at, field, value }) => JSON.stringify({ id, at, fields: { [field]: value } }))
    while (!(await isTaken(lines.join('\n'), headers))) await sleep(AGAIN_MS)
    seen.push(...events)
  }

  async function run(user: (typeof users)[number]): Promise<void> {
    while (!stopping) {
      await sleep(everyMs)
      await sendOf(user)
    }
  }

  for (const { id, headers } of users) {
    const answer = await platform().ask('/api/match/v1/settings', undefined, headers)
    if (answer.status !== 200) throw new Error(`no settings: ${answer.status} ${JSON.stringify(answer.body)}`)
    groups.set(`user:${id}`, answer.body.groups)
  }
  const running = users.map(run)
  return {
    groups,
    seen,
    async send() {
      await Promise.all(users.map(sendOf))
    },
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}
