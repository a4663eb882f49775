import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'

/** Bounds of one report, as the platform has them. */
export const MAX_LEVELS = 10
export const MAX_ENTITIES = 1_000

/** One entity of a report, as it is being written. */
export type Draft = {
  /** Identifies the draft while it is moved; never sent. */
  key: number
  type: string
  /** By attribute name, the main one too; empty ones are not sent. */
  values: Readonly<Record<string, string>>
  /** Additional attribute names, in the order in which the user added them. */
  more: readonly string[]
  mode: LinkMode
  associations: readonly Draft[]
}

/** What is said of the root alone. */
export type Claim = {
  reputation: number | null
  tags: readonly string[]
  visibleBy: readonly string[]
  correlate: readonly string[]
}

type AssociationBody = {
  mode: LinkMode
  type: string
  attributes: Record<string, string>
  associations?: AssociationBody[]
}

export type ReportBody = Omit<AssociationBody, 'mode'> & {
  reputation?: number
  tags?: string[]
  correlate?: string[]
  visibleBy?: string[]
}

let keys = 0

export const newDraft = (type: string, value = ''): Draft => ({
  key: keys++,
  type,
  values: value === '' ? {} : { [type]: value },
  more: [],
  mode: 'association',
  associations: [],
})

/** The main value comes first. It is sent even when empty, so that the platform reports the error at its field. */
function attributesOf({ type, values }: Draft): Record<string, string> {
  const others = Object.entries(values).filter(([name, value]) => name !== type && value.trim() !== '')
  return { [type]: (values[type] ?? '').trim(), ...Object.fromEntries(others) }
}

function associationBody(draft: Draft): AssociationBody {
  const { mode, type } = draft
  return { mode, type, attributes: attributesOf(draft), ...associationsOf(draft) }
}

const associationsOf = ({ associations }: Draft) =>
  associations.length === 0 ? {} : { associations: associations.map(associationBody) }

/** The body of `POST /api/ingest/v1/entity`. Associations keep their places: refusals name them by these. */
export function bodyOf(root: Draft, claim: Claim): ReportBody {
  const attributes = attributesOf(root)
  const correlate = claim.correlate.filter((name) => name !== root.type && name in attributes)
  return {
    type: root.type,
    attributes,
    ...(claim.reputation === null ? {} : { reputation: claim.reputation }),
    ...(claim.tags.length === 0 ? {} : { tags: [...claim.tags] }),
    ...(correlate.length === 0 ? {} : { correlate }),
    ...(claim.visibleBy.length === 0 ? {} : { visibleBy: [...claim.visibleBy] }),
    ...associationsOf(root),
  }
}

/** How many entities a report is, the root with all below. */
export const sizeOf = (draft: Draft): number =>
  1 + draft.associations.reduce((sum, association) => sum + sizeOf(association), 0)

/** Another type keeps what was written as the main value, and the attributes. */
export function withType(draft: Draft, type: string): Draft {
  const { [draft.type]: main, [type]: there, ...others } = draft.values
  const value = there ?? main
  return {
    ...draft,
    type,
    values: { ...others, ...(value === undefined ? {} : { [type]: value }) },
    more: draft.more.filter((name) => name !== type),
  }
}
