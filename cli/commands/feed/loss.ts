import { writeFile } from 'node:fs/promises'
import type { Lost } from '../../../connectors/feeds/parse/stix/lost.ts'

/** Names come from anybody: nothing in them may move the cursor of a terminal, or look like another line. */
const shown = (name: string): string => name.replace(/[\p{C}\s]/gu, '?')

/** `lost <type> <property> <n>`, a line for each kind of loss (decisions 15.3). */
export const lossLines = (lost: readonly Lost[]): string =>
  lost.map(({ type, property, n }) => `lost ${shown(type)} ${shown(property)} ${n}\n`).join('')

/** The same as JSON, with names as they are: `{"lost": [{"type", "property", "n"}]}`. @throws what the file system does */
export const writeLoss = (path: string, lost: readonly Lost[]): Promise<void> =>
  writeFile(path, `${JSON.stringify({ lost }, null, 2)}\n`)
