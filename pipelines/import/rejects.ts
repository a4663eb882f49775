import { appendFile, writeFile } from 'node:fs/promises'
import type { RejectedItem } from '../../connectors/feeds/parse/item.ts'

/** Maximum number of rejected lines that are recorded; further ones are only counted. */
const MAX_REJECTS = 100_000

export type Rejects = { add(items: readonly RejectedItem[]): Promise<void> }

/** No file: rejected lines are only counted. */
export const countedOnly: Rejects = { async add() {} }

/**
 * A tab-separated file of what was rejected: line, reason, the beginning of the raw text.
 * @param already lines of the file that an interrupted run left; 0 begins it anew
 */
export async function rejectsFile(path: string, already: number): Promise<Rejects> {
  if (already === 0) await writeFile(path, '')
  let written = already
  return {
    async add(items) {
      const fitting = items.slice(0, Math.max(0, MAX_REJECTS - written))
      written += fitting.length
      const rows = fitting.map(({ line, rejected, raw }) => `${line}\t${oneCell(rejected)}\t${oneCell(raw)}\n`)
      if (rows.length > 0) await appendFile(path, rows.join(''))
    },
  }
}

const oneCell = (text: string): string => text.replace(/[\t\r\n]/g, ' ')
