export type MetricDeclaration = {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  /** The name in releases before; it is shown beside the new one for one release more. */
  formerly?: string
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[]
}
