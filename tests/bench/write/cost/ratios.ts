/**
 * What an observation, a report and a look-up cost, as ratios of CPU time to a baseline of the same run: decoding the
 * records, inserting the rows, a bare echo. Ratios hardly differ between machines, and are noted in `ratios.json`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embeddedLog } from '../../../../connectors/log/embedded/log.ts'
import type { LogMessage } from '../../../../connectors/log/port.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { type Platform, remove, temporaryFolder } from '../../../builders/platform/platform.ts'
import { drained } from '../../parts/drained.ts'
import type { Loaded } from '../../parts/post/load.ts'
import { ask, platformCpu, type Side, servedSide, start } from '../../parts/post/sides.ts'
import { subscriber } from '../../parts/subscriber.ts'
import { at } from '../../parts/timed.ts'
import { imported, rawInsert } from '../pipeline.ts'

export type Ratios = Record<string, number>

const OBSERVATIONS_IMPORTED = 200_000
/** Of one of the rounds. */
const LOOKED_UP = 500
/** Values of one look-up. */
const VALUES = 20
const ROUNDS = 5
/** Enough for 1,000 reports, in milliseconds. */
const ROUND_MS = 500
/** Before a side is measured: its code is compiled then, however slow a busy machine is. At most as many rounds as this. */
const WARM_REPORTS = 8_000
const WARM_ROUNDS = 24
const CONNECTIONS = 64

const name = (i: number): string => `host-${i}.sector-${i % 997}.example.net`
const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${name(i)}\tmalware\tfamily-${i % 50}\n`).join('')

/** CPU microseconds that decoding one of the imported records takes. */
async function decoding(dataDir: string): Promise<number> {
  const log = await embeddedLog({ folder: join(dataDir, 'log') })
  const messages: LogMessage[] = []
  for (const { partition, high } of await log.offsets(OBSERVATIONS))
    for (const one of await log.read(OBSERVATIONS, partition, 0, high, high)) messages.push(one)
  await log.close()
  const decode = decoder<Observation>(records.observation, () => records.observation)
  const took = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (const { value } of messages) if (!decode(value!).ok) throw new Error('a record that was imported is none')
    const { user, system } = process.cpuUsage(before)
    return (user + system) / messages.length
  })
  return at(took, 0.5)
}

/**
 * CPU microseconds of a report: of a bare echo, of the API with a log that keeps nothing, of the API alone with the embedded
 * log, of the API of the platform, and of the jobs and the store behind that one.
 */
type Reports = { echo: number; judged: number; alone: number; api: number; behind: number }

async function reports(platform: Platform): Promise<Reports> {
  const client = start('load.ts')
  const [echo, memory, durable] = await Promise.all(['echo', 'memory', 'durable'].map(servedSide))
  const platformSide = { ...platformCpu(platform), headers: await subscriber(platform, ['user', 'reporter']) }
  type Asked = Pick<Side, 'port' | 'headers' | 'cpu' | 'settled'>
  const sent = async (side: Asked): Promise<number> => {
    const load = { port: side.port, headers: side.headers, ms: ROUND_MS, connections: CONNECTIONS, pauseMs: 0 }
    return (await ask<Loaded>(client, load)).answers
  }
  const warmed = async (side: Asked): Promise<void> => {
    for (let reports = 0, n = 0; reports < WARM_REPORTS && n < WARM_ROUNDS; n++) reports += await sent(side)
    await side.settled()
  }
  const round = async (side: Asked): Promise<Record<string, number>> => {
    const before = await side.cpu()
    const answers = await sent(side)
    // What asks whether all is stored is no cost of a report.
    const { API } = await side.cpu()
    await side.settled()
    const after = { ...(await side.cpu()), ...(API !== undefined && { API }) }
    return Object.fromEntries(Object.entries(after).map(([of, used]) => [of, (used - (before[of] ?? 0)) / answers]))
  }
  try {
    for (const side of [echo!, memory!, durable!, platformSide]) await warmed(side)
    const rounds: Reports[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const { server } = await round(echo!)
      const { server: judged } = await round(memory!)
      const { server: alone } = await round(durable!)
      const { API, ...others } = await round(platformSide)
      const behind = Object.values(others).reduce((sum, used) => sum + used, 0)
      rounds.push({ echo: server!, judged: judged!, alone: alone!, api: API!, behind })
    }
    // What else the machine does only adds to a round.
    const of = (side: keyof Reports): number => Math.min(...rounds.map((one) => one[side]))
    return { echo: of('echo'), judged: of('judged'), alone: of('alone'), api: of('api'), behind: of('behind') }
  } finally {
    await Promise.all([echo!.close(), memory!.close(), durable!.close()])
    if (client.connected) client.disconnect()
  }
}

/** CPU microseconds of one value that the store answers, of all processes. */
async function lookUps(platform: Platform): Promise<number> {
  const { cpu } = platformCpu(platform)
  const total = async (): Promise<number> => Object.values(await cpu()).reduce((sum, used) => sum + used, 0)
  const round = async (from: number): Promise<void> => {
    for (let at = from; at < from + LOOKED_UP; at += VALUES) {
      const values = Array.from({ length: VALUES }, (_, i) => name((at + i) * 7))
      const { status, body } = await platform.ask('/api/search/v1/entities/lookup', { values })
      if (status !== 200) throw new Error(`a look-up was answered ${status}: ${JSON.stringify(body)}`)
    }
  }
  await round(0)
  const took: number[] = []
  for (let n = 1; n <= 3; n++) {
    const before = await total()
    await round(n * LOOKED_UP)
    took.push(((await total()) - before) / LOOKED_UP)
  }
  return Math.min(...took)
}

export async function measuredRatios(): Promise<Ratios> {
  const dataDir = temporaryFolder()
  try {
    const file = join(dataDir, 'feed.tsv')
    writeFileSync(file, lines(OBSERVATIONS_IMPORTED))
    const importing = imported(dataDir, file)
    const decode = await decoding(dataDir)
    const { micros: insert } = await rawInsert(dataDir)
    // An index that comes to be there in the middle answers for a tenth: what is compared is one thing, or it says nothing.
    const { platform, each } = await drained(dataDir, { HARRIER_LOOKUP_INDEX: 'off' })
    try {
      const report = await reports(platform)
      const lookUp = await lookUps(platform)
      return {
        'import / decode': importing / decode,
        'observe / decode': each.jobs! / decode,
        'all processes / decode': Object.values(each).reduce((sum, used) => sum + used, 0) / decode,
        'store / insert': each.engine! / insert,
        'report without a log / echo': report.judged / report.echo,
        'report in the API alone / echo': report.alone / report.echo,
        'report in the API / echo': report.api / report.echo,
        'report behind it / echo': report.behind / report.echo,
        'look-up of a value / echo': lookUp / report.echo,
      }
    } finally {
      await platform.stop()
    }
  } finally {
    remove(dataDir)
  }
}

const FILE = fileURLToPath(new URL('ratios.json', import.meta.url))

export const recordedRatios = (): Ratios => JSON.parse(readFileSync(FILE, 'utf8')) as Ratios

export function recordRatios(ratios: Ratios): void {
  const rounded = Object.entries(ratios).map(([of, ratio]) => [of, Number(ratio.toPrecision(3))])
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`)
}

/** A ratio beside what was recorded: `more` is how many times that it is. */
export type Compared = { of: string; ratio: number; recorded: number; more: number }

/** @throws Error when something was measured that is not recorded, or the other way round */
export function compared(ratios: Ratios, recorded: Ratios): Compared[] {
  const names = new Set([...Object.keys(ratios), ...Object.keys(recorded)])
  return [...names].map((of) => {
    const [ratio, known] = [ratios[of], recorded[of]]
    if (ratio === undefined || known === undefined)
      throw new Error(`the ratio '${of}' is not measured, or not recorded`)
    return { of, ratio, recorded: known, more: ratio / known }
  })
}
