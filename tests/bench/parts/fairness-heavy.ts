/** The caller that the others of the fairness benchmark are measured beside: four connections of one address. */
import { parentPort, workerData } from 'node:worker_threads'
import { heavySearches } from '../../builders/search/heavy.ts'
import { again } from './timed.ts'

export type HeavyCaller = {
  /** Of the searches. */
  url: string
  seconds: number
}
/** How often each answer came, by status and code. */
export type HeavyReport = { answers: Record<string, number>; longestMs: number }

const CONNECTIONS = 4
const HEAVY = '198.51.100.1'

const { url, seconds } = workerData as HeavyCaller
const bodies = heavySearches.map(([surface, body]) => ({
  path: `${surface}/advanced?limit=100`,
  text: JSON.stringify(body),
}))
const answers: Record<string, number> = {}
const end = performance.now() + seconds * 1000
let next = 0

async function call(): Promise<void> {
  const { path, text } = bodies[next++ % bodies.length]!
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': HEAVY }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: text })
  const code = /"code":"(\w+)"/.exec(await response.text())?.[1]
  const answer = code === undefined ? String(response.status) : `${response.status} ${code}`
  answers[answer] = (answers[answer] ?? 0) + 1
}

const took = await Promise.all(Array.from({ length: CONNECTIONS }, () => again(() => performance.now() > end, call)))
const report: HeavyReport = { answers, longestMs: Math.max(...took.flat()) }
parentPort!.postMessage(report)
