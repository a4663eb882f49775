import { entityId } from '../entities/id.ts'
import { entityOf, type Named } from '../entities/named.ts'
import type {
  Link,
  LinkMode,
  Observation,
  Provenance,
  SubmittedAssociation,
  SubmittedEntity,
} from '../observations/observation.ts'
import { relationshipFault } from '../observations/relationship.ts'
import { canCover, coversByDefault } from '../propagation/coverage.ts'
import { describe } from './attributes.ts'
import { type Invalid, invalid, printableName } from './invalid.ts'
import { observedAtFault } from './observed-at.ts'
import { normaliseTags } from './tags.ts'

/** What an observation says, apart from who says it and when. */
type Content = Pick<Observation, 'entityId' | 'type' | 'value' | 'attributes' | 'reputation' | 'tags' | 'links'>

/** Equal for equal contents, independent of the order of their members. */
const fingerprint = ({ entityId, attributes, reputation, tags, links }: Content): string =>
  JSON.stringify([
    entityId,
    reputation,
    tags,
    Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)),
    links.map((link) => `${link.mode} ${link.entityId} ${link.relationship ?? ''}`).sort(),
  ])

/** The contents without exact repetitions, each at its first place (decisions 3.4). */
function distinct(contents: readonly Content[]): readonly Content[] {
  if (contents.length < 2) return contents
  const seen = new Set<string>()
  return contents.filter((content) => {
    const print = fingerprint(content)
    return !seen.has(print) && seen.add(print)
  })
}

/** Bounds of one submission (decisions 3.4). */
export const MAX_ENTITIES = 1_000
export const MAX_LEVELS = 10

export type Identifiers = {
  submissionId: string
  /** Called once for every observation, in order. */
  nextId: () => string
}

/** `entityId` is the root's, whose observation comes first. */
export type Expanded = { ok: true; entityId: string; observations: Observation[] }

const MODES: ReadonlySet<string> = new Set<LinkMode>(['aggregation', 'association'])

/**
 * Adds a relation, once with each relationship type; an entity that is named as its own associate is not related to
 * itself.
 */
function link(parent: Content, { mode, entityId, relationship }: Link): void {
  if (entityId === parent.entityId) return
  const isSame = (known: Link) =>
    known.entityId === entityId && known.mode === mode && known.relationship === relationship
  if (!parent.links.some(isSame)) parent.links.push({ mode, entityId, relationship })
}

const content = ({ type, value }: Named, attributes: Record<string, string>): Content => ({
  entityId: entityId(type, value),
  type,
  value,
  attributes,
  reputation: null,
  tags: [],
  links: [],
})

/** Appends the associations of `parent` and, after each, its own: document order. The first fault, or null. */
function associate(
  into: Content[],
  parent: Content,
  associations: readonly SubmittedAssociation[],
  path: string,
  level: number,
): Invalid | null {
  if (associations.length === 0) return null
  const list = `${path}associations`
  if (level > MAX_LEVELS) return invalid(list, `${list} is nested more than ${MAX_LEVELS} levels deep`)
  for (const [i, given] of associations.entries()) {
    const at = `${list}[${i}].`
    if (into.length >= MAX_ENTITIES) return invalid(list, `the submission has more than ${MAX_ENTITIES} entities`)
    if (!MODES.has(given.mode)) return invalid(`${at}mode`, `${at}mode must be aggregation or association`)
    const relationship = given.relationship ?? null
    const unrelated = relationship === null ? null : relationshipFault(relationship)
    if (unrelated !== null) return invalid(`${at}relationship`, `${at}relationship ${unrelated}`)
    const described = describe(given.type, given.attributes, at)
    if (!described.ok) return described
    const child = content(described.entity, described.attributes)
    into.push(child)
    link(parent, { mode: given.mode, entityId: child.entityId, relationship })
    const fault = associate(into, child, given.associations ?? [], at, level + 1)
    if (fault !== null) return fault
  }
  return null
}

/** Adds the entities that `correlate` names, each an associate of the root. The first fault, or null. */
function correlate(into: Content[], root: Content, main: string, names: readonly string[]): Invalid | null {
  for (const [i, name] of names.entries()) {
    // The main attribute is the root itself: there is nothing to add and nothing to link it to.
    if (name === main || name === root.type) continue
    const value = Object.hasOwn(root.attributes, name) ? root.attributes[name] : undefined
    const param = `correlate[${i}]`
    if (value === undefined) return invalid(param, `${param} ${printableName(name)} is not an attribute of this entity`)
    if (into.length >= MAX_ENTITIES)
      return invalid('correlate', `the submission has more than ${MAX_ENTITIES} entities`)
    const child = content(entityOf(name, value), {})
    into.push(child)
    link(root, { mode: 'association', entityId: child.entityId, relationship: null })
  }
  return null
}

function reputationFault(reputation: number | null | undefined, kind: Provenance['kind']): Invalid | null {
  if (reputation === null || reputation === undefined) return null
  if (kind === 'well_known') return invalid('reputation', 'reputation is not allowed in a well-known mark')
  const inRange = Number.isInteger(reputation) && reputation >= -3 && reputation <= 3
  return inRange ? null : invalid('reputation', 'reputation must be an integer -3..3')
}

function coversFault({ type, covers }: SubmittedEntity, kind: Provenance['kind']): Invalid | null {
  if (covers !== true) return null
  if (kind !== 'well_known') return invalid('covers', 'covers is only allowed in well-known marks')
  return canCover(type)
    ? null
    : invalid('covers', 'covers must be false or absent; only a cidr or a domain can cover other entities')
}

/**
 * The observations of one submission in document order, the root's first, or the first fault (specification 2.2, 2.3;
 * decisions 3.3, 3.4, 3.5, 3.6). Correlated and associated entities inherit the audience, never reputation, tags or a well-known
 * mark: nobody claimed those of them. The time is within the bounds that need no clock. Exact repetitions collapse into the first. Pure, and never throws.
 */
export function expand(entity: SubmittedEntity, provenance: Provenance, ids: Identifiers): Expanded | Invalid {
  const { kind, observedAt } = provenance
  const fault = observedAtFault(observedAt) ?? reputationFault(entity.reputation, kind) ?? coversFault(entity, kind)
  if (fault !== null) return fault
  const described = describe(entity.type, entity.attributes, '')
  if (!described.ok) return described
  const tags = normaliseTags(entity.tags)
  if (!tags.ok) return tags

  const root = content(described.entity, described.attributes)
  // `|| 0`: -0 is not a reputation of its own.
  if (typeof entity.reputation === 'number') root.reputation = entity.reputation || 0
  root.tags = tags.tags
  const contents = [root]
  const wrong =
    correlate(contents, root, entity.type, entity.correlate ?? []) ??
    associate(contents, root, entity.associations ?? [], '', 1)
  if (wrong !== null) return wrong

  // The mark of a network of one address covers nothing else.
  const covers = canCover(root.type) && (entity.covers ?? coversByDefault(root.type))
  const observations = distinct(contents).map(
    (statement): Observation => ({
      id: ids.nextId(),
      submissionId: ids.submissionId,
      ...statement,
      ...provenance,
      kind: statement === root || provenance.kind !== 'well_known' ? provenance.kind : 'report',
      covers: statement === root && provenance.kind === 'well_known' && covers,
      retracted: null,
      verdict: null,
      covered: false,
    }),
  )
  return { ok: true, entityId: root.entityId, observations }
}
