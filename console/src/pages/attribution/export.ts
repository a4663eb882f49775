import { type Attribution, dimensions, type Which } from './dimensions.ts'

/** Names of the columns of `exportRows`. */
export const EXPORT_COLUMNS = [
  'dimension',
  'key',
  'organisation',
  'entities',
  'share',
  'malicious_only',
  'since',
] as const

/** Every line of the page, one row each; `share` of `total` with four digits, empty while that is not known. */
export const exportRows = (lists: Attribution, total: number | null, which: Which): (string | number)[][] =>
  dimensions.flatMap(({ id }) =>
    lists[id].map(({ key, count, organisation }) => [
      id,
      key,
      organisation ?? '',
      count,
      total === null || total === 0 ? '' : (count / total).toFixed(4),
      String(which.malicious),
      which.since ?? '',
    ]),
  )

/** `harrier-attribution-malicious-2026-11-22.csv`; `now` in unix milliseconds, the day is that of UTC. */
export const exportName = (malicious: boolean, now: number): string =>
  `harrier-attribution-${malicious ? 'malicious' : 'all'}-${new Date(now).toISOString().slice(0, 10)}.csv`
