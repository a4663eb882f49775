import {
  type Difference,
  type Mover,
  type Moves,
  REPUTATIONS,
} from '../../../pipelines/processors/intelligence/rescore-difference.ts'

const signed = (n: number): string => (n > 0 ? `+${n}` : String(n))
const cell = (text: string | number): string => String(text).padStart(10)

/** A difference as an operator reads it. `values`: of the entities among the movers, by id. */
export function formatDifference(d: Difference, values: ReadonlyMap<string, string>, seconds: number): string {
  const lines = [
    `${d.entities} entities in ${d.rows} rows (one row per entity and audience), ${seconds.toFixed(1)} s`,
    `${d.reputation} rows change their reputation, ${d.accuracy} their accuracy`,
    `${d.becomeMalicious} become malicious, ${d.becomeHarmless} are no longer malicious`,
    '',
    'reputation before (rows) and after (columns):',
    `${cell('')}${REPUTATIONS.map(cell).join('')}`,
    ...REPUTATIONS.map((from) => cell(from) + REPUTATIONS.map((to) => cell(d.matrix[from]![to]!)).join('')),
    ...moves('by type', d.byType),
    ...moves('by kind of source', d.bySourceKind),
  ]
  if (d.movers.length > 0)
    lines.push('', 'the largest movers:', ...d.movers.flatMap((mover) => moverLines(mover, values)))
  return `${lines.join('\n')}\n`
}

function moves(title: string, of: Moves): string[] {
  const total = (row: Record<number, number>): number => Object.values(row).reduce((sum, n) => sum + n, 0)
  const rows = Object.entries(of).sort(([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1))
  if (rows.length === 0) return []
  return [
    '',
    `changed rows ${title}, with the change of reputation:`,
    ...rows.map(([name, row]) => {
      const by = Object.keys(row)
        .map(Number)
        .sort((a, b) => a - b)
      return `  ${name.padEnd(20)} ${by.map((n) => `${signed(n)}: ${row[n]}`).join(', ')}`
    }),
  ]
}

const moverLines = ({ entityId, type, from, to, claims }: Mover, values: ReadonlyMap<string, string>): string[] => [
  `  ${type} ${values.get(entityId) ?? entityId}: ${from} -> ${to}`,
  ...claims.map(
    ({ source, reputation, before, after }) =>
      `      ${source} says ${reputation}, weight ${before.toFixed(3)} -> ${after.toFixed(3)}`,
  ),
]
