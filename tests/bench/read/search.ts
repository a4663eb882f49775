/**
 * History search over ten million records: every question as it reaches a client over HTTP, by turns with the smallest
 * statements that find out the same on the same table; then what costs too much, and what others notice of it.
 * Run: npm run bench -- search [records] [rounds] [folder to keep the records in] [compare|refused|bombs]
 * The baseline has the threads of a search (ADR 272); the cache of conditions is off for both.
 */
import { availableParallelism, loadavg } from 'node:os'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import type { History } from '../../../connectors/history/port.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { startApi } from '../../builders/api/api.ts'
import { analyst } from '../parts/analyst.ts'
import { bombs, type Case, cases, refused } from '../parts/search-cases.ts'
import { seededStore } from '../parts/seeded-store.ts'
import { again, at, byTurns, type Timed } from '../parts/timed.ts'

const RECORDS = Number(process.argv[2] ?? 10_000_000)
const ROUNDS = Number(process.argv[3] ?? 15)
const FOLDER = process.argv[4]
/** One part alone; else all of them. */
const PART = process.argv[5]
/** As the command line opens the store (decisions 5.5). */
const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }
const GROUPS = ['public', 'group-3']
const BOMBERS = 8
const SECONDS = 15

const readable = `audience IN [${audienceId(['public'])}, ${audienceId(['group-3'])}]`
const threads = Math.max(1, availableParallelism() >> 1)

/** Without what the store remembers of conditions: the same question again would look free. */
const uncached = (history: History): History => ({
  ...history,
  query: ({ sql, params }, signal) => {
    const joined = /\bSETTINGS\b[^()]*$/.test(sql) ? ',' : '\nSETTINGS'
    return history.query({ sql: `${sql}${joined} use_query_condition_cache = 0`, params }, signal)
  },
})

const { accounts, headersOf } = analyst(GROUPS)

const { engine, history: store, close } = await seededStore(RECORDS, FOLDER)
const history = uncached(store)
const bounded = clickhouse({ ...engine, limits: ANSWERS })
const api = await startApi({ history: uncached(bounded), accounts })

async function ask(path: string, body?: object, caller = 'analyst'): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(caller) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

const HISTORY = '/api/search/v1/entities/history'
const statusOf = new Map<string, number>()

async function compare(one: Case): Promise<Record<'ours' | 'baseline', Timed>> {
  return byTurns(ROUNDS, engine.pid, (round) => ({
    ours: async () => {
      const { status } = await ask(`${HISTORY}/${one.path}?${one.paging ?? ''}`, one.body(round))
      statusOf.set(one.name, status)
    },
    baseline: () =>
      Promise.all(
        one
          .baseline(readable, round)
          .map((sql) => history.query({ sql: `${sql} SETTINGS max_threads = ${threads}`, params: {} })),
      ),
  }))
}

const fixed = (n: number, digits = 0): string => n.toFixed(digits).padStart(6)

function printCase(one: Case, { ours, baseline }: Record<'ours' | 'baseline', Timed>): void {
  const ratio = (share: number) => (at(ours.took, share) / at(baseline.took, share)).toFixed(2)
  const asked = [one.asked.ratio && `<= ${one.asked.ratio}x`, one.asked.ms && `p50 <= ${one.asked.ms} ms`]
  const cpu = (side: Timed) => fixed((side.cpu / ROUNDS) * 1000)
  console.log(
    `${one.name.padEnd(32)}${fixed(at(ours.took, 0.5))}${fixed(at(ours.took, 0.99))} | ${fixed(at(baseline.took, 0.5))}` +
      `${fixed(at(baseline.took, 0.99))} | ${ratio(0)} ${ratio(0.5)} | ${cpu(ours)}${cpu(baseline)} | ` +
      `${statusOf.get(one.name)} ${asked.filter(Boolean).join(', ')}`,
  )
}

/** What another caller asks meanwhile, each in a loop of its own. */
const others: readonly [string, (round: number) => Promise<{ status: number }>][] = [
  ['exact value', (round) => ask(`${HISTORY}/simple`, cases[0]!.body(round))],
  ['exact, advanced', (round) => ask(`${HISTORY}/advanced`, cases[1]!.body(round))],
  ['overview', () => ask('/api/analytics/v1/overview?days=30')],
  ['recent', () => ask('/api/analytics/v1/recent?hours=24')],
]

async function asOthers(done: () => boolean): Promise<number[][]> {
  let round = 0
  const took: number[][] = others.map(() => [])
  while (!done())
    for (const [i, [name, call]] of others.entries()) {
      const from = performance.now()
      const { status } = await call(round++)
      if (status !== 200 && status !== 404) throw new Error(`${name}: ${status}`)
      took[i]!.push(performance.now() - from)
    }
  return took
}

const forSeconds = (seconds: number): (() => boolean) => {
  const until = performance.now() + seconds * 1000
  return () => performance.now() > until
}

async function bombed(): Promise<void> {
  const alone = await asOthers(forSeconds(SECONDS))
  const done = forSeconds(SECONDS)
  const answers = new Map<string, number>()
  let next = 0
  const bomber = () =>
    again(done, async () => {
      const { status, text } = await ask(`${HISTORY}/advanced?limit=1000`, bombs[next++ % bombs.length], 'bomber')
      const answer = status === 200 ? '200' : `${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    })
  const [meanwhile, ...ends] = await Promise.all([asOthers(done), ...Array.from({ length: BOMBERS }, bomber)])
  console.log(`\n${BOMBERS} callers with what is heaviest, for ${SECONDS} s: ${JSON.stringify([...answers])}`)
  console.log(`their answers: p50 ${fixed(at(ends.flat(), 0.5))} ms, longest ${fixed(at(ends.flat(), 1))} ms`)
  for (const [i, [name]] of others.entries())
    console.log(
      `${name.padEnd(16)} alone p50 ${fixed(at(alone[i]!, 0.5), 1)} p99 ${fixed(at(alone[i]!, 0.99), 1)} ms (${alone[i]!.length}), ` +
        `meanwhile p50 ${fixed(at(meanwhile[i]!, 0.5), 1)} p99 ${fixed(at(meanwhile[i]!, 0.99), 1)} ms (${meanwhile[i]!.length}), ` +
        `ratio of p99 ${(at(meanwhile[i]!, 0.99) / at(alone[i]!, 0.99)).toFixed(2)}`,
    )
}

async function compared(): Promise<void> {
  console.log('milliseconds: p50 and p99 over HTTP | of the baseline | ratio of the least, the medians | CPU of a call')
  for (const one of cases) printCase(one, await compare(one))
}

async function refusals(): Promise<void> {
  console.log('\nrefused before it runs:')
  for (const { name, body } of refused) {
    let answer = ''
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const from = performance.now()
      const { status, text } = await ask(`${HISTORY}/advanced`, body)
      took.push(performance.now() - from)
      answer = `${status} ${/"message":"([^"]+)"/.exec(text)?.[1]}`
    }
    console.log(`${name.padEnd(32)}${fixed(at(took, 0.5))}${fixed(at(took, 0.99))} ms: ${answer.slice(0, 80)}`)
  }
}

try {
  console.log(`${RECORDS} records, ${ROUNDS} rounds; load of the machine ${loadavg()[0]!.toFixed(1)}`)
  for (const [name, part] of Object.entries({ compare: compared, refused: refusals, bombs: bombed }))
    if (PART === undefined || PART === name) await part()
} finally {
  await api.close()
  await bounded.close()
  await close()
}
