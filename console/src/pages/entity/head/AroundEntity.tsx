import { AroundLists } from '../../../parts/entity/AroundLists.tsx'
import { useAround } from '../../../parts/entity/useAround.ts'
import type { Details } from '../answers.ts'

const TYPES: readonly string[] = ['cidr', 'domain', 'hostname']

/** What is known inside a network; the names above and below a name. */
export function AroundEntity({ entity: { type, value } }: { entity: Details }) {
  const around = useAround(TYPES.includes(type) ? value : null)
  return around.data === undefined ? null : <AroundLists of={around.data} />
}
