import { InvalidArgumentError } from 'commander'
import type { Bounds } from '../../../pipelines/rebuild/plan.ts'
import { UsageError } from '../../wiring/process/usage.ts'

export type StartOptions = {
  fromOffset?: Map<number, number>
  toOffset?: Map<number, number>
  since?: number
  until?: number
  feed?: string
  promote?: boolean
  json?: true
  workers: number
  entities: number
}

/** `partition:offset`, given once for each partition. */
export function parseOffset(text: string, before: Map<number, number> | undefined): Map<number, number> {
  const match = /^(\d{1,5}):(\d{1,15})$/.exec(text)
  if (match === null) throw new InvalidArgumentError('Expected partition:offset, such as 0:1000.')
  return new Map(before).set(Number(match[1]), Number(match[2]))
}

/** What is wanted of the log. @throws UsageError that names two options that exclude each other */
export function boundsOf({ fromOffset, toOffset, since, until }: StartOptions): Bounds {
  if ((fromOffset ?? toOffset) !== undefined && (since ?? until) !== undefined)
    throw new UsageError('bound the log by offsets or by time, not by both')
  return { from: fromOffset ?? new Map(), to: toOffset ?? new Map(), since: since ?? null, until: until ?? null }
}

export const isBounded = (o: StartOptions): boolean =>
  [o.fromOffset, o.toOffset, o.since, o.until, o.feed].some((given) => given !== undefined)
