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
 * this one claims (decisions-2 15.3). None of them is older than what is known.
 * @param at unix milliseconds
 */
export function remembered(
  known: KnownObjects,
  source: string,
  { stated, back, at }: { stated: readonly Stated[]; back: readonly ReadWithdrawal[]; at: number },
): StatedObject[] {
  const taken = back.map(({ id, version }) => withdrawn(known.get(rememberedId(id)), { source, id, version }))
  const said = [...Map.groupBy(stated, ({ id }) => id)].map(([id, those]) => {
    const claims = those.flatMap(({ claim }) =>
      claim === null ? [] : [{ ...claim, audience: audienceId(claim.audience) }],
    )
    return restated(known.get(rememberedId(id)), { source, id, version: those[0]!.version, at, claims })
  })
  return [...said, ...taken].filter((object) => object !== null)
}
