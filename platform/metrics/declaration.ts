export type MetricDeclaration = {
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[]
}
