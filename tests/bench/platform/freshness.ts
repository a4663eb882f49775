/**
 * How long after the 202 a report is visible: one report at a time, asked for in the simple search, in the overview and in reputation
 * until all tell of it. First on an idle platform, then at half load: half of the reports a second that it takes from
 * the 64 connections of the POST benchmark, which are measured before. Run: npm run bench -- freshness [samples]
 */

import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { metricsOf } from '../../builders/platform/metrics.ts'
import type { Platform } from '../../builders/platform/platform.ts'
import { atHalfLoad } from '../parts/post/half-load.ts'
import { platformSide } from '../parts/post/sides.ts'
import { printPercentiles } from '../parts/timed.ts'

const SAMPLES = Number(process.argv[2] ?? 200)
/** Reports that are not counted: the jobs enter their groups and compile their code meanwhile. */
const WARM_UP = 10
/** The first report finds the jobs still starting. */
const GIVE_UP_MS = 60_000

type Delays = { accepted: number; search: number; overview: number; reputation: number; question: number }

/** Between two questions, so that asking does not slow down what is asked for. */
const PAUSE_MS = 10

type Answer = Awaited<ReturnType<Platform['ask']>>

/** Milliseconds from `since` until the answer `holds`, and of the last question. */
async function until(since: number, ask: () => Promise<Answer>, holds: (answer: Answer) => boolean) {
  for (;;) {
    const asked = performance.now()
    const answer = await ask()
    const now = performance.now()
    if (holds(answer)) return { visible: now - since, question: now - asked }
    if (now - since > GIVE_UP_MS)
      throw new Error(`not visible after ${GIVE_UP_MS} ms; last answer: ${JSON.stringify(answer)}`)
    await sleep(PAUSE_MS)
  }
}

/** Probes are domains; the load is of addresses. */
const domainsIn = (body: Answer['body']): number =>
  body.by_type.find(({ key }: { key: string }) => key === 'domain')?.count ?? 0

const REPUTATION = '/api/search/v1/reputation'
const answeredBy = { index: 0, store: 0 }

async function once(platform: Platform, n: number): Promise<Delays> {
  const domain = `freshness-${n}.example`
  const began = performance.now()
  const { status } = await platform.ask('/api/ingest/v1/entity', {
    type: 'domain',
    attributes: { domain },
    reputation: -1,
  })
  const acknowledged = performance.now()
  if (status !== 202) throw new Error(`POST entity answered ${status}`)
  const [search, overview, reputation] = await Promise.all([
    until(
      acknowledged,
      () => platform.ask('/api/search/v1/entities/history/simple', { query: domain }),
      ({ status }) => status === 200,
    ),
    until(
      acknowledged,
      () => platform.ask('/api/analytics/v1/overview?days=1'),
      ({ body }) => domainsIn(body) > n,
    ),
    until(
      acknowledged,
      () => platform.ask(`${REPUTATION}/${domain}`),
      ({ body, headers }) => {
        answeredBy[headers.get('x-answered-by') as 'index' | 'store']++
        return body.known
      },
    ),
  ])
  return {
    accepted: acknowledged - began,
    search: search.visible,
    overview: overview.visible,
    reputation: reputation.visible,
    question: Math.max(search.question, overview.question, reputation.question),
  }
}

/** Where the time goes, by the job's own account: the mean of each histogram of `/metrics`. */
async function stages(platform: Platform): Promise<void> {
  const text = await metricsOf(platform.url)
  for (const [, name, labels] of text.matchAll(/^(harrier_(?:job_batch|history_insert)\w*seconds)_count(\S*) /gm)) {
    const value = (suffix: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name}_${suffix}${labels} `))!
          .split(' ')[1],
      )
    console.log(`  mean ${name}${labels}: ${((value('sum') / value('count')) * 1000).toFixed(0)} ms`)
  }
}

/** The number of probes so far. */
let probed = 0

async function measure(platform: Platform, name: string): Promise<void> {
  console.log(`${name}: ${SAMPLES} reports, one at a time; load of the machine ${loadavg()[0]!.toFixed(1)}`)
  const delays: Delays[] = []
  for (let n = 0; n < WARM_UP + SAMPLES; n++) {
    const sample = await once(platform, probed++)
    if (n >= WARM_UP) delays.push(sample)
  }
  console.log(`reputation was answered ${answeredBy.index} times by the index, ${answeredBy.store} by the store`)
  const print = (what: string, of: (d: Delays) => number) => printPercentiles(what, delays.map(of))
  print('POST', (d) => d.accepted)
  print('202 to visible in search', (d) => d.search)
  print('202 to visible in the overview', (d) => d.overview)
  print('202 to visible in reputation', (d) => d.reputation)
  print('the question that found it', (d) => d.question)
}

const side = await platformSide()
const { platform } = side
try {
  // The first question has the index of look-ups built.
  await until(
    performance.now(),
    () => platform.ask(`${REPUTATION}/none.example`),
    ({ headers }) => headers.get('x-answered-by') === 'index',
  )
  await measure(platform, 'idle')
  await atHalfLoad(side, () => measure(platform, 'half load'))
  await stages(platform)
} catch (error) {
  console.error(platform.output())
  throw error
} finally {
  await side.close()
}
