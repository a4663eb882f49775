/** What a start prints for people: where things are, and the administrator's key pair while it is an embedded one. */
export function banner(start: {
  url: string
  dataDir: string
  administrator: { key: string; secret: string; made: boolean } | null
}): string {
  const { url, dataDir, administrator } = start
  const lines = [
    '',
    '  Harrier is up',
    '',
    `  API        ${url}`,
    `  Documents  ${url}/docs`,
    `  Ready      ${url}/readyz`,
    `  Metrics    ${url}/metrics`,
    `  Data       ${dataDir}`,
  ]
  if (administrator?.made)
    lines.push('', '  Administrator', `  api-key     ${administrator.key}`, `  api-secret  ${administrator.secret}`)
  return `${lines.join('\n')}\n\n`
}
