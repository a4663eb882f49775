import type { Answers } from '../answers/port.ts'
import type { FileState } from '../follow/files.ts'

/** What an edge counts, in the text format of Prometheus. */
export function metricsText(
  answers: Answers,
  open: readonly { protocol: string; connections: number }[],
  files: readonly FileState[],
): string {
  const lines: string[] = []
  const metric = (
    name: string,
    help: string,
    values: readonly { labels?: Record<string, string>; value: number }[],
  ) => {
    lines.push(`# HELP harrier_edge_${name} ${help}`, `# TYPE harrier_edge_${name} gauge`)
    for (const { labels = {}, value } of values) {
      const named = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      lines.push(`harrier_edge_${name}${named.length > 0 ? `{${named.join()}}` : ''} ${value}`)
    }
  }
  const age = answers.ageSeconds()
  metric('items', 'items of the list', [{ value: answers.size() }])
  metric('sequence', 'sequence of the feed at which the list stands', [{ value: answers.sequence() }])
  metric(
    'age_seconds',
    'time since the platform last answered',
    age === null ? [] : [{ value: Number(age.toFixed(1)) }],
  )
  metric('stale', '1: the list is too old to answer from, or is not there yet', [{ value: answers.isStale() ? 1 : 0 }])
  metric(
    'connections',
    'open connections',
    open.map(({ protocol, connections }) => ({ labels: { protocol }, value: connections })),
  )
  metric(
    'file_sequence',
    'sequence of the file as it was last fetched; -1: never',
    files.map(({ path, sequence }) => ({ labels: { path }, value: sequence })),
  )
  metric(
    'file_failures',
    'times that the file was not written',
    files.map(({ path, failed }) => ({ labels: { path }, value: failed })),
  )
  return `${lines.join('\n')}\n`
}
