/** What the visits of the pages cost, as a table. */

import type { Visit } from './take.ts'

export type Row = {
  page: string
  path: string
  /** The median of the looks, in milliseconds. */
  firstPaintMs: number
  /** Scripts and style sheets of a first visit, compressed, in KiB: the largest of the looks. */
  bundleKb: number
  complaints: string[]
}

/** @param visits at least one, by the name of the look */
export function rowOf(page: string, path: string, visits: Readonly<Record<string, Visit>>): Row {
  const all = Object.entries(visits)
  const paints = all.map(([, { paintMs }]) => paintMs).sort((a, b) => a - b)
  return {
    page,
    path,
    firstPaintMs: Math.round(paints[Math.floor(paints.length / 2)]!),
    bundleKb: Math.round(Math.max(...all.map(([, { bundleBytes }]) => bundleBytes)) / 1024),
    complaints: all.flatMap(([look, { complaints }]) => complaints.map((text) => `${look}: ${text}`)),
  }
}

/** The rows as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ page, path, firstPaintMs, bundleKb, complaints }) =>
      `| ${page} | \`${path}\` | ${firstPaintMs} | ${bundleKb} | ${complaints.join('; ').replaceAll('|', '/')} |`,
  )
  return `${['| Page | Address | First paint (ms) | Scripts and styles (KiB) | Complaints |', '|---|---|---|---|---|', ...lines].join('\n')}\n`
}
