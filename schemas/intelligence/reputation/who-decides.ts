/** What a value is answered with: its own entity, or what stands above it (decisions 18.2, 18.3). Pure. */

import { isCoveredBy, type TypedValue } from '../propagation/coverage.ts'
import type { PresentView } from '../state/present.ts'
import type { Asked, Level } from './asked.ts'

/** The answer for one value. Times are ISO 8601. */
export type Verdict = {
  /** As it was given. */
  value: string
  /** Whether an entity of exactly this value is known to the reader. */
  known: boolean
  type?: string
  id?: string
  reputation: number
  accuracy: number
  tags: string[]
  wellKnown: boolean
  firstSeen?: string
  lastSeen?: string
  /** The entity above it that decides. */
  by?: { id: string; type: string; value: string }
  /** The value has not the form of an indicator, and is known as nothing. */
  notIndicator?: true
  /** An address that is not public: nothing decides for it but an entity of exactly this value. */
  notPublic?: true
}

/** What of an entity says whether it decides. */
export type Deciding = Pick<
  PresentView,
  'entityId' | 'type' | 'value' | 'reputation' | 'accuracy' | 'wellKnown' | 'covered' | 'covers'
>

/** Whether an entity of exactly the value decides. A verdict in it is a reputation, or a mark is above the verdict. */
export const decides = ({ reputation, wellKnown, covered }: Deciding): boolean =>
  reputation !== 0 || wellKnown || covered

/** Whether an entity decides for a value that is below it. */
const decidesFor = (subject: TypedValue, above: Deciding): boolean =>
  above.reputation !== 0 || (above.covers && isCoveredBy(subject, above))

/** Of several the one that is shown: one that decides, then the worst reputation, the highest accuracy, the smallest id. */
function firstOf<View extends Deciding>(views: readonly View[], deciding: (view: View) => boolean): View | null {
  let first: View | null = null
  for (const view of views) if (first === null || isBefore(view, first, deciding)) first = view
  return first
}

function isBefore<View extends Deciding>(a: View, b: View, deciding: (view: View) => boolean): boolean {
  const isFirst = Number(deciding(b)) - Number(deciding(a))
  if (isFirst !== 0) return isFirst < 0
  if (a.reputation !== b.reputation) return a.reputation < b.reputation
  if (a.accuracy !== b.accuracy) return a.accuracy > b.accuracy
  return a.entityId < b.entityId
}

/** Views by value, of those that were looked up. */
export type Views<View = PresentView> = { get(value: string): readonly View[] | undefined }

function viewsAt<View extends Deciding>(levels: readonly Level[], views: Views<View>): View[] {
  const found: View[] = []
  for (const { value, types } of levels)
    for (const view of views.get(value) ?? []) if (types.has(view.type)) found.push(view)
  return found
}

/** The entity of exactly the value; null: none is known. One of the form that the value has comes before a free text. */
export function ownEntity<View extends Deciding>(
  { own, texts }: Pick<Asked, 'own' | 'texts'>,
  views: Views<View>,
): View | null {
  const ofForm = viewsAt(own, views)
  return firstOf(ofForm.length > 0 ? ofForm : viewsAt(texts, views), decides)
}

/**
 * The nearest entity above the value that decides for it; null: none does.
 * @param networks values of the networks around it, the narrowest first
 */
export function entityAbove<View extends Deciding>(
  { subject, above }: Pick<Asked, 'subject' | 'above'>,
  networks: readonly string[],
  views: Views<View>,
): View | null {
  if (subject === null) return null
  const deciding = (view: View): boolean => decidesFor(subject, view)
  const around = networks.map((value) => ({ value, types: NETWORKS }))
  for (const level of [...above.levels, ...around]) {
    const found = firstOf(viewsAt([level], views).filter(deciding), deciding)
    if (found !== null) return found
  }
  return null
}

const NETWORKS: ReadonlySet<string> = new Set(['cidr'])

/** The answer, of the entity of the value and of the one that decides above it. */
export function verdictOf(asked: Asked, own: PresentView | null, by: PresentView | null): Verdict {
  // Field by field: spreading parts of an object takes longer than all else here.
  const verdict: Verdict = own === null ? ofUnknown(asked.value, by) : ofKnown(asked.value, own, by ?? own)
  if (by !== null) verdict.by = { id: by.entityId, type: by.type, value: by.value }
  if (own === null && !asked.indicator) verdict.notIndicator = true
  if (asked.notPublic) verdict.notPublic = true
  return verdict
}

const ofUnknown = (value: string, shown: PresentView | null): Verdict => ({
  value,
  known: false,
  reputation: shown?.reputation ?? 0,
  accuracy: shown?.accuracy ?? 0,
  tags: tagsOf(shown),
  wellKnown: shown?.wellKnown ?? false,
})

const ofKnown = (value: string, own: PresentView, shown: PresentView): Verdict => ({
  value,
  known: true,
  type: own.type,
  id: own.entityId,
  reputation: shown.reputation,
  accuracy: shown.accuracy,
  tags: tagsOf(shown),
  wellKnown: shown.wellKnown,
  firstSeen: iso(own.firstSeen),
  lastSeen: iso(own.lastSeen),
})

/** Nobody changes them: copying the tags of ten thousand values would take a millisecond. */
const tagsOf = (shown: PresentView | null): string[] => (shown?.tags ?? []) as string[]

const iso = (at: number): string => new Date(at).toISOString()
