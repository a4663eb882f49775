import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, type Platform } from '../../../builders/platform/platform.ts'
import { platformSide } from '../../parts/post/sides.ts'
import { printPercentiles } from '../../parts/timed.ts'
import { OWNER } from './data-folder.ts'
import { eventMaker, lineOf } from './events.ts'
import { arrivedOf } from './watch.ts'

const BODY = 2_000
const GIVE_UP_MS = 120_000
const EVERY_MS = 100

type Headers = Record<string, string>

async function post(platform: Platform, headers: Headers, body: string): Promise<void> {
  const how = { method: 'POST', headers: { ...headers, 'content-type': 'application/x-ndjson' }, body }
  const answer = await fetch(`${platform.url}/api/match/v1/events`, how)
  if (answer.status !== 202) throw new Error(`events: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Sends so many events a second until stopped; resolves to the rate that came of it. */
export function telemetry(platform: Platform, headers: Headers, rate: number) {
  let isOn = true
  let sent = 0
  const began = performance.now()
  const make = eventMaker(Date.now() | 0, OWNER, Date.now())
  const done = (async () => {
    while (isOn) {
      const body = Array.from({ length: BODY }, () => lineOf({ ...make(), at: Date.now() })).join('\n')
      await post(platform, headers, body)
      sent += BODY
      await sleep(Math.max(0, (sent / rate) * 1_000 - (performance.now() - began)))
    }
  })()
  return async (): Promise<number> => {
    isOn = false
    await done
    return (sent * 1_000) / (performance.now() - began)
  }
}

const probe = (name: string): string => JSON.stringify({ at: Date.now(), host: 'probe', fields: { query: name } })

async function report(platform: Platform, headers: Headers, domain: string): Promise<void> {
  const body = { type: 'domain', attributes: { domain }, reputation: -3, visibleBy: ['public'] }
  const { status } = await platform.ask('/api/ingest/v1/entity', body, headers)
  if (status !== 202) throw new Error(`report: ${status}`)
}

type Shown = { items: { event: { value: string }; entity: { value: string } }[] }

/** Milliseconds until `GET matches` shows one of this value. */
async function untilShown(platform: Platform, headers: Headers, value: string, from: number): Promise<number> {
  const asked = async (): Promise<boolean> => {
    await sleep(EVERY_MS / 2)
    const answer = await platform.ask('/api/match/v1/matches?limit=1000', undefined, headers)
    return (answer.body as Shown).items.some(({ event }) => event.value === value)
  }
  await eventually(asked, (is) => is, GIVE_UP_MS)
  return performance.now() - from
}

async function samples(platform: Platform, headers: Headers, count: number): Promise<void> {
  const [known, forward, fresh] = [`${randomUUID()}.example`, [] as number[], [] as number[]]
  await report(platform, headers, known)
  await post(platform, headers, probe(`first.${known}`))
  await untilShown(platform, headers, `first.${known}`, performance.now())
  for (let n = 0; n < count; n++) {
    const value = `n${n}.${known}`
    await post(platform, headers, probe(value))
    forward.push(await untilShown(platform, headers, value, performance.now()))
    const later = `${randomUUID()}.example`
    await report(platform, headers, later)
    const from = performance.now()
    await post(platform, headers, probe(later))
    fresh.push(await untilShown(platform, headers, later, from))
  }
  printPercentiles('202 of an event to its match', forward)
  printPercentiles('202 of an indicator to a match', fresh)
}

/** How long until a match is shown over REST, on an idle platform, which is the baseline, and with telemetry beside. */
export async function latency(rate: number, count: number): Promise<void> {
  const side = await platformSide()
  const { platform, headers } = side
  try {
    console.log(`idle; load ${loadavg()[0]!.toFixed(1)}`)
    await samples(platform, headers, count)
    const stop = telemetry(platform, headers, rate)
    console.log(`telemetry, ${rate} events/s asked for`)
    await samples(platform, headers, count)
    const came = await stop()
    console.log(
      `load             ${came.toFixed(0)} events/s sent, ${await arrivedOf(platform)} taken; ${loadavg()[0]!.toFixed(1)} on the machine`,
    )
  } finally {
    await side.close()
  }
}
