import { Presets, SingleBar } from 'cli-progress'

/** How far an import is, and what it has done. */
type ImportProgress = { bytes: number; published: number; rejected: number }

export type Progress<State = ImportProgress> = { update(state: State): void; stop(): void }

/** What of a state is measured, and told. */
export type Measure<State> = {
  /** As much of the total as is done. */
  done(state: State): number
  /** What the rate is of. */
  counted(state: State): number
  says(state: State): string
}

const IMPORT: Measure<ImportProgress> = {
  done: ({ bytes }) => bytes,
  counted: ({ published }) => published,
  says: ({ published, rejected }) => `${published} published, ${rejected} rejected`,
}

type Output = NodeJS.WritableStream & { isTTY?: boolean }

/** Milliseconds between lines where there is no terminal. */
const LINE_EVERY = 5_000

/**
 * A bar with rate and estimate on a terminal, a line every few seconds elsewhere.
 * @param total of what is done; null when nobody knows, which leaves out share and estimate
 * @param now unix milliseconds
 */
export function progressTo(output: Output, total: number | null, now: () => number): Progress {
  return progressOf(output, total, now, IMPORT)
}

/** The same of any state. */
export const progressOf = <State>(output: Output, total: number | null, now: () => number, measure: Measure<State>) =>
  output.isTTY ? bar(output, total, now, measure) : lines(output, total, now, measure)

function bar<State>(stream: Output, total: number | null, now: () => number, measure: Measure<State>): Progress<State> {
  const started = now()
  const format = total === null ? '{says}, {rate}/s' : '{bar} {percentage} %, {says}, {rate}/s, {left} left'
  const single = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic)
  single.start(total ?? 1, 0, { says: '', rate: 0, left: '?' })
  return {
    update(state) {
      const elapsed = now() - started
      single.update(total === null ? 0 : measure.done(state), {
        says: measure.says(state),
        rate: perSecond(measure.counted(state), elapsed),
        left: total === null ? '' : duration(remaining(measure.done(state), total, elapsed)),
      })
    },
    stop: () => single.stop(),
  }
}

function lines<State>(
  output: Output,
  total: number | null,
  now: () => number,
  measure: Measure<State>,
): Progress<State> {
  const started = now()
  let next = started + LINE_EVERY
  return {
    update(state) {
      const time = now()
      if (time < next) return
      next = time + LINE_EVERY
      const done = measure.done(state)
      const share = total === null || total === 0 ? '' : `${Math.floor((100 * done) / total)} %, `
      const left = total === null ? '' : `, ${duration(remaining(done, total, time - started))} left`
      const rate = perSecond(measure.counted(state), time - started)
      output.write(`${share}${measure.says(state)}, ${rate}/s${left}\n`)
    },
    stop() {},
  }
}

/** Things a second, whole; 0 before any time has passed. */
export const perSecond = (count: number, elapsedMs: number): number =>
  elapsedMs > 0 ? Math.round((count * 1_000) / elapsedMs) : 0

const remaining = (done: number, total: number, elapsedMs: number): number =>
  done > 0 ? (elapsedMs * Math.max(0, total - done)) / done : Number.NaN

/** `1 h 5 min`, `5 min 3 s`, `3 s`; `?` when not known. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '?'
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
}
