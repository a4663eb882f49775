/** What became of the lines of a log. */

type Output = { write(text: string): unknown }

export type Tally = {
  /** One more line was read. */
  read(): void
  /** It has nothing that is looked up. */
  nothing(): void
  /** Values that no event may have were left out of it. */
  left(values: number): void
  accepted(events: number): void
  /** It could not be read, or the platform refused it. `line`: from 1, of its file. */
  bad(line: number, reason: string): void
  summary(): string
  /** The same numbers for a program. */
  totals(): Readonly<Record<'read' | 'accepted' | 'bad' | 'nothing' | 'left', number>>
}

/** Bad lines that are shown; a log in the wrong format has millions. */
const SHOWN = 10
const MAX_REASON = 300

/** Counts, and shows the first bad lines. */
export function tally(stderr: Output): Tally {
  const counts = { read: 0, nothing: 0, left: 0, accepted: 0, bad: 0 }
  return {
    read() {
      counts.read++
    },
    nothing() {
      counts.nothing++
    },
    left(values) {
      counts.left += values
    },
    accepted(events) {
      counts.accepted += events
    },
    bad(line, reason) {
      counts.bad++
      // A reason may quote the log, and nothing in that may move the cursor of a terminal.
      if (counts.bad <= SHOWN) stderr.write(`line ${line}: ${reason.slice(0, MAX_REASON).replace(/\p{C}/gu, '?')}\n`)
      else if (counts.bad === SHOWN + 1) stderr.write('further invalid lines are only counted\n')
    },
    totals: () => counts,
    summary() {
      const left = counts.left === 0 ? '' : `, ${counts.left} values left out`
      return `${counts.read} lines read: ${counts.accepted} events accepted, ${counts.bad} bad, ${counts.nothing} with nothing to match${left}\n`
    },
  }
}
