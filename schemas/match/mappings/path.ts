/** Where a value stands in a record of a sensor. */

/** Every text and number at a place of a record, lists flattened, in their order. */
export type Path = (record: unknown) => string[]

/** Lists within lists, and steps: no sensor nests deeper, and whoever sends more must not end the program. */
const MAX_DEPTH = 16

type Step =
  /** Names that may follow, by how many steps they take: `a.b` stands nested or as one name with a dot. */
  | { keys: readonly string[] }
  /** Goes on only where the object has the key, with the value when one is given; `loose`: however it is spelt. */
  | { has: string; value: string | null; loose: boolean }

const isFilter = (part: string): boolean => part.startsWith('[')

/**
 * `dns.answers.data` finds `{dns: {answers: [{data}]}}` and `{"dns.answers": [{data}]}`. A part in brackets is a condition
 * of the object that it stands in: `file.hashes.[algorithm_id=1].value`, `[request_type].client`. With `~` in place of `=`
 * neither the case nor signs count: `[algorithm~sha256]` finds `SHA-256`.
 */
export function compilePath(text: string): Path {
  const parts = text.split('.')
  const steps = parts.map((part, at): Step => {
    if (isFilter(part)) {
      const [has, value = null] = part.slice(1, -1).split(/[=~]/)
      return { has: has!, value, loose: part.includes('~') }
    }
    const filter = parts.findIndex((next, index) => index > at && isFilter(next))
    const names = parts.slice(at, filter < 0 ? undefined : filter)
    return { keys: names.map((_, last) => names.slice(0, last + 1).join('.')) }
  })
  return (record) => {
    const found: string[] = []
    collect(record, steps, 0, MAX_DEPTH, found)
    return found
  }
}

function collect(node: unknown, steps: readonly Step[], at: number, depth: number, found: string[]): void {
  if (depth === 0 || node === null || node === undefined) return
  if (Array.isArray(node)) {
    for (const one of node) collect(one, steps, at, depth - 1, found)
    return
  }
  const step = steps[at]
  if (step === undefined) {
    if (typeof node === 'string') found.push(node)
    else if (typeof node === 'number') found.push(String(node))
    return
  }
  if (typeof node !== 'object') return
  const members = node as Readonly<Record<string, unknown>>
  if ('has' in step) {
    if (!Object.hasOwn(members, step.has)) return
    const text = String(members[step.has])
    const said = step.loose ? text.toLowerCase().replaceAll(/[\s_/-]/g, '') : text
    if (step.value === null || said === step.value) collect(node, steps, at + 1, depth - 1, found)
    return
  }
  for (const [more, key] of step.keys.entries())
    if (Object.hasOwn(members, key)) collect(members[key], steps, at + more + 1, depth - 1, found)
}
