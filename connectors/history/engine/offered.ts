import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** How chdb names the package with its engine for a machine. */
const packageFor = (platform: string, arch: string): string =>
  `@chdb/lib-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`

const installed = (name: string): boolean => {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

/** What to do where npm has installed no embedded engine for this machine; null where it has. */
export function engineMissing(
  platform: string = process.platform,
  arch: string = process.arch,
  has: (name: string) => boolean = installed,
): string | null {
  const name = packageFor(platform, arch)
  if (has('chdb') && has(name)) return null
  return (
    `the embedded ClickHouse engine is not available for this machine (${platform} ${arch}: the package ${name} is not installed); ` +
    'set CLICKHOUSE_URL to a ClickHouse server (docs/running.md), or run `npm install` on a platform that has this package'
  )
}
