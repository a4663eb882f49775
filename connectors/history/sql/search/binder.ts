/** Collects the parameters of a query: what a caller wrote reaches the store as one of these and in no other way. */
export type Binder = {
  /** The placeholder of a value of a ClickHouse type; an equal value of the same type is bound once. */
  bind(value: unknown, type: string): string
  readonly params: Readonly<Record<string, unknown>>
}

export function binder(): Binder {
  const params: Record<string, unknown> = {}
  const known = new Map<string, string>()
  return {
    params,
    bind(value, type) {
      const sent = toWellFormed(value)
      const key = `${type} ${JSON.stringify(sent, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`
      const placeholder = known.get(key) ?? `{p${known.size}:${type}}`
      if (!known.has(key)) params[`p${known.size}`] = sent
      known.set(key, placeholder)
      return placeholder
    },
  }
}

/** Half a surrogate pair is no UTF-8: it stands in no stored value, and cannot be sent. */
function toWellFormed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWellFormed)
  return typeof value === 'string' ? value.toWellFormed() : value
}
