/** A tree of facts as submissions: only valid values, within the bounds of a submission. Pure. */

import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import type {
  LinkMode,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../../schemas/intelligence/observations/observation.ts'

/**
 * An entity, its attributes, and the facts that belong to it. Attributes with an undefined or invalid value are left
 * out.
 */
export type Fact = {
  type: string
  value: string
  attributes?: Record<string, string | undefined>
  parts?: FactPart[]
}
export type FactPart = Fact & { mode: LinkMode }

type Root = SubmittedEntity & { associations: SubmittedAssociation[] }

/**
 * The fact as entities, at most `most` including their associations; when there are more, the deepest ones are left
 * out. A value that its type refuses is left out, and its parts become roots of their own after the fact itself.
 */
export function submissions(fact: Fact, most: number): SubmittedEntity[] {
  const alone: Root[] = []
  const root = entity(fact, alone)
  const roots = root === null ? alone : [root, ...alone]
  return keepNearest(roots, most)
}

function entity({ type, value, attributes = {}, parts = [] }: Fact, alone: Root[]): Root | null {
  const normal = normalise(type, value)
  if (typeof normal !== 'string') {
    for (const part of parts) {
      const made = entity(part, alone)
      if (made !== null) alone.push(made)
    }
    return null
  }
  const associations = parts.flatMap((part): SubmittedAssociation[] => {
    const made = entity(part, alone)
    return made === null ? [] : [{ mode: part.mode, ...made }]
  })
  return { type, attributes: { ...valid(attributes), [type]: normal }, associations }
}

const valid = (attributes: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, given]) => {
      const normal = given === undefined ? null : normalise(name, given)
      return typeof normal === 'string' ? [[name, normal]] : []
    }),
  )

/** Level by level: entities nearer to the target are kept. */
function keepNearest(roots: Root[], most: number): SubmittedEntity[] {
  const kept = roots.slice(0, most)
  let room = most - kept.length
  let level: { associations?: SubmittedAssociation[] }[] = kept
  while (level.length > 0) {
    const next: SubmittedAssociation[] = []
    for (const one of level) {
      one.associations = (one.associations ?? []).slice(0, room)
      room -= one.associations.length
      next.push(...one.associations)
    }
    level = next
  }
  return kept
}
