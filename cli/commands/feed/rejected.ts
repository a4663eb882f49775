import { countedOnly, type Rejects, rejectsFile } from '../../../pipelines/import/rejects.ts'
import { amount } from '../values/amount.ts'
import { unusable } from '../values/values.ts'

/** Reasons that are printed; the file of `--rejects` has all. */
const FIRST = 5
const MAX_REASON = 300
/** As long as a line of a terminal is read at a glance; a cell that is longer ends with a sign of that. */
const MAX_RAW = 256

/** Nothing worked: what was typed does not fit the file. As for a command line that cannot be used. */
export const ALL_REJECTED = 2

export type Rejected = { line: number; reason: string; raw: string }

export type RejectedLines = {
  /** @param already as of `rejectsFile` */
  open(already: number): Promise<Rejects>
  /** The first ones of this run. */
  first: readonly Rejected[]
  /** What is printed of them; nothing when all lines were taken. `of`: how many were rejected. */
  text(of: number): string
}

/** Remembers the first rejected lines, and writes all of them to the file of `--rejects`. */
export function rejectedLines(file: string | undefined): RejectedLines {
  const first: Rejected[] = []
  return {
    first,
    async open(already) {
      const all = file === undefined ? countedOnly : await rejectsFile(file, already).catch(unusable(file))
      return {
        async add(items) {
          for (const { line, rejected, raw } of items.slice(0, FIRST - first.length))
            first.push({ line, reason: shown(rejected, MAX_REASON), raw: shown(raw, MAX_RAW) })
          await all.add(items)
        },
      }
    },
    text(of) {
      const lines = first.map(({ line, reason, raw }) => `line ${line}: ${reason}${raw === '' ? '' : `: ${raw}`}\n`)
      const more = of - first.length
      if (first.length === 0 || more <= 0) return lines.join('')
      const where =
        file === undefined ? '; --rejects <file> writes all of them to a file' : `; all of them are in ${file}`
      return `${lines.join('')}and ${amount(more, 'more rejected line')}${where}\n`
    },
  }
}

/** What is in a feed may come from anybody: nothing in it may move the cursor of a terminal. */
const shown = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replace(/\t/g, ' ').replace(/\p{C}/gu, '?')
