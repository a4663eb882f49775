import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`, or as soon as `signal` is aborted. The caller looks at the signal. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

/** A timer may end so much before its time, milliseconds. */
const EARLY_MS = 1

/**
 * How long until the next moment of a period, whole milliseconds: all that look again in one period, in all processes of
 * a machine, do so together and wake it once (ADR 281). By a clock that is never set.
 */
export const untilNext = (everyMs: number): number =>
  Math.ceil(everyMs - ((performance.timeOrigin + performance.now()) % everyMs)) + EARLY_MS
