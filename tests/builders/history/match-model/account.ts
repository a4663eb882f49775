/** What should be told: what each owner's index had and which events came, kept step by step beside the job. */

import type { OwnerSettings } from '../../../../schemas/match/settings.ts'
import { ENTITIES } from './pool.ts'
import type { Shown } from './world.ts'

export type Sent = {
  owner: string
  id: string
  field: string
  values: readonly string[]
  hour: number
  /** Steps between which it came into the log and was taken in for good. */
  appended: number
  done: number
  repeated: boolean
}

type Index = {
  /** Steps between which the entity was in the index; the last one may be open. */
  held: { from: number; to: number }[]
  /** What touched it since everything was settled, and what took it out, if anything did. */
  touched: number
  out: 'time' | 'else' | null
  /** What became of its matches when all was last settled. */
  state: 'stand' | 'withdrawn' | 'open'
}

/** Whether settings take in what their reader is shown. */
export function holds({ selector }: Pick<OwnerSettings, 'selector'>, view: Shown | null): boolean {
  if (view === null || view.retracted || view.wellKnown || view.covered) return false
  return view.reputation <= selector.reputation!.lte!
}

export function account() {
  const indexes = new Map<string, Index>()
  const events = new Map<string, Sent>()
  /** `owner event entity` that have to be told. */
  const required = new Set<string>()
  let settledAt = 0
  const indexOf = (owner: string, entity: string): Index => {
    const key = `${owner} ${entity}`
    const known = indexes.get(key) ?? { held: [], touched: 0, out: null, state: 'stand' }
    indexes.set(key, known)
    return known
  }
  const isHeld = ({ held }: Index): boolean => held.at(-1)?.to === Number.POSITIVE_INFINITY

  return {
    events,
    required,
    indexOf,
    append(sent: Sent): void {
      const known = events.get(`${sent.owner} ${sent.id}`)
      if (known === undefined) return void events.set(`${sent.owner} ${sent.id}`, sent)
      known.repeated = true
      known.done = Number.POSITIVE_INFINITY
    },
    /** What an owner is shown of an entity, after something that may have changed it. */
    look(step: number, owner: string, entity: string, now: boolean, byTime: boolean): void {
      const index = indexOf(owner, entity)
      index.touched++
      const was = isHeld(index)
      if (!was && now) index.held.push({ from: step, to: Number.POSITIVE_INFINITY })
      if (was && !now) {
        index.held.at(-1)!.to = step
        index.out = byTime ? 'time' : 'else'
      }
    },
    /** Everything is delivered and brought to its settings. */
    settled(step: number): void {
      settledAt = step
      for (const index of indexes.values()) {
        if (isHeld(index)) index.state = 'stand'
        else if (index.touched > 1) index.state = 'open'
        else if (index.out === 'else') index.state = 'withdrawn'
        index.touched = 0
        index.out = null
      }
      for (const sent of events.values())
        for (const { id } of ENTITIES)
          if (isHeld(indexOf(sent.owner, id))) required.add(`${sent.owner} ${sent.id} ${id}`)
    },
    /** The step at which all was settled last. */
    settledAt: (): number => settledAt,
    heldIn: (owner: string, entity: string, from: number, to: number): boolean =>
      indexOf(owner, entity).held.some((one) => one.from <= to && one.to >= from),
    heldThrough: (owner: string, entity: string, from: number, to: number): boolean =>
      indexOf(owner, entity).held.some((one) => one.from <= from && one.to > to),
  }
}

export type Account = ReturnType<typeof account>
