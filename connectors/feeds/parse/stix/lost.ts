import { asRelationship } from '../../../../schemas/intelligence/observations/relationship.ts'
import { isObject, type Json, membersOf, objectsOf, textOf, textsOf } from '../document.ts'
import { isStated } from '../stix-extension.ts'
import { momentOf } from './circumstances.ts'
import { FIELDS } from './observables.ts'
import { digestType } from './stix-digest.ts'
import { versionOf } from './versions.ts'

const MAX_TAGS = 32
const MAX_TAG_BYTES = 256
const isTag = (text: string): boolean => Buffer.byteLength(text.trim()) <= MAX_TAG_BYTES

/** Whether what an object of the type says in a property is kept; `true`: always. */
type Kept = true | ((object: Json) => boolean)
type Table = Readonly<Record<string, Kept>>

/** Of every object: what it is, which version, who may read it. */
const STRUCTURE: Table = {
  type: true,
  id: true,
  spec_version: true,
  modified: (object) => versionOf(object) !== '',
  object_marking_refs: true,
  granular_markings: true,
}

/** What every object that stands for an entity may say beside it. */
const OF_ENTITIES: Table = {
  extensions: isStated,
  labels: (object) => areTags(object.labels),
  revoked: (object) => typeof object.revoked === 'boolean',
  confidence: ({ confidence }) => typeof confidence === 'number' && confidence >= 0 && confidence <= 100,
  valid_from: (object) => momentOf(object.valid_from) !== undefined,
  valid_until: (object) => momentOf(object.valid_until) !== undefined,
}

/** All of them fit among the tags of an entity. */
const areTags = (value: unknown): boolean =>
  listOfTexts(value) && membersOf(value).length <= MAX_TAGS && membersOf(value).every((tag) => isTag(textOf(tag)))

const listOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => textOf(one) !== '')

/** One reference to ATT&CK, and nothing but its number. */
const isAttack: Kept = ({ external_references }) => {
  const [only, ...others] = objectsOf(external_references)
  const plain = only !== undefined && Object.keys(only).every((key) => key === 'source_name' || key === 'external_id')
  return others.length === 0 && plain && only.source_name === 'mitre-attack' && textOf(only.external_id) !== ''
}

const NAMED: Table = {
  name: true,
  external_references: isAttack,
  aliases: (object) => listOfTexts(object.aliases),
  x_mitre_aliases: (object) => listOfTexts(object.x_mitre_aliases),
}

/** The first field that is there names the entity; what the others say is not kept. */
const fieldsOf = (fields: readonly string[]): Table =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      (object: Json) => fields.find((name) => textOf(object[name]).trim() !== '') === field,
    ]),
  )

const hasDigest = ({ hashes }: Json): boolean =>
  isObject(hashes) && Object.keys(hashes).some((algorithm) => digestType(algorithm) !== undefined)

const FILE: Table = { hashes: true, name: true, size: hasDigest, mime_type: hasDigest }

/** Traffic is one end with its port: where it went, else where it came from. */
const used = (object: Json): string => (textOf(object.dst_ref) === '' ? 'src' : 'dst')
const TRAFFIC: Table = {
  dst_port: (object) => used(object) === 'dst',
  src_port: (object) => used(object) === 'src',
  protocols: (object) =>
    textOf(object[`${used(object)}_port`]) !== '' &&
    textsOf(object.protocols).filter((name) => !/^ipv[46]$/i.test(name)).length === 1 &&
    textsOf(object.protocols).some((name) => /^(?:tcp|udp)$/i.test(name)),
}

/** A definition of the Traffic Light Protocol: who may read is kept, terms of use are not. */
const isMarking = ({ definition_type, definition, extensions }: Json): boolean =>
  textOf(definition_type).toLowerCase() === 'tlp' ||
  (isObject(definition) && definition.tlp !== undefined) ||
  (isObject(extensions) && Object.values(extensions).some((one) => isObject(one) && one.tlp_2_0 !== undefined))

/** Properties that are read of the objects of a type, beside `STRUCTURE` and references to other entities. */
const KEPT: ReadonlyMap<string, Table> = new Map([
  ...[...FIELDS].map(([type, fields]): [string, Table] => [type, { ...OF_ENTITIES, ...fieldsOf(fields) }]),
  ['indicator', { ...OF_ENTITIES, pattern: true, pattern_type: true, pattern_version: true, indicator_types: true }],
  [
    'malware',
    {
      ...OF_ENTITIES,
      ...NAMED,
      is_family: true,
      malware_types: (object) => membersOf(object.malware_types).length < 2,
    },
  ],
  ...['threat-actor', 'intrusion-set', 'campaign', 'attack-pattern', 'tool', 'vulnerability'].map(
    (type): [string, Table] => [type, { ...OF_ENTITIES, ...NAMED }],
  ),
  ['file', { ...OF_ENTITIES, ...FILE }],
  ['artifact', { ...OF_ENTITIES, ...FILE }],
  ['x509-certificate', { ...OF_ENTITIES, hashes: true }],
  ['email-message', { ...OF_ENTITIES, message_id: true, subject: (object) => textOf(object.subject).trim() !== '' }],
  ['software', { ...OF_ENTITIES, cpe: true, name: (object) => textOf(object.cpe).trim() === '' }],
  ['network-traffic', { ...OF_ENTITIES, ...TRAFFIC }],
  ['observed-data', { ...OF_ENTITIES, object_refs: true }],
  [
    'relationship',
    {
      source_ref: true,
      target_ref: true,
      revoked: true,
      relationship_type: (object) => asRelationship(textOf(object.relationship_type)) !== null,
    },
  ],
  [
    'sighting',
    {
      ...OF_ENTITIES,
      sighting_of_ref: true,
      last_seen: (object) => momentOf(object.last_seen) !== undefined,
      first_seen: (object) => momentOf(object.last_seen) === undefined && momentOf(object.first_seen) !== undefined,
      observed_data_refs: true,
      count: ({ count }) => count === 0,
    },
  ],
  ['marking-definition', { name: isMarking, definition_type: isMarking, definition: isMarking, extensions: isMarking }],
])

/** What a document holds and is not kept: in how many objects of a type a property was lost. */
export type Lost = { type: string; property: string; n: number }

/** What was made of an object: all that can be read of it is kept; nothing is; it takes back what the object said. */
export type Fate = 'read' | 'unread' | 'withdrawn'

/** Different kinds of losses that are told apart, and how much of a name is shown; all others are one kind. */
const MAX_KINDS = 10_000
const MAX_NAME = 256
const OTHER = '(other)'

/** Counts what is lost of objects, each property once for each object that has it (decisions 15.3). */
export function lossCounter() {
  const counts = new Map<string, Lost>()

  function add(type: string, property: string): void {
    const [shown, name] = [type.slice(0, MAX_NAME) || OTHER, property.slice(0, MAX_NAME)]
    const key = JSON.stringify([shown, name])
    const known = counts.get(key)
    if (known !== undefined) known.n++
    else if (counts.size < MAX_KINDS) counts.set(key, { type: shown, property: name, n: 1 })
    else if (shown !== OTHER || name !== OTHER) add(OTHER, OTHER)
    else counts.set(key, { type: OTHER, property: OTHER, n: 1 })
  }

  return {
    /** @param isEntity whether an id stands for an entity that a reference may lead to */
    count(object: Json, fate: Fate, isEntity: (id: string) => boolean): void {
      const type = textOf(object.type)
      for (const property of Object.keys(object))
        if (object[property] !== undefined && !isKept(object, type, property, fate, isEntity)) add(type, property)
      if (fate === 'read') for (const algorithm of unknownDigests(object, type)) add(type, `hashes.${algorithm}`)
    },
    /** By type and property. */
    all: (): Lost[] => [...counts.values()].sort((a, b) => compare(a.type, b.type) || compare(a.property, b.property)),
  }
}

/** The losses of several documents as one list. */
export function addLost(all: readonly (readonly Lost[])[]): Lost[] {
  const sum = new Map<string, Lost>()
  for (const { type, property, n } of all.flat()) {
    const key = JSON.stringify([type, property])
    sum.set(key, { type, property, n: n + (sum.get(key)?.n ?? 0) })
  }
  return [...sum.values()].sort((a, b) => compare(a.type, b.type) || compare(a.property, b.property))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function isKept(object: Json, type: string, property: string, fate: Fate, isEntity: (id: string) => boolean): boolean {
  // What takes back an object says nothing else that would count.
  if (fate === 'withdrawn') return true
  const structural = Object.hasOwn(STRUCTURE, property) ? STRUCTURE[property]! : undefined
  if (structural !== undefined) return structural === true || structural(object)
  if (fate === 'unread') return false
  const table = KEPT.get(type)
  const known = table !== undefined && Object.hasOwn(table, property) ? table[property]! : undefined
  if (known !== undefined) return known === true || known(object)
  // References of entities are associations, where they lead to another one.
  if (!/_refs?$/.test(property) || property === 'created_by_ref' || type === 'relationship' || type === 'sighting')
    return false
  const targets = membersOf(object[property]).map(textOf)
  return targets.length > 0 && targets.every(isEntity)
}

/** Digests that the catalogue has no type for. */
function unknownDigests({ hashes }: Json, type: string): string[] {
  if (!isObject(hashes) || (type !== 'file' && type !== 'artifact')) return []
  return Object.keys(hashes).filter((algorithm) => digestType(algorithm) === undefined)
}
