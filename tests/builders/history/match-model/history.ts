/** A random history of events, reports, settings and failures, and what the job made of it. */

import { untilStored } from '../../../../connectors/operations/changes/until-stored.ts'
import type { MatchPorts } from '../../../../pipelines/jobs/match/ports.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY, CHANGES, MATCHES } from '../../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../../schemas/match/event.ts'
import type { MatchRecord } from '../../../../schemas/match/match.ts'
import type { OwnerSettings } from '../../../../schemas/match/settings.ts'
import { DAY, HOUR, NOW } from '../../intelligence/observation.ts'
import { account, holds } from './account.ts'
import { faultsIn } from './faults.ts'
import { ENTITIES, OWNERS, VALUES } from './pool.ts'
import { type Fate, processes } from './process.ts'
import { logQueues } from './queues.ts'
import { memoryMatchStore, nothingKept, type Write } from './store.ts'
import { knownWorld } from './world.ts'

const encodeChange = encoder<Change>(records.change, 1)
const encodeEvent = encoder<TelemetryRecord>(records.telemetry, 2)
const GROUPS = [['public'], ['blue', 'public'], ['public', 'red']]
const TURNS = 60

export type History = {
  faults: string[]
  trace: string[]
  deaths: number
  forward: number
  retro: number
  withdrawn: number
}

export async function historyOf(random: () => number, perils: number): Promise<History> {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const kept = nothingKept()
  const world = knownWorld()
  const queues = logQueues()
  const should = account()
  const settings = new Map<string, OwnerSettings>()
  const sentToLog: MatchRecord[] = []
  const trace: string[] = []
  let [now, step, deaths, armed, ids] = [NOW, 0, 0, perils > 0, 0]

  function fateOf(): Fate {
    if (!armed || random() >= perils) return { does: 'go' }
    const does = random() < 0.5 ? 'die' : 'fail'
    if (does === 'die') deaths++
    return { does, after: Math.floor(random() * 3) }
  }

  function portsOf(write: Write): MatchPorts {
    const types = { 1: records.change, 2: records.telemetry } as Record<number, typeof records.change>
    return {
      log: {
        send: (batches) =>
          write(`log ${batches[0]?.topic}`, () => {
            for (const { topic, messages } of batches)
              if (topic === MATCHES) for (const { value } of messages) sentToLog.push(JSON.parse(String(value)))
          }),
        offsets: async () => [],
        committed: async () => [],
        read: async () => [],
      },
      stored: untilStored({
        log: { committed: async () => world.next.map((offset, partition) => ({ partition, offset })) },
        pause: async () => new Promise(setImmediate),
      }),
      registry: {
        register: async () => 1,
        schema: async (id) => types[id],
        known: (id) => types[id],
        ping: async () => undefined,
      },
      settings: {
        refresh: async () => undefined,
        get: (owner) => settings.get(owner),
        all: () => [...settings.values()],
        ended: () => [],
        put: async () => undefined,
        remove: async () => undefined,
      },
      producers: { refresh: async () => undefined, get: () => undefined },
      store: memoryMatchStore(kept, write),
      live: world.live,
      encodeMatch: (record) => Buffer.from(JSON.stringify(record)),
      encodeObservation: () => Buffer.alloc(0),
    }
  }

  async function takesTime(): Promise<void> {
    for (let n = of([0, 0, 0, 1, 3]); n > 0; n--) await new Promise(setImmediate)
  }

  const running = processes(fateOf, portsOf, () => now, takesTime)
  const look = (owner: string, id: string, byTime: boolean): void => {
    const by = settings.get(owner)!
    should.look(step, owner, id, holds(by, world.view(id, by.groups)), byTime)
  }

  function choose(owner: string): void {
    const revision = (settings.get(owner)?.revision ?? 0) + 1
    const given = {
      selector: { reputation: { lte: of([-1, -1, -2, -3]) }, wellKnown: false as const },
      groups: of(GROUPS),
    }
    settings.set(owner, { owner, revision, changedAt: now, retentionDays: 30, sightings: null, ...given })
    trace.push(`${step} ${owner.slice(-1)} chooses ${given.selector.reputation.lte} of ${given.groups}`)
    for (const { id } of ENTITIES) look(owner, id, false)
  }

  function observe(): void {
    const { type, value, id } = of(ENTITIES)
    const common = {
      type,
      value,
      entityId: id,
      observedAt: now,
      source: of(['s1', 's2']),
      audience: of([['public'], ['blue'], ['red'], ['blue', 'red']]),
    }
    const kinds: Partial<Observation>[] = [
      { reputation: of([-3, -3, -2, 0, 2]) },
      { reputation: -3 },
      { kind: 'retraction', reputation: null, retracted: { from: 0, to: NOW * 2, held: null, described: null } },
      { kind: 'well_known', reputation: null },
      { kind: 'unmark', reputation: null },
      { kind: 'verdict', audience: ['blue'], reputation: of([3, -3, null]), verdict: { reason: 'r', until: 0 } },
      { kind: 'tick', audience: [], reputation: null, observedAt: now + of([30, 400]) * DAY },
    ]
    const given = { ...common, ...(random() < 0.5 ? kinds[1]! : of(kinds)) }
    trace.push(`${step} ${given.kind ?? 'report'} ${value} ${given.reputation} of ${given.source} to ${given.audience}`)
    for (const change of world.observe(given)) queues.append(CHANGES, change.partition, encodeChange(change), now)
    for (const owner of OWNERS) look(owner, id, given.kind === 'tick')
  }

  function send(): void {
    const owner = of(OWNERS)
    const again = random() < 0.15 ? of([...should.events.values(), null]) : null
    const [field, values] = of(VALUES)
    const made = { owner, id: `e${ids++}`, field, values, hour: NOW - of([0, 1, 30]) * HOUR, repeated: false }
    const sent = again ?? { ...made, appended: step, done: Number.POSITIVE_INFINITY }
    const { id, hour } = sent
    const record = { feed: '', owner: sent.owner, id, at: hour, kind: null, host: null, user: null, ref: null }
    const value = encodeEvent({ ...record, fields: { [sent.field]: sent.values } })
    queues.append(ACCEPTED_TELEMETRY, of([0, 1]), value, now)
    should.append(sent)
    trace.push(`${step} ${sent.owner.slice(-1)} sends ${id} ${sent.field} ${sent.values}`)
  }

  async function deliver(): Promise<void> {
    if (running.dead()) await running.restart()
    await queues.take(random, of([1, 2, 3]), async (batch) => {
      const done = await running.deliver(batch)
      trace.push(`${step} ${batch.topic} ${batch.partition} ${batch.from}-${batch.to} ${done ? 'done' : 'died'}`)
      return done
    })
  }

  async function rest(): Promise<void> {
    if (running.dead()) await running.restart()
    running.wake()
    await new Promise(setImmediate)
  }

  const isBrought = (): boolean =>
    OWNERS.every((owner) => {
      const text = kept.notes.get(`settings of ${owner}`)?.text ?? ''
      return text !== '' && JSON.parse(text).revision === settings.get(owner)!.revision
    })

  async function settle(): Promise<void> {
    while (!queues.isEmpty() || !isBrought()) {
      await deliver()
      if (queues.isEmpty() || random() < 0.2) await rest()
    }
    step++
    for (const sent of should.events.values()) if (!sent.repeated) sent.done = Math.min(sent.done, step)
    should.settled(step)
    trace.push(`${step} settled`)
  }

  for (const owner of OWNERS) choose(owner)
  await settle()
  for (let turn = 0; turn < TURNS; turn++) {
    step++
    now += 1_000
    const chance = random()
    if (chance < 0.35) for (let n = 0; n < 3; n++) send()
    else if (chance < 0.6) observe()
    else if (chance < 0.84) await deliver()
    else if (chance < 0.89) choose(of(OWNERS))
    else if (chance < 0.92) await rest()
    else await settle()
  }
  armed = false
  await settle()
  await running.stop()
  const revisions = new Map([...settings].map(([owner, { revision }]) => [owner, revision]))
  const told = [...kept.matches.values()]
  return {
    faults: [...faultsIn(should, revisions, kept, sentToLog), ...running.failures.map(String)],
    trace,
    deaths,
    forward: told.filter(({ match }) => match.direction === 'forward').length,
    retro: told.filter(({ match }) => match.direction === 'retro').length,
    withdrawn: [...kept.states.values()].filter(({ withdrawnAt }) => withdrawnAt !== null).length,
  }
}
