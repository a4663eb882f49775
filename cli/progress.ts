import { Presets, SingleBar } from 'cli-progress'

/** How far a run is, and what it has done. */
type ProgressState = { bytes: number; published: number; rejected: number }

export type Progress = { update(state: ProgressState): void; stop(): void }

type Output = NodeJS.WritableStream & { isTTY?: boolean }

/** Milliseconds between lines where there is no terminal. */
const LINE_EVERY = 5_000

/**
 * A bar with rate and estimate on a terminal, a line every few seconds elsewhere.
 * @param total bytes in all; null when nobody knows, which leaves out share and estimate
 * @param now unix milliseconds
 */
export function progressTo(output: Output, total: number | null, now: () => number): Progress {
  return output.isTTY ? bar(output, total, now) : lines(output, total, now)
}

function bar(stream: Output, total: number | null, now: () => number): Progress {
  const started = now()
  const format =
    total === null
      ? '{published} published, {rejected} rejected, {rate}/s'
      : '{bar} {percentage} %, {published} published, {rejected} rejected, {rate}/s, {left} left'
  const single = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic)
  single.start(total ?? 1, 0, { published: 0, rejected: 0, rate: 0, left: '?' })
  return {
    update(state) {
      const { published, rejected, bytes } = state
      const elapsed = now() - started
      single.update(total === null ? 0 : bytes, {
        published,
        rejected,
        rate: perSecond(published, elapsed),
        left: total === null ? '' : duration(remaining(bytes, total, elapsed)),
      })
    },
    stop: () => single.stop(),
  }
}

function lines(output: Output, total: number | null, now: () => number): Progress {
  const started = now()
  let next = started + LINE_EVERY
  return {
    update({ bytes, published, rejected }) {
      const time = now()
      if (time < next) return
      next = time + LINE_EVERY
      const share = total === null || total === 0 ? '' : `${Math.floor((100 * bytes) / total)} %, `
      const left = total === null ? '' : `, ${duration(remaining(bytes, total, time - started))} left`
      const rate = perSecond(published, time - started)
      output.write(`${share}${published} published, ${rejected} rejected, ${rate}/s${left}\n`)
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
