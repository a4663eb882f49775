import { json, jsonText, jsonTexts } from '../../../feeds-out/formats/text/json.ts'
import type { StixItem, StixObject } from '../item.ts'
import { EXTENSION_ID } from './extension-id.ts'
import { objectLine } from './object-line.ts'

/** Who defines the extension. A random UUID; never changed. */
const IDENTITY_ID = 'identity--3c6f1d52-0b7a-4d8e-9f41-a58e2c7b6d10'
/** When both were written. */
const CREATED = '2026-11-26T00:00:00.000Z'

/** What the members of the extension mean, as a schema of JSON: the definition has to say it. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    extension_type: { const: 'property-extension' },
    entity_type: { type: 'string', description: 'type of the entity in the catalogue of Harrier' },
    value: { type: 'string', description: 'main value of the entity in its normal form' },
    attributes: { type: 'object', additionalProperties: { type: 'string' } },
    reputation: { type: 'integer', minimum: -3, maximum: 3 },
  },
  required: ['extension_type', 'entity_type', 'value'],
}

const times = { created: CREATED, modified: CREATED }

const identity = { ...times, name: 'Harrier', identity_class: 'system' }

const definition = {
  created_by_ref: IDENTITY_ID,
  ...times,
  name: 'Harrier entity',
  description: 'The entity of Harrier that an object stands for, where its other properties do not say it.',
  schema: JSON.stringify(SCHEMA),
  version: '1.0.0',
  extension_types: ['property-extension'],
}

const objectOf = (type: string, id: string, members: object): StixObject => ({
  id,
  type,
  json: objectLine(type, id, json(members).slice(1, -1)),
})

/** The definition of the extension, and the identity that it is by. */
export const EXTENSION_OBJECTS: readonly StixObject[] = [
  objectOf('identity', IDENTITY_ID, identity),
  objectOf('extension-definition', EXTENSION_ID, definition),
]

const HEAD = `,"extensions":{"${EXTENSION_ID}":{"extension_type":"property-extension","entity_type":"`

/**
 * The member `extensions` of an object, with a comma before it. `more`: members of the extension beside type, value and
 * attributes, each with a comma before it.
 */
export function extensionOf({ type, value, attributes }: StixItem, more = ''): string {
  const described = attributes === undefined || Object.keys(attributes).length === 0 ? '' : attributesOf(attributes)
  return `${HEAD}${type}","value":${jsonText(value)}${described}${more}}}`
}

/** In the order of their names: equal attributes are equal bytes. */
const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  `,"attributes":{${Object.keys(attributes)
    .sort()
    .map((name) => `${jsonText(name)}:${jsonText(attributes[name]!)}`)
    .join(',')}}`

/** Tags as a member of an object; STIX refuses empty lists. */
export const labelsOf = (tags: readonly string[]): string => (tags.length === 0 ? '' : `,"labels":${jsonTexts(tags)}`)
