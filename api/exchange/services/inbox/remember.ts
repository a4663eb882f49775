import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import {
  rememberedId,
  restated,
  type StatedObject,
  withdrawn,
} from '../../../../schemas/intelligence/observations/stated-object.ts'
import type { ReadWithdrawal } from './read-objects.ts'

/** What a published object claims of one entity; null: it claims nothing, and what it claimed before holds no more. */
export type Stated = {
  id: string
  /** Of an object: what follows each other has the same. */
  run: number
  version: string
  claim: { entityId: string; audience: readonly string[]; until: number } | null
}

/** Objects of a source by `rememberedId`, as they were known before. */
export type KnownObjects = ReadonlyMap<string, StatedObject>

/** Whether a later version of the object is known. */
export const isOlder = (known: KnownObjects, { id, version }: ReadWithdrawal): boolean =>
  version < (known.get(rememberedId(id))?.version ?? '')

/**
 * What is to be known of objects of a source from now on, so that a later version, or one that revokes it, takes back what
 * this one claims (decisions 15.3). None of them is older than what is known. Of objects of one id each takes the place
 * of the one before it, and those that follow each other are one.
 * @param at unix milliseconds
 */
export function remembered(
  known: KnownObjects,
  source: string,
  { stated, back, at }: { stated: readonly Stated[]; back: readonly ReadWithdrawal[]; at: number },
): StatedObject[] {
  const taken = back.map(({ id, version }) => withdrawn(known.get(rememberedId(id)), { source, id, version }))
  const said = new Map<string, StatedObject>()
  for (const those of Map.groupBy(stated, ({ run }) => run).values()) {
    const { id, version } = those[0]!
    const claims = those.flatMap(({ claim }) =>
      claim === null ? [] : [{ ...claim, audience: audienceId(claim.audience) }],
    )
    const before = said.get(id) ?? known.get(rememberedId(id))
    const object = restated(before, { source, id, version, at, claims })
    if (object !== null) said.set(id, object)
  }
  return [...said.values(), ...taken.filter((object) => object !== null)]
}
