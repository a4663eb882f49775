/**
 * What others notice of one caller whose bodies are costly to refuse, on every route that takes a body: `/livez` alone and
 * beside that caller, in the same run. An anonymous caller where the route takes one, else an administrator.
 * Run: npm run bench -- hostile [seconds for each route]
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { apiRoutes } from '../../../api/app.ts'
import { MAX_BODY_BYTES } from '../../../api/http/bodies/body.ts'
import { apiConfig, apiPorts, asAdmin, startApi } from '../../builders/api/api.ts'
import { hostileBodies } from '../../builders/api/bodies/hostile.ts'
import { at, printPercentiles } from '../parts/timed.ts'

const SECONDS = Number(process.argv[2] ?? 1)
const BETWEEN_MS = 2
const WORST = 8

type Part = { route: number | null; seconds: number }
type Report = { took: number[]; statuses: Record<string, number> }

const routes = apiRoutes(apiPorts({}), apiConfig).filter(({ body, access }) => body !== null && access !== 'open')
const file = new URL(import.meta.url)

/** In a thread of its own: asks `/livez` again and again, and says how long each took. */
async function watch(url: string, { seconds }: Part): Promise<Report> {
  const took: number[] = []
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) {
    const from = performance.now()
    await (await fetch(`${url}/livez`)).arrayBuffer()
    took.push(performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
  return { took, statuses: {} }
}

/** In another one: sends all hostile bodies of a route, one after the other. */
async function attack(url: string, { route, seconds }: Part): Promise<Report> {
  const statuses: Record<string, number> = {}
  const { method, path, body, bodyMedia, access } = routes[route!]!
  const headers = { 'content-type': bodyMedia, ...(access === 'anyone' ? {} : asAdmin) }
  const target = url + path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000001')
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end)
    for (const { text } of hostileBodies(body!, MAX_BODY_BYTES)) {
      if (performance.now() >= end) break
      const answer = await fetch(target, { method: method.toUpperCase(), headers, body: text })
      await answer.arrayBuffer()
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    }
  return { took: [], statuses }
}

async function main(): Promise<void> {
  const api = await startApi({}, { trustedProxies: 0 })
  const threads = { watch: thread('watch'), attack: thread('attack') }
  function thread(role: 'watch' | 'attack') {
    const worker = new Worker(file, { workerData: { role, url: api.url } })
    return async (part: Part): Promise<Report> => {
      worker.postMessage(part)
      return ((await once(worker, 'message')) as [Report])[0]
    }
  }
  console.log(`${routes.length} routes, ${SECONDS} s each, load of the machine ${loadavg()[0]!.toFixed(1)}`)
  await threads.watch({ route: null, seconds: 1 })
  const alone = await threads.watch({ route: null, seconds: 5 })
  printPercentiles('/livez alone', alone.took)
  const found: { name: string; took: number[]; statuses: Record<string, number> }[] = []
  for (const [route, { method, path }] of routes.entries()) {
    const part = { route, seconds: SECONDS }
    const [{ took }, { statuses }] = await Promise.all([threads.watch(part), threads.attack(part)])
    found.push({ name: `${method} ${path}`, took, statuses })
  }
  printPercentiles(
    '/livez beside',
    found.flatMap(({ took }) => took),
  )
  found.sort((a, b) => at(b.took, 0.99) - at(a.took, 0.99))
  for (const { name, took, statuses } of found.slice(0, WORST))
    printPercentiles(`${name} ${JSON.stringify(statuses)}`, took)
  process.exit(0)
}

if (isMainThread) await main()
else
  parentPort!.on('message', async (part: Part) => {
    const { role, url } = workerData as { role: 'watch' | 'attack'; url: string }
    parentPort!.postMessage(await (role === 'watch' ? watch : attack)(url, part))
  })
