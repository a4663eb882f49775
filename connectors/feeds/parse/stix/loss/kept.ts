import { asRelationship } from '../../../../../schemas/intelligence/observations/relationship.ts'
import { isObject, type Json, membersOf, objectsOf, textOf, textsOf } from '../../document.ts'
import { momentOf } from '../circumstances.ts'
import { digestType } from '../digest.ts'
import { isStated } from '../extension.ts'
import { FIELDS } from '../observables.ts'
import { versionOf } from '../versions.ts'

const MAX_TAGS = 32
const MAX_TAG_BYTES = 256
const isTag = (text: string): boolean => Buffer.byteLength(text.trim()) <= MAX_TAG_BYTES

/** Whether what an object of the type says in a property is kept; `true`: always. */
type Kept = true | ((object: Json) => boolean)
type Table = Readonly<Record<string, Kept>>

/** Of every object: what it is, which version, who may read it. */
export const STRUCTURE: Table = {
  type: true,
  id: true,
  spec_version: true,
  modified: (object) => versionOf(object) !== '',
  object_marking_refs: true,
  granular_markings: true,
}

/** What every object that stands for an entity may say beside it. */
const OF_ENTITIES: Table = {
  labels: (object) => areTags(object.labels),
  revoked: (object) => typeof object.revoked === 'boolean',
  confidence: ({ confidence }) => typeof confidence === 'number' && confidence >= 0 && confidence <= 100,
  valid_from: (object) => momentOf(object.valid_from) !== undefined,
  valid_until: (object) => momentOf(object.valid_until) !== undefined,
  extensions: (object) => isStated(object),
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
export const KEPT: ReadonlyMap<string, Table> = new Map([
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
