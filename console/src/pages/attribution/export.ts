import { type AttributionAnswer, dimensions } from './dimensions.ts'

/** Names of the columns of `exportRows`. */
export const EXPORT_COLUMNS = ['dimension', 'key', 'entities', 'share', 'malicious_only'] as const

/** Every bar of the page, one row each; `share` of `total` with four digits, empty while that is not known. */
export const exportRows = (answer: AttributionAnswer, total: number | null): (string | number)[][] =>
  dimensions.flatMap((dimension) =>
    dimension
      .buckets(answer)
      .map(({ key, count }) => [
        dimension.id,
        key,
        count,
        total === null || total === 0 ? '' : (count / total).toFixed(4),
        String(answer.malicious_only),
      ]),
  )

/** `harrier-attribution-malicious-2026-11-22.csv`; `now` in unix milliseconds, the day is that of UTC. */
export const exportName = (malicious: boolean, now: number): string =>
  `harrier-attribution-${malicious ? 'malicious' : 'all'}-${new Date(now).toISOString().slice(0, 10)}.csv`
