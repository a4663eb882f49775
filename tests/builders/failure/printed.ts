const TOLD_CHARACTERS = 1_000
/** Of the processes that ended in this file. */
const KEPT = 3

type Said = readonly [pid: number, output: () => string]

const running = new Map<number, () => string>()
const ended: Said[] = []

/** @param output what a process prints, for `lastWords`; the returned function says that it ended */
export function listen(pid: number, output: () => string): () => void {
  running.set(pid, output)
  return () => {
    running.delete(pid)
    ended.push([pid, output])
    ended.splice(0, ended.length - KEPT)
  }
}

const told = ([pid, output]: Said): string =>
  `platform ${pid} printed last: ${output().slice(-TOLD_CHARACTERS).replace(/\s+/g, ' ')}\n`

/** What each platform that runs now printed last, a line each. */
export const lastWords = (): string => [...running].map(told).join('')

/** The same with those that ended last. */
export const allLastWords = (): string => [...ended, ...running].map(told).join('')
