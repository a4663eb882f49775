import type { Seals } from '../../../../schemas/cursors/seal.ts'
import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'
import { newSubscriber, type Subscriber } from '../../../bench/parts/subscriber.ts'
import { eventually, type Platform } from '../../../builders/platform/platform.ts'
import { type LoggedChange, seenBy } from './changes.ts'
import { type Reader, type Reading, startReader } from './reader.ts'
import { type Due, dueTo, type ToldFaults, toldFaults } from './told.ts'

const GROUPS = [['public'], ['public', 'blue'], ['public', 'blue', 'red'], ['public', 'red', 'green']]
const INSIDE = JSON.stringify({ types: ['ip'], reputation: { lte: -1 } })
/** How each of them reads: five streams of a user. */
const WAYS: readonly Pick<Reading, 'form' | 'query'>[] = [
  { form: 'events', query: {} },
  { form: 'lines', query: {} },
  { form: 'events', query: { types: 'domain,md5', kinds: 'created,linked' } },
  { form: 'lines', query: { reputationAtMost: '-1', tags: 't1,t2' } },
  { form: 'lines', query: { selector: INSIDE } },
]
const SELECTED_AT_ONCE = 500

type Member = { user: Subscriber; readers: readonly Reader[] }

/** Users of several groups with the streams that they read. */
export type Audience = {
  members: readonly Member[]
  readers: readonly Reader[]
  /** Changes that the readers were not told yet, by the number of those that they were told. */
  behind(logged: readonly LoggedChange[]): number
  /** What each was told against the log, added up; `before`: the log when they were told to stop. */
  faults(seals: Seals, before: readonly LoggedChange[], after: readonly LoggedChange[]): ToldFaults
  /** Entities that a reader was told of last as something else than what a search of its user shows. */
  besideSearch(ask: Platform['ask']): Promise<number>
  stop(): Promise<void>
}

/** All streams tell what comes from the moment on in which this resolves. */
export async function openAudience(at: { url: () => string; ask: Platform['ask'] }): Promise<Audience> {
  const members: Member[] = []
  for (const groups of GROUPS) {
    const user = await newSubscriber({ url: at.url(), ask: at.ask }, { roles: ['user', 'reporter'], groups })
    const readers = WAYS.map((way) => startReader({ ...way, url: at.url, headers: user.headers }))
    members.push({ user, readers })
  }
  const readers = members.flatMap((member) => member.readers)
  await eventually(
    async () => readers.filter((reader) => !reader.hasBegun()).map(({ faults }) => faults),
    (left) => left.length === 0,
  )
  const dues = (logged: readonly LoggedChange[]): Map<Reader, Due[]> =>
    new Map(
      members.flatMap(({ user, readers: those }) => {
        const seen = seenBy(logged, user.groups)
        return those.map((reader): [Reader, Due[]] => [reader, dueTo(seen, filterOf(reader))])
      }),
    )
  return {
    members,
    readers,
    behind: (logged) =>
      [...dues(logged)].reduce((sum, [reader, due]) => sum + Math.max(0, due.length - reader.told.size), 0),
    faults(seals, before, after) {
      const [must, may] = [dues(before), dues(after)]
      const named = (all: readonly Due[]): ChangeEvent[] => all.map((event) => event(seals))
      const sum: ToldFaults = { missing: 0, extra: 0, altered: 0, disordered: 0 }
      for (const reader of readers) {
        const found = toldFaults(reader, named(must.get(reader)!), named(may.get(reader)!))
        for (const name of Object.keys(sum) as (keyof ToldFaults)[]) sum[name] += found[name]
      }
      return sum
    },
    async besideSearch(ask) {
      const beside = members.map(({ user, readers: [everything] }) => toldBesideSearch(ask, user, everything!))
      return (await Promise.all(beside)).reduce((sum, one) => sum + one, 0)
    },
    stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))),
  }
}

const filterOf = ({ reading: { query } }: Reader) => {
  const { reputationAtMost, ...rest } = query
  return { ...rest, ...(reputationAtMost !== undefined && { reputationAtMost: Number(reputationAtMost) }) }
}

type Shown = { id: string; reputation: number; accuracy: number; tags: readonly string[] }
const shown = ({ reputation, accuracy, tags }: Shown): string => JSON.stringify([reputation, accuracy, tags.toSorted()])

async function toldBesideSearch(ask: Platform['ask'], user: Subscriber, reader: Reader): Promise<number> {
  const latest = new Map<string, ChangeEvent['entity']>()
  for (const text of reader.told.values()) {
    const { entity } = JSON.parse(text) as ChangeEvent
    latest.set(entity.id, entity)
  }
  const entities = [...latest.values()]
  let beside = 0
  for (let from = 0; from < entities.length; from += SELECTED_AT_ONCE) {
    const some = entities.slice(from, from + SELECTED_AT_ONCE)
    const selector = { value: { in: some.map(({ value }) => value) }, wellKnown: 'any' }
    const { status, body } = await ask('/api/search/v1/entities/selector', { selector, limit: 1_000 }, user.headers)
    if (status !== 200) throw new Error(`the search answered ${status}: ${JSON.stringify(body)}`)
    const found = new Map((body.results as Shown[]).map((one) => [one.id, shown(one)]))
    for (const entity of some) {
      const is = found.get(entity.id) ?? (await one(entity.id))
      if (is !== shown(entity)) beside++
    }
  }
  return beside

  /** No selector chooses what was retracted. */
  async function one(id: string): Promise<string | null> {
    const { status, body } = await ask(`/api/search/v1/entity/${id}`, undefined, user.headers)
    return status === 200 ? shown(body) : null
  }
}
