const TOLD_CHARACTERS = 1_000

const running = new Map<number, () => string>()

/** @param output what a process prints, for `lastWords`; the returned function ends that */
export function listen(pid: number, output: () => string): () => void {
  running.set(pid, output)
  return () => void running.delete(pid)
}

/** What each platform that runs now printed last, a line each. */
export const lastWords = (): string =>
  [...running]
    .map(([pid, output]) => `platform ${pid} printed last: ${output().slice(-TOLD_CHARACTERS).replace(/\s+/g, ' ')}\n`)
    .join('')
