import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { generations } from '../../../connectors/history/generations/generations.ts'
import { seededRandom } from '../../../platform/random.ts'
import { DAY, NOW } from '../../builders/intelligence/observation.ts'
import { randomLog } from '../../builders/log/observation-log.ts'
import { type FaultPoint, interposed, MOMENTS } from '../harness/interposed.ts'
import { commandsOf, type Ended, endHold } from '../harness/killed.ts'
import { applied } from '../harness/measured.ts'
import { command } from '../harness/outcome.ts'
import { PLACES, type Work } from '../harness/places.ts'
import { openStage } from '../harness/stage.ts'

const CLIENTS = 4
const OBSERVATION_SCHEMA = 2
const SOURCES = ['s1', 's2', 'feed:f', 'u3']
const CATCH_UP_MS = 240_000
/** Kills of one command before it may end: enough to die again on what a death has left. */
const IN_A_ROW = 3

/** By turns, so that each promotion of scores changes some. */
const RULES = [
  { id: 'median', formula: 2, trust: { 'kind:feed': 0.9, s1: 0.1 }, halfLives: { ip: 2 } },
  { id: 'mean', trust: { s2: 1 }, halfLives: { ip: 60, '*': 5 } },
]

/** Every place at every moment, in an order of its own. */
function placesOf(work: Work, kills: number, random: () => number): FaultPoint[] {
  const all = Object.entries(PLACES[work]).flatMap(([name, times]) =>
    MOMENTS.map((moment): FaultPoint => ({ name, moment, nth: 1 + Math.floor(random() * times) })),
  )
  const drawn = all.map((place) => ({ place, at: random() })).sort((a, b) => a.at - b.at)
  return drawn.slice(0, kills).map(({ place }) => place)
}

export const killsInside = command({
  what: 'SIGKILL inside a rebuild, a scoring anew, their promotions and a retraction, at every statement that they make',
  // `hold`: whether the hold on the jobs of a command that died runs out by itself, `waited`, or is `ended` at once.
  options: { kills: 1_000, records: 12_000, entities: 1_000, rate: 20, seconds: 3_600, hold: 'waited', seed: 1 },
  async run({ kills, records, entities, rate, seconds, hold, seed }, print) {
    if (hold !== 'waited' && hold !== 'ended') throw new Error('--hold must be waited or ended')
    const stage = await openStage({ ownEngine: true, others: SOURCES })
    const history = clickhouse(stage.engine!)
    const between = await interposed(stage.env.CLICKHOUSE_URL!)
    try {
      const log = await stage.openLog()
      await randomLog(log, OBSERVATION_SCHEMA, records, seed)
      await applied(log, CATCH_UP_MS)
      const load = stage.load(CLIENTS, rate)
      const until = performance.now() + seconds * 1000
      const { run, finish } = commandsOf(stage.dataDir, stage.env, between)
      const known = generations(history, { mode: 'single', home: 'harrier' })
      const done: { work: Work; place: FaultPoint; killed: boolean }[] = []
      const random = seededRandom(seed)
      const left = new Map((Object.keys(PLACES) as Work[]).map((work) => [work, placesOf(work, kills, random)]))
      const over = (): boolean => performance.now() > until || [...left.values()].every((places) => places.length === 0)

      /** Kills a command some times, each time after what was left of it is seen to by `again`, and lets it end. */
      const through = async (work: Work, first: readonly string[], again: () => Promise<readonly string[]>) => {
        let args = first
        for (let row = 0; row < IN_A_ROW; row++) {
          const place = left.get(work)!.shift()
          if (place === undefined) break
          const { killed, code, printed } = await run(args, place)
          done.push({ work, place, killed })
          print(`${work}: ${place.moment} ${place.name} ${place.nth}: ${killed ? 'killed' : `ended with ${code}`}`)
          if (!killed && code !== 0 && !printed.includes('has paused the jobs'))
            throw new Error(`${args.join(' ')}: ${printed}`)
          if (!killed && code === 0) return
          if (hold === 'ended') await endHold(history)
          args = await again()
        }
        await finish(args)
      }
      /** The newest generation that is not live: what a command that was killed has left. */
      const leftover = async (): Promise<string | undefined> =>
        (await known.list()).filter(({ live }) => !live).at(-1)?.database
      const dropped = async (): Promise<void> => {
        for (const { database, live } of await known.list())
          if (!live && database !== 'harrier') await finish(['replay', 'drop', database])
      }

      for (let round = 0; round === 0 || !over(); round++) {
        const start = ['replay', 'start', '--entities', String(entities), '--workers', '2']
        await through('rebuild', start, async () => {
          const database = await leftover()
          if (database === undefined || database === 'harrier') return start
          const listed: Ended = await run(['replay', 'list'])
          if (!listed.printed.includes(`${database}\tnot a rebuild`)) return ['replay', 'resume', database]
          await finish(['replay', 'drop', database])
          return start
        })
        const rebuilt = (await leftover())!
        const promote = ['replay', 'promote', rebuilt]
        // One that was killed after it had moved the pointer has nothing left to do.
        const unless = (database: string, args: string[]) => async () =>
          (await known.current()).database === database ? ['replay', 'list'] : args
        await through('promotion of a rebuild', promote, unless(rebuilt, promote))
        await dropped()

        const file = join(stage.dataDir, 'rules.json')
        writeFileSync(file, JSON.stringify(RULES[round % RULES.length]))
        await through('scoring anew', ['rescore', 'build', file], async () => {
          await dropped()
          return ['rescore', 'build', file]
        })
        const scored = (await leftover())!
        const score = ['rescore', 'promote', scored]
        await through('promotion of new scores', score, async () => score)
        await dropped()

        const window = [NOW - (60 - 10 * round) * DAY, NOW - (50 - 10 * round) * DAY]
        const [from, to] = window.map((time) => new Date(time).toISOString())
        const retract = ['feed', 'retract', 'f', '--from', from!, '--to', to!]
        await through('retraction', retract, async () => retract)
      }
      await load.stop()
      await applied(log, CATCH_UP_MS)
      await log.close()
      await history.close()
      const { figures, faults } = await stage.settled()
      const killed = done.filter((one) => one.killed)
      const byWork = Map.groupBy(killed, (one) => one.work)
      for (const [work, of] of byWork) print(`${work}: ${of.length} kills`)
      const spared = (Object.keys(PLACES) as Work[]).filter((work) => !byWork.has(work))
      return {
        figures: { ...figures, kills: killed.length, 'not reached': done.length - killed.length },
        faults: [...faults, ...spared.map((work) => `never killed: ${work}`)],
      }
    } finally {
      await between.close()
      await stage.close()
    }
  },
})
