/** The fields of a record that `source` keeps. */
export function kept(
  source: { includes?: readonly string[]; excludes?: readonly string[] } | undefined,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { includes = [], excludes = [] } = source ?? {}
  if (includes.length + excludes.length === 0) return { ...record }
  const is = (path: string) => (includes.length === 0 || named(includes, path)) && !named(excludes, path)
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    if (name !== 'attributes') {
      if (is(name)) found[name] = value
      continue
    }
    const inside = Object.entries(value as object).filter(([attribute]) => is(`attributes.${attribute}`))
    if (inside.length > 0) found[name] = Object.fromEntries(inside)
  }
  return found
}

/** Whether one of the names is this one, or that of the object it is in. */
const named = (names: readonly string[], path: string): boolean =>
  names.some((name) => {
    const pattern = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
    return new RegExp(`^${pattern}${name.includes('*') ? '' : '(?:\\..*)?'}$`, 's').test(path)
  })
