/** The text that a start prints: the URLs, and the administrator's key pair if this start created it. */
export function banner(start: {
  url: string
  /** Where metrics are shown without credentials; null: only to administrators, beside the API. */
  metricsUrl: string | null
  /** Where SQL users ask; null when a server is elsewhere. */
  sqlUrl: string | null
  dataDir: string
  /** Parts that are not ready; none after a start that went well. */
  missing: readonly string[]
  administrator: { key: string; secret: string; made: boolean } | null
}): string {
  const { url, metricsUrl, sqlUrl, dataDir, administrator, missing } = start
  const state =
    missing.length === 0 ? 'is up' : `runs but is NOT ready: ${missing.join(', ')} (see the log for the reasons)`
  const lines = [
    '',
    `  Harrier ${state}`,
    '',
    `  Console    ${url}`,
    `  API        ${url}`,
    `  Documents  ${url}/docs`,
    `  Ready      ${url}/readyz`,
    `  Metrics    ${metricsUrl === null ? `${url}/metrics (for administrators)` : `${metricsUrl}/metrics`}`,
    ...(sqlUrl === null ? [] : [`  SQL        ${sqlUrl} (harrier sql-user add ...)`]),
    `  Data       ${dataDir}`,
  ]
  if (administrator?.made)
    lines.push('', '  Administrator', `  api-key     ${administrator.key}`, `  api-secret  ${administrator.secret}`)
  return `${lines.join('\n')}\n\n`
}
