import { InvalidArgumentError } from 'commander'
import type { Bounds } from '../../../pipelines/rebuild/plan.ts'

export type StartOptions = {
  fromOffset?: Map<number, number>
  toOffset?: Map<number, number>
  since?: number
  until?: number
  feed?: string
  promote?: boolean
  workers: number
  entities: number
}

/** `partition:offset`, given once for each partition. */
export function parseOffset(text: string, before: Map<number, number> | undefined): Map<number, number> {
  const match = /^(\d{1,5}):(\d{1,15})$/.exec(text)
  if (match === null) throw new InvalidArgumentError('must be partition:offset, such as 0:1000')
  return new Map(before).set(Number(match[1]), Number(match[2]))
}

/** @returns unix milliseconds */
export function parseTime(text: string): number {
  const at = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at))
    throw new InvalidArgumentError('must be a time, such as 2026-01-31 or 2026-01-31T12:00:00Z')
  return at
}

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const n = Number(text)
    if (!/^\d+$/.test(text) || n < least || n > most)
      throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`)
    return n
  }

/** What is wanted of the log. @throws Error that names two options that exclude each other */
export function boundsOf({ fromOffset, toOffset, since, until }: StartOptions): Bounds {
  if ((fromOffset ?? toOffset) !== undefined && (since ?? until) !== undefined)
    throw new Error('bound the log by offsets or by time, not by both')
  return { from: fromOffset ?? new Map(), to: toOffset ?? new Map(), since: since ?? null, until: until ?? null }
}

export const isBounded = (o: StartOptions): boolean =>
  [o.fromOffset, o.toOffset, o.since, o.until, o.feed].some((given) => given !== undefined)
